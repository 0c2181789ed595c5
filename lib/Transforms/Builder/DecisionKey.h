//===- DecisionKey.h - what decisions depend on -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a decision's key in the cache that do not depend on where the
// kernel comes from.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_DECISIONKEY_H
#define REGDEM_LIB_BUILDER_DECISIONKEY_H

#include "DecisionCache.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

struct BuildLimit;
class Disassembler;
struct Options;
class Ptxas;

/// Adds to Text what RegDem, LLVM and the tools are, by their contents; false
/// where one cannot be read.
bool addPrograms(llvm::raw_ostream &Text, const DecisionCache &Cache,
                 const Ptxas &Assembler, const Disassembler &Reader);

/// Adds those of O that bear on a decision.
void addOptions(llvm::raw_ostream &Text, const Options &O);

void addLimit(llvm::raw_ostream &Text, const BuildLimit &Limit);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_DECISIONKEY_H
