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

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace regdem {

/// Has the functions that Kernel, alone in its module, calls round as it states
/// of them.
void stateCallees(llvm::Function &Kernel);

/// The same for all kernels of M, whose other functions stay. Leaves out jump
/// tables, too, where what is settled must not have any (keepsTables()), in
/// what such kernels call as well.
void settleCallees(llvm::Module &M);

} // namespace regdem

#endif // REGDEM_LIB_BUILDER_CALLEECOPIES_H
