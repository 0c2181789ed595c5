//===- ArrayCopies.h - copies read where they come from ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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
