//===- SpillTables.h - the tables of --print=spills -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_EMISSION_SPILLTABLES_H
#define REGDEM_EMISSION_SPILLTABLES_H

#include "regdem/MachineCode/SpillTrace.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace regdem {

/// Prints for each of Kernels, mangled names, which values ptxas spills, where,
/// and how often. Listing is what `nvdisasm -c -hex -g` prints of a program
/// with Statements, numbered.
llvm::Error printSpillTables(llvm::raw_ostream &OS, llvm::StringRef Listing,
                             llvm::ArrayRef<std::string> Kernels,
                             llvm::ArrayRef<PTXStatement> Statements);

} // namespace regdem

#endif // REGDEM_EMISSION_SPILLTABLES_H
