//===- DecisionKey.h - what a decision depends on ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two compilations that come to the same key for a kernel settle the same for
// it. All that may make a difference counts; what does not, such as paths,
// names and the number of jobs, is left out, so that machines can share a
// cache.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_DECISIONKEY_H
#define REGDEM_LIB_BUILDER_DECISIONKEY_H

#include "DecisionCache.h"
#include "regdem/Analysis/KernelHash.h"
#include <string>

namespace llvm {
class Module;
class TargetMachine;
class raw_ostream;
} // namespace llvm

namespace regdem {

class Disassembler;
class Ptxas;
struct Candidate;
struct Tools;

/// Adds to Text what RegDem, LLVM and the tools are, by their contents; false
/// where one cannot be read. Reader may be null.
bool addPrograms(llvm::raw_ostream &Text, const DecisionCache &Cache,
                 const Ptxas &Assembler, const Disassembler *Reader);

class DecisionKeys {
public:
  /// For kernels of M, as it is now, that T settles.
  DecisionKeys(const llvm::Module &M, const llvm::TargetMachine &TM,
               const Tools &T, const DecisionCache &Cache);

  /// The key of C; empty where it is not known what its decision depends on.
  std::string of(const Candidate &C) const;

private:
  KernelHasher Hasher;
  std::string Common; ///< What is the same for all kernels; empty: unknown.
};

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_DECISIONKEY_H
