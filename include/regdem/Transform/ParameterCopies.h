//===- ParameterCopies.h - copies of parameters, in IR ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct that is passed by value is in the constant bank. Where the kernel
// writes to it, the code generator makes a copy of it in local memory.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_PARAMETERCOPIES_H
#define REGDEM_TRANSFORM_PARAMETERCOPIES_H

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace regdem {

/// Whether the code generator makes copies of parameters of F in local memory:
/// the kernel writes to them, and indexes them at run time or copies them.
bool hasParameterCopies(const llvm::Function &F);

/// Has these copies made in IR.
void exposeParameterCopies(llvm::Function &F);

/// Whether Parameter is passed by value, and nothing writes to its memory.
bool isOnlyRead(const llvm::Argument &Parameter);

} // namespace regdem

#endif // REGDEM_TRANSFORM_PARAMETERCOPIES_H
