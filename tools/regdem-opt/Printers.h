//===- Printers.h - what regdem-opt prints ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analyses in a form that tests can check, and the figures behind a decision as
// tables for people. All of it asks; nothing is changed or decided.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_PRINTERS_H
#define REGDEM_TOOLS_PRINTERS_H

#include "CommandLine.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
class raw_ostream;
} // namespace llvm

namespace regdem {

struct InspectedKernel;
struct SassKernel;

/// One section of --print: a line "=== <analysis> of <kernel> ===", then the
/// analysis.
void print(llvm::raw_ostream &OS, Analysis What, const InspectedKernel &K);

/// The arrays of M's kernels, and of other functions that have some. M is as
/// code generation gets it.
llvm::Error printArrays(llvm::raw_ostream &OS, llvm::Module &M,
                        llvm::TargetMachine &TM);

/// What a kernel is, what demotion could reach, what RegDem does and why; no
/// line is longer than 100 columns.
void explain(llvm::raw_ostream &OS, const InspectedKernel &K);

/// Reads the kernel Name (empty: the only one) in the file at Path ("-":
/// standard input), a cubin.
llvm::Expected<SassKernel> readSass(llvm::StringRef Path, llvm::StringRef Name);

/// One row for each block of K: what it does and how often.
void print(llvm::raw_ostream &OS, const SassKernel &K);

} // namespace regdem

#endif // REGDEM_TOOLS_PRINTERS_H
