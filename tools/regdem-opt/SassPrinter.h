//===- SassPrinter.h - the table of --sass ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_SASSPRINTER_H
#define REGDEM_TOOLS_SASSPRINTER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

struct SassKernel;

/// Reads the kernel Name (empty: the only one) in the file at Path ("-":
/// standard input), which is a cubin, to be given to the disassembler that the
/// options name, or what `nvdisasm -c -hex` has printed of one.
llvm::Expected<SassKernel> readSass(llvm::StringRef Path, llvm::StringRef Name);

/// One row for each block of K: what it does and how often.
void print(llvm::raw_ostream &OS, const SassKernel &K);

} // namespace regdem

#endif // REGDEM_TOOLS_SASSPRINTER_H
