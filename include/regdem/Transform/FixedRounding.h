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

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// The later, the less is known.
enum class RoundingFix {
  Fixed,
  Uncertain, ///< Not known which products stock code fuses.
  Reordered  ///< LLVM may reorder operations besides (-ffast-math).
};

/// Fixes the roundings of F, all of them, for passes may move any operation
/// once some code has changed; leaves F as it is where one is not certain.
/// IsPart: F and other functions become one, so that what F stores, returns or
/// gives to them may meet a sum of theirs.
RoundingFix fixRounding(llvm::Function &F, bool IsPart = false);

/// What that would return.
RoundingFix findRounding(llvm::Function &F, bool IsPart = false);

/// Has each product of F that can be fused round alone: for those that passes
/// have made of other operations since the roundings were fixed.
void roundProductsAlone(llvm::Function &F);

} // namespace regdem

#endif // REGDEM_TRANSFORM_FIXEDROUNDING_H
