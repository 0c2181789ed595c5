//===- WideProducts.cpp - 64-bit products of 32-bit words -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/WideProducts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace regdem {

static constexpr unsigned WordBits = 32;

/// Whether instruction selection takes Factor for an extended word as it is.
static bool isExtended(const Value *Factor) {
  return isa<Constant, ZExtInst>(Factor);
}

/// Whether Product is one of two words, of which instruction selection does not
/// see that they are.
static bool isWide(const Instruction &Product) {
  if (Product.getOpcode() != Instruction::Mul ||
      !Product.getType()->isIntegerTy(2 * WordBits) ||
      all_of(Product.operand_values(), isExtended))
    return false;
  const DataLayout &Layout = Product.getModule()->getDataLayout();
  return all_of(Product.operand_values(), [&](const Value *Factor) {
    return computeKnownBits(Factor, Layout).countMinLeadingZeros() >= WordBits;
  });
}

/// Factor as an extended word, ahead of At. An element of a vector of two words
/// stands for its lower half: DAGCombiner makes a mask of a truncation.
static Value *extendedWord(Value *Factor, IRBuilder<> &At) {
  auto *Halves = FixedVectorType::get(At.getInt32Ty(), 2);
  Value *Word =
      At.CreateExtractElement(At.CreateBitCast(Factor, Halves), uint64_t(0));
  return At.CreateZExt(Word, Factor->getType());
}

bool hasWideProducts(Function &F) { return any_of(instructions(F), isWide); }

bool widenProducts(Function &F) {
  SmallVector<Instruction *, 32> Products;
  for (Instruction &I : instructions(F))
    if (isWide(I))
      Products.push_back(&I);
  for (Instruction *Product : Products) {
    IRBuilder<> At(Product);
    for (Use &Factor : Product->operands())
      if (!isExtended(Factor))
        Factor.set(extendedWord(Factor, At));
  }
  return !Products.empty();
}

} // namespace regdem
