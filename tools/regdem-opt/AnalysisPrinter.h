//===- AnalysisPrinter.h - the text of --print ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints analyses in a form that tests can check. The analyses print
// themselves; this file only puts sections in order.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_ANALYSISPRINTER_H
#define REGDEM_TOOLS_ANALYSISPRINTER_H

#include "CommandLine.h"

namespace llvm {
class Error;
class Module;
class TargetMachine;
class raw_ostream;
} // namespace llvm

namespace regdem {

struct InspectedKernel;

/// One section: a line "=== <analysis> of <kernel> ===", then the analysis.
/// Prints the arrays of M's kernels, and of other functions that have some. M
/// is as code generation gets it.
llvm::Error printArrays(llvm::raw_ostream &OS, llvm::Module &M,
                        llvm::TargetMachine &TM);

void print(llvm::raw_ostream &OS, Analysis What, const InspectedKernel &K);

} // namespace regdem

#endif // REGDEM_TOOLS_ANALYSISPRINTER_H
