//===- ValuePromise.cpp - what code says of a value -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValuePromise.h"

#include "ThreadMemory.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace regdem {

/// The range that I's metadata states, if it does.
static std::optional<ConstantRange> rangeOf(const Instruction &I) {
  if (const MDNode *Bounds = I.getMetadata(LLVMContext::MD_range))
    return getConstantRangeFromMetadata(*Bounds);
  return std::nullopt;
}

ValuePromise::ValuePromise(const LoadInst &Load)
    : Range(rangeOf(Load)),
      IsDefined(Load.hasMetadata(LLVMContext::MD_noundef)),
      IsNonNull(Load.hasMetadata(LLVMContext::MD_nonnull)) {
  if (const MDNode *Node = Load.getMetadata(LLVMContext::MD_align))
    Alignment.emplace(
        mdconst::extract<ConstantInt>(Node->getOperand(0))->getZExtValue());
}

ValuePromise::ValuePromise(const CallBase &Call)
    : Range(rangeOf(Call)), IsDefined(Call.hasRetAttr(Attribute::NoUndef)),
      IsNonNull(Call.hasRetAttr(Attribute::NonNull)),
      Alignment(Call.getRetAlign()), Never(Call.getRetNoFPClass()) {
  if (!Range)
    Range = Call.getRange();
}

ValuePromise::ValuePromise(const CallBase &Call, unsigned Argument)
    : IsDefined(Call.paramHasAttr(Argument, Attribute::NoUndef)),
      IsNonNull(Call.paramHasAttr(Argument, Attribute::NonNull)),
      Alignment(Call.getParamAlign(Argument)),
      Never(Call.getParamNoFPClass(Argument)) {
  if (Attribute A = Call.getParamAttr(Argument, Attribute::Range); A.isValid())
    Range = A.getRange();
}

ValuePromise::ValuePromise(const Argument &Of)
    : Range(Of.getRange()), IsDefined(Of.hasAttribute(Attribute::NoUndef)),
      IsNonNull(Of.hasAttribute(Attribute::NonNull)),
      Alignment(Of.getParamAlign()), Never(Of.getNoFPClass()) {}

bool ValuePromise::allowsElement(const Constant *C) const {
  if (auto *Number = dyn_cast<ConstantFP>(C))
    return !(Number->getValueAPF().classify() & Never);
  auto *Number = dyn_cast<ConstantInt>(C);
  if (!Number)
    return true;
  const APInt &Is = Number->getValue();
  return !(Range && !Range->contains(Is)) && !(IsNonNull && Is.isZero()) &&
         !(Alignment && Is.countr_zero() < Log2(*Alignment));
}

bool ValuePromise::allows(Constant *C) const {
  auto *Vector = dyn_cast<FixedVectorType>(C->getType());
  if (!Vector)
    return allowsElement(C);
  for (unsigned N = 0; N != Vector->getNumElements(); ++N)
    if (const Constant *Element = C->getAggregateElement(N);
        Element && !allowsElement(Element))
      return false;
  return true;
}

Constant *ValuePromise::fitted(Constant *C, uint64_t Seed) const {
  if (!C || allows(C))
    return C;
  if (auto *Vector = dyn_cast<FixedVectorType>(C->getType())) {
    Constant *First = C->getAggregateElement(0u);
    for (unsigned N = 1; First && allowsElement(First); ++N)
      First = C->getAggregateElement(N);
    return First ? ConstantVector::getSplat(Vector->getElementCount(),
                                            fitted(First, Seed))
                 : C;
  }
  Type *T = C->getType();
  Constant *Other = C;
  if (T->isFloatingPointTy()) {
    Other = ConstantFP::get(T, 1.5);
    if (!allowsElement(Other))
      Other = ConstantFP::get(T, -1.5);
  } else if (Range) {
    constexpr unsigned Most = 33; // Small ones, as elsewhere in memory.
    APInt Step = APInt(64, Seed / 64 % Most).zextOrTrunc(Range->getBitWidth());
    if (!Range->contains(Range->getLower() + Step))
      Step = Step.urem(Range->getUpper() - Range->getLower());
    Other = ConstantInt::get(C->getContext(), Range->getLower() + Step);
  } else if (T->isIntegerTy(64)) {
    Other = randomConstant(PointerType::get(C->getContext(), 0), Seed);
  }
  return allowsElement(Other) ? Other : C;
}

bool hasPoison(const Constant &C) {
  return isa<UndefValue>(C) || C.containsUndefOrPoisonElement();
}

bool isTrue(StringRef Tag, ArrayRef<Constant *> Inputs) {
  if (Tag != "align" && Tag != "nonnull" && Tag != "noundef")
    return true;
  if (any_of(Inputs, [](const Constant *C) { return hasPoison(*C); }))
    return false;
  auto Number = [&](size_t N) {
    auto *C = N < Inputs.size() ? dyn_cast<ConstantInt>(Inputs[N]) : nullptr;
    return C ? C->getZExtValue() : 0;
  };
  if (Tag == "nonnull")
    return Number(0) != 0;
  // A pointer less an offset, and its alignment.
  return Tag != "align" || !Number(1) ||
         (Number(0) - Number(2)) % Number(1) == 0;
}

} // namespace regdem
