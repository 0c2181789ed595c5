//===- FixedRounding.h - stock's roundings, written down --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code generator makes one instruction, which rounds once, of a product and
// a sum in one block. Code that is moved between blocks, or values that come
// from registers instead of memory, would round in another way. So this writes
// into IR what stock code does with each product:
//
//   %p = fmul contract float %a, %b        %s = llvm.fma.f32(%a, %b, %c)
//   %s = fadd contract float %p, %c   =>
//   %q = fmul contract float %d, %e        %q = llvm.nvvm.mul.rn.f(%d, %e)
//   store float %q, ptr %array             store float %q, ptr %array
//
// It changes nothing, and says so, where that is not certain.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_FIXEDROUNDING_H
#define REGDEM_TRANSFORM_FIXEDROUNDING_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
} // namespace llvm

namespace regdem {

/// What a rewrite is about to change.
struct RoundingScope {
  /// Blocks that may become others, or parts of others.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Blocks;
  /// Loads and stores whose memory is to become registers.
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Accesses;
};

enum class RoundingFix {
  Fixed,
  Uncertain, ///< Not known which products stock code fuses.
  Reordered  ///< LLVM may reorder operations besides (-ffast-math).
};

/// Fixes the roundings of F that changes in Scope could alter; leaves F as it
/// is where it cannot.
RoundingFix fixRounding(llvm::Function &F, const RoundingScope &Scope);

/// The same for the unrolling of L, which is entered from one block; its blocks
/// become parts of those around it. findRounding() changes nothing.
RoundingFix fixRounding(llvm::Function &F, const llvm::Loop &L);
RoundingFix findRounding(llvm::Function &F, const llvm::Loop &L);

} // namespace regdem

#endif // REGDEM_TRANSFORM_FIXEDROUNDING_H
