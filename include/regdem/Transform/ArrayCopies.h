//===- ArrayCopies.h - copies of arrays and parameters ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct that is passed by value is in the constant bank. Where the kernel
// writes to it, the code generator makes a copy of it in local memory; here it
// is made in IR.
//
// LLVM makes loops over single bytes of copies and fills of 128 bytes and more.
// Cut into smaller ones they are made in words as wide as alignment allows, as
// nvcc does.
//
// An array that is only a copy of a parameter that is passed by value, and that
// nothing writes to, needs no memory of its own: the parameter is in the
// constant bank, where it can be indexed.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYCOPIES_H
#define REGDEM_TRANSFORM_ARRAYCOPIES_H

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace regdem {

struct LocalArray;

/// Whether the code generator makes copies of parameters of F in local memory:
/// the kernel writes to them, and indexes them at run time or copies them.
bool hasParameterCopies(const llvm::Function &F);

/// Has these copies made in IR.
void exposeParameterCopies(llvm::Function &F);

/// Whether cutLargeCopies() would change F.
bool hasLargeCopies(llvm::Function &F);

/// Cuts the large copies and fills of F.
void cutLargeCopies(llvm::Function &F);

/// The parameter that Array is a copy of, if nothing writes to that one, and
/// Array is read within what is copied only; else null.
llvm::Argument *copiedParameter(const LocalArray &Array);

/// Has Array's readers read Parameter, which copiedParameter() has given;
/// deletes the copy.
void readParameter(const LocalArray &Array, llvm::Argument &Parameter);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYCOPIES_H
