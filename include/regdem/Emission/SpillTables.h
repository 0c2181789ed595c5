//===- SpillTables.h - the tables of --print=spills -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_SPILLTABLES_H
#define REGDEM_EMISSION_SPILLTABLES_H

#include "regdem/Toolchain/Ptxas.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

/// Has Assembler, told Flags as well, assemble PTX for Arch and prints for each
/// of Kernels, mangled names (empty: all), which values it spills, where, and
/// how often.
llvm::Error printSpillTables(llvm::raw_ostream &OS, llvm::StringRef PTX,
                             llvm::StringRef Arch,
                             llvm::ArrayRef<std::string> Flags,
                             const Ptxas &Assembler, const ToolLimits &Limits,
                             llvm::ArrayRef<std::string> Kernels = {});

} // namespace regdem

#endif // REGDEM_EMISSION_SPILLTABLES_H
