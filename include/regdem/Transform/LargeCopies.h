//===- LargeCopies.h - large copies made in words ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM makes loops over single bytes of copies and fills of 128 bytes and more.
// Cut into smaller ones they are made in words as wide as alignment allows, as
// nvcc does.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_LARGECOPIES_H
#define REGDEM_TRANSFORM_LARGECOPIES_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Whether cutLargeCopies() would change F.
bool hasLargeCopies(llvm::Function &F);

/// Cuts the large copies and fills of F.
void cutLargeCopies(llvm::Function &F);

} // namespace regdem

#endif // REGDEM_TRANSFORM_LARGECOPIES_H
