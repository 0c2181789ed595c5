//===- CalleeCopies.h - functions for a kernel's builds ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels and their builds may share the functions that they call, since ptxas
// makes a copy for each of them. Only what has to be written in another way for
// one of them is copied here; what others call stays as clang makes it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_BUILDER_CALLEECOPIES_H
#define REGDEM_LIB_BUILDER_CALLEECOPIES_H

#include "llvm/ADT/MapVector.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace regdem {

/// Copies of functions, by function.
using CalleeCopies = llvm::MapVector<llvm::Function *, llvm::Function *>;

/// Copies of all functions that Kernel calls, directly or not.
CalleeCopies copyCallees(const llvm::Function &Kernel);

/// Has F call the copies.
void callCopies(llvm::Function &F, const CalleeCopies &Copies);

/// Removes those of Copies that nothing calls; none calls itself.
void eraseUnused(const CalleeCopies &Copies);

/// Leaves out jump tables where what is settled for kernels of M must not have
/// any (keepsTables()). Those without any call functions that have none either.
void omitTables(llvm::Module &M);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_CALLEECOPIES_H
