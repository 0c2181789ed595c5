//===- SpillPrinter.h - --print=spills of PTX -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TOOLS_PTXAS_SPILLPRINTER_H
#define REGDEM_TOOLS_PTXAS_SPILLPRINTER_H

#include "regdem/Toolchain/Ptxas.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// Whether Arg is ptxas's option for its output.
bool statesOutput(llvm::StringRef Arg);

/// Prints which values Assembler spills in the kernels of the PTX files among
/// Args, its options, as a build with these options has them. Nothing else is
/// written.
llvm::Error printSpills(const Ptxas &Assembler,
                        llvm::ArrayRef<llvm::StringRef> Args);

} // namespace regdem

#endif // REGDEM_TOOLS_PTXAS_SPILLPRINTER_H
