//===- ArrayCopies.h - copies of arrays and parameters ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A struct that is passed by value is in the constant bank. Where a function
// that takes such a struct has been inlined, a copy is left that nobody writes
// to; what reads it can read the parameter. A kernel that writes to such a
// struct has a variable of it:
//
//   void kernel(P byval p) {       P v = p; // that is local memory
//     p.N = M;                =>   v.N = M;
//
// Code generation makes the copy, too late for the parts that are only written
// and those that are indexed to leave local memory.
//
// LLVM makes loops over single bytes of copies and fills of 128 bytes and more.
// Cut into smaller ones they are made in words as wide as alignment allows, as
// nvcc does.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYCOPIES_H
#define REGDEM_TRANSFORM_ARRAYCOPIES_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Argument;
class Function;
class MemCpyInst;
} // namespace llvm

namespace regdem {

struct LocalArray;

struct ParameterCopy {
  llvm::MemCpyInst *By;
  llvm::Argument *From;
  uint64_t Offset; ///< Bytes from the parameter's start.
};

/// Whether F is a kernel that writes to a parameter passed by value.
bool hasWrittenParameters(const llvm::Function &F);

/// Makes the variables of F's parameters that are written.
llvm::SmallVector<ParameterCopy, 2> copyWrittenParameters(llvm::Function &F);

/// Undoes what copyWrittenParameters() did, if nothing else has changed.
void undo(llvm::ArrayRef<ParameterCopy> Copies);

/// What fills Array, if nothing else writes it, and it is a copy of a parameter
/// that is passed by value and never written; none if not. What is read of
/// Array is within it, by the rules of the language: elsewhere other memory is.
std::optional<ParameterCopy> findParameterCopy(const LocalArray &Array);

/// Has what reads Array, which is gone then, read what was Copied.
void readParameter(const LocalArray &Array, const ParameterCopy &Copied);

/// Whether cutLargeCopies() would change F.
bool hasLargeCopies(llvm::Function &F);

/// Cuts the large copies and fills of F.
void cutLargeCopies(llvm::Function &F);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYCOPIES_H
