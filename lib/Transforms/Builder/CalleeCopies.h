//===- CalleeCopies.h - functions for a kernel's builds ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds beside a kernel may share the functions that it calls, since ptxas
// makes a copy for each of them. Only what has to be written in another way in
// builds than in the kernel, which stays as clang makes it, is copied here.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_CALLEECOPIES_H
#define REGDEM_LIB_BUILDER_CALLEECOPIES_H

#include "regdem/Attributes/KernelAttributes.h"
#include "llvm/ADT/MapVector.h"

namespace regdem {

/// Copies of functions, by function.
using CalleeCopies = llvm::MapVector<llvm::Function *, llvm::Function *>;

/// Copies of all functions that Kernel calls, directly or not, with their
/// products rounded as Round says and without jump tables, which spill code may
/// break (omitJumpTables()); none where the functions are like that anyway.
CalleeCopies copyCallees(llvm::Function &Kernel, RoundedProducts Round);

/// Has F call the copies.
void callCopies(llvm::Function &F, const CalleeCopies &Copies);

/// Removes those of Copies that nothing calls.
void eraseUnused(const CalleeCopies &Copies);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_CALLEECOPIES_H
