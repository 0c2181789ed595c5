//===- ConstantArithmetic.h - what one instruction gives --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic of the array checker: LLVM's constant folding, with pointers as
// 64-bit integers and poison where a flag says so. What flags say of overflows
// the value checker asks here, too.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CONSTANTARITHMETIC_H
#define REGDEM_LIB_TRANSFORM_CONSTANTARITHMETIC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace regdem {

/// T with integers for pointers; null where that is not to be had.
inline llvm::Type *plainType(llvm::Type *T) {
  if (T->isPointerTy())
    return llvm::Type::getInt64Ty(T->getContext());
  return T->isVectorTy() && T->getScalarType()->isPointerTy() ? nullptr : T;
}

/// Whether Op, for X and Y, overflows though it says that it does not.
inline bool overflows(const llvm::OverflowingBinaryOperator &Op,
                      const llvm::APInt &X, const llvm::APInt &Y) {
  using Wrap = llvm::OverflowingBinaryOperator;
  auto Wraps = [&](unsigned Kind) {
    return !llvm::ConstantRange::makeExactNoWrapRegion(
                static_cast<llvm::Instruction::BinaryOps>(Op.getOpcode()), Y,
                Kind)
                .contains(X);
  };
  return (Op.hasNoSignedWrap() && Wraps(Wrap::NoSignedWrap)) ||
         (Op.hasNoUnsignedWrap() && Wraps(Wrap::NoUnsignedWrap));
}

/// What I gives for In, pointers as integers; null where that cannot be told.
inline llvm::Constant *arithmetic(llvm::Instruction &I,
                                  llvm::ArrayRef<llvm::Constant *> In,
                                  const llvm::DataLayout &Layout) {
  if (llvm::isa<llvm::FreezeInst>(I))
    return llvm::isa<llvm::UndefValue>(In[0])
               ? llvm::Constant::getNullValue(In[0]->getType())
               : In[0];
  if (llvm::isa<llvm::SelectInst>(I) && llvm::isa<llvm::ConstantInt>(In[0]))
    return In[0]->isNullValue() ? In[2] : In[1];
  if (auto *Compare = llvm::dyn_cast<llvm::CmpInst>(&I))
    return llvm::ConstantFoldCompareInstruction(Compare->getPredicate(), In[0],
                                                In[1]);
  if (auto *Cast = llvm::dyn_cast<llvm::CastInst>(&I)) {
    llvm::Type *From = In[0]->getType(), *To = plainType(I.getType());
    if (!To)
      return nullptr;
    if (!I.getType()->isPointerTy() && !Cast->getSrcTy()->isPointerTy())
      return llvm::ConstantFoldCastOperand(Cast->getOpcode(), In[0], To,
                                           Layout);
    if (llvm::isa<llvm::PoisonValue>(In[0]))
      return llvm::PoisonValue::get(To);
    return From == To
               ? In[0]
               : llvm::ConstantFoldIntegerCast(In[0], To,
                                               /*IsSigned=*/false, Layout);
  }
  if (auto *Op = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&I)) {
    auto *A = llvm::dyn_cast<llvm::ConstantInt>(In[0]);
    auto *B = llvm::dyn_cast<llvm::ConstantInt>(In[1]);
    if (A && B && overflows(*Op, A->getValue(), B->getValue()))
      return llvm::PoisonValue::get(I.getType());
  }
  if (I.isBinaryOp())
    return llvm::ConstantFoldBinaryOpOperands(I.getOpcode(), In[0], In[1],
                                              Layout);
  return llvm::ConstantFoldInstOperands(&I, In, Layout);
}

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_CONSTANTARITHMETIC_H
