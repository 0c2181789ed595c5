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
// An array that is only a copy needs no memory of its own while what it is a
// copy of stays as it is: another array, or a parameter that is passed by value
// and in the constant bank, where it can be indexed.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYCOPIES_H
#define REGDEM_TRANSFORM_ARRAYCOPIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Value;
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
llvm::Value *copiedParameter(const LocalArray &Array);

/// The variable of one of All, which are F's, that Array is a copy of, if
/// nothing writes to that one once it has been copied; else null.
llvm::Value *copiedArray(const LocalArray &Array,
                         llvm::ArrayRef<LocalArray> All, llvm::Function &F,
                         llvm::FunctionAnalysisManager &FAM);

/// Has Array's readers read Source, which one of the above has given; deletes
/// the copy.
void readSource(const LocalArray &Array, llvm::Value *Source);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYCOPIES_H
