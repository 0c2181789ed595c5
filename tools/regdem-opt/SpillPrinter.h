//===- SpillPrinter.h - the tables of --print=spills ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_SPILLPRINTER_H
#define REGDEM_TOOLS_SPILLPRINTER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

/// Has ptxas assemble PTX for Arch and prints for each of Kernels which values
/// it spills. An error where a tool is missing or fails.
llvm::Error printSpills(llvm::raw_ostream &OS, llvm::StringRef PTX,
                        llvm::StringRef Arch,
                        llvm::ArrayRef<std::string> Kernels);

} // namespace regdem

#endif // REGDEM_TOOLS_SPILLPRINTER_H
