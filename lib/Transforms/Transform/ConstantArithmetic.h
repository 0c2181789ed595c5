//===- ConstantArithmetic.h - what one instruction gives --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic of the array checker: LLVM's constant folding, with pointers as
// 64-bit integers and poison where a flag says so.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_CONSTANTARITHMETIC_H
#define REGDEM_LIB_TRANSFORM_CONSTANTARITHMETIC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
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

/// Whether a flag of I says that its result for In, integers, is poison.
inline bool isPoison(const llvm::Operator &I, llvm::ArrayRef<llvm::APInt> In) {
  using namespace llvm;
  if (auto *Op = dyn_cast<OverflowingBinaryOperator>(&I))
    return overflows(*Op, In[0], In[1]);
  if (auto *Or = dyn_cast<PossiblyDisjointInst>(&I))
    return Or->isDisjoint() && In[0].intersects(In[1]);
  if (auto *Cast = dyn_cast<PossiblyNonNegInst>(&I))
    return Cast->hasNonNeg() && In[0].isNegative();
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return Compare->hasSameSign() && In[0].isNegative() != In[1].isNegative();
  if (auto *Cut = dyn_cast<TruncInst>(&I)) {
    unsigned Bits = Cut->getType()->getScalarSizeInBits();
    return (Cut->hasNoUnsignedWrap() && !In[0].isIntN(Bits)) ||
           (Cut->hasNoSignedWrap() && !In[0].isSignedIntN(Bits));
  }
  auto *Exact = dyn_cast<PossiblyExactOperator>(&I);
  if (!Exact || !Exact->isExact())
    return false;
  if (I.getOpcode() == Instruction::UDiv)
    return !In[1].isZero() && !In[0].urem(In[1]).isZero();
  if (I.getOpcode() == Instruction::SDiv)
    return !In[1].isZero() && !In[0].srem(In[1]).isZero();
  return In[0].countr_zero() < In[1].getLimitedValue(In[0].getBitWidth());
}

/// Whether a flag of I says that C, an operand or its result, makes it poison.
inline bool isPoison(const llvm::FPMathOperator &I, const llvm::Constant *C) {
  auto *Number = llvm::dyn_cast_or_null<llvm::ConstantFP>(C);
  return Number && ((I.hasNoNaNs() && Number->isNaN()) ||
                    (I.hasNoInfs() && Number->isInfinity()));
}

/// What I gives for In without its flags.
inline llvm::Constant *folded(llvm::Instruction &I,
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
  if (I.isBinaryOp())
    return llvm::ConstantFoldBinaryOpOperands(I.getOpcode(), In[0], In[1],
                                              Layout);
  return llvm::ConstantFoldInstOperands(&I, In, Layout);
}

/// What I gives for In, pointers as integers; null where that cannot be told.
inline llvm::Constant *arithmetic(llvm::Instruction &I,
                                  llvm::ArrayRef<llvm::Constant *> In,
                                  const llvm::DataLayout &Layout) {
  llvm::SmallVector<llvm::APInt, 3> Numbers;
  for (const llvm::Constant *C : In)
    if (auto *Number = llvm::dyn_cast<llvm::ConstantInt>(C))
      Numbers.push_back(Number->getValue());
  if (Numbers.size() == In.size() &&
      isPoison(llvm::cast<llvm::Operator>(I), Numbers))
    return llvm::PoisonValue::get(I.getType());
  llvm::Constant *C = folded(I, In, Layout);
  auto *Op = llvm::dyn_cast<llvm::FPMathOperator>(&I);
  if (!C || !Op)
    return C;
  // What a select does not choose does not matter.
  bool Breaks = isPoison(*Op, C) ||
                (!llvm::isa<llvm::SelectInst>(I) &&
                 llvm::any_of(In, [Op](const llvm::Constant *Operand) {
                   return isPoison(*Op, Operand);
                 }));
  return Breaks ? llvm::PoisonValue::get(C->getType()) : C;
}

/// C, of any floating-point type, without its sign. LLVM knows that of some
/// types only, though it takes fabs(-x) for fabs(x) in all.
inline llvm::Constant *absolute(llvm::Constant *C,
                                const llvm::DataLayout &Layout) {
  using namespace llvm;
  Type *T = C->getType(), *Whole = T->getWithNewType(Type::getIntNTy(
                              T->getContext(), T->getScalarSizeInBits()));
  auto *Bits = ConstantFoldCastOperand(Instruction::BitCast, C, Whole, Layout);
  auto *Mask = ConstantInt::get(
      Whole, APInt::getSignedMaxValue(T->getScalarSizeInBits()));
  return ConstantFoldCastOperand(
      Instruction::BitCast,
      ConstantFoldBinaryOpOperands(Instruction::And, Bits, Mask, Layout), T,
      Layout);
}

/// What Callee, called by Call, gives for In, as LLVM computes it; null where
/// it cannot. Calls that it is to leave (nobuiltin) are computed here: it knows
/// of them, too, that no square root is negative.
inline llvm::Constant *resultOf(llvm::CallBase &Call, llvm::Function &Callee,
                                llvm::ArrayRef<llvm::Constant *> In) {
  using namespace llvm;
  bool IsLeft = Call.isNoBuiltin();
  if (IsLeft)
    Call.removeFnAttr(Attribute::NoBuiltin);
  Constant *Result = nullptr;
  if (canConstantFoldCallTo(&Call, &Callee)) {
    // LLVM takes the least of a number and poison for that number.
    bool IsPoison = any_of(In, [](Constant *C) { return isa<PoisonValue>(C); });
    Result = IsPoison ? PoisonValue::get(Call.getType())
                      : ConstantFoldCall(&Call, &Callee, In);
  }
  if (IsLeft)
    Call.addFnAttr(Attribute::NoBuiltin);
  return Result;
}

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_CONSTANTARITHMETIC_H
