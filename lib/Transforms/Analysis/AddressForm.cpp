//===- AddressForm.cpp - addresses as sums of multiples -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/AddressForm.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace regdem {

/// Expressions that are looked into, one within the other.
static constexpr unsigned MostDepth = 16;
static constexpr size_t MostTerms = 8;

/// Adds Factor * Added to List.
static void addTerm(SmallVectorImpl<AddressTerm> &List,
                    const AddressTerm &Added, uint64_t Factor) {
  auto *Same = find_if(
      List, [&](const AddressTerm &T) { return T.hasSameValue(Added); });
  if (Same == List.end()) {
    List.push_back(Added);
    Same = &List.back();
    Same->Factor = 0;
  }
  Same->Factor += Factor * Added.Factor;
  if (!Same->Factor)
    List.erase(Same);
}

std::optional<AddressStep> stepBetween(const AddressForm &From,
                                       const AddressForm &To) {
  if (From.Base != To.Base)
    return std::nullopt;
  SmallVector<AddressTerm, 4> Terms = To.Terms;
  for (const AddressTerm &T : From.Terms)
    addTerm(Terms, T, -uint64_t(1));
  if (Terms.size() > 1)
    return std::nullopt;
  return AddressStep{To.Offset - From.Offset,
                     Terms.empty() ? AddressTerm() : Terms.front()};
}

/// Whether the result of I, extended by By, is what I makes of its operands
/// once these are extended.
static bool commutesWith(Extension By, const Operator &I) {
  if (By == Extension::None)
    return true;
  // Operands without a common bit never carry, not even into the sign.
  if (I.getOpcode() == Instruction::Or)
    return true;
  const auto *Wrapping = dyn_cast<OverflowingBinaryOperator>(&I);
  return Wrapping && (By == Extension::Sign ? Wrapping->hasNoSignedWrap()
                                            : Wrapping->hasNoUnsignedWrap());
}

/// The constant V, as a number of 64 bits; none where it is no constant.
static std::optional<uint64_t> constantOf(const Value *V, Extension By) {
  const auto *C = dyn_cast<ConstantInt>(V);
  if (!C || C->getBitWidth() > 64)
    return std::nullopt;
  return By == Extension::Zero ? C->getZExtValue()
                               : static_cast<uint64_t>(C->getSExtValue());
}

AddressForms::Sum AddressForms::sumOf(Value *Integer, Extension By,
                                      unsigned Depth) const {
  if (std::optional<uint64_t> C = constantOf(Integer, By))
    return {*C, {}};
  Sum Leaf{0, {{Integer, By, 1}}};
  auto *I = dyn_cast<Operator>(Integer);
  if (!I || !Depth)
    return Leaf;
  auto Operand = [&](unsigned N) {
    return sumOf(I->getOperand(N), By, Depth - 1);
  };
  auto Scaled = [&](const Sum &S, uint64_t Factor) {
    Sum Result{S.Constant * Factor, {}};
    for (const AddressTerm &T : S.List)
      addTerm(Result.List, T, Factor);
    return Result;
  };
  auto Added = [&](Sum A, const Sum &B, uint64_t Factor) {
    A.Constant += Factor * B.Constant;
    for (const AddressTerm &T : B.List)
      addTerm(A.List, T, Factor);
    return A;
  };
  switch (I->getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt: {
    if (By != Extension::None)
      return Leaf;
    bool IsSigned = I->getOpcode() == Instruction::SExt ||
                    cast<PossiblyNonNegInst>(I)->hasNonNeg();
    return sumOf(I->getOperand(0), IsSigned ? Extension::Sign : Extension::Zero,
                 Depth - 1);
  }
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I)->isDisjoint())
      return Leaf;
    [[fallthrough]];
  case Instruction::Add:
    return commutesWith(By, *I) ? Added(Operand(0), Operand(1), 1) : Leaf;
  case Instruction::Sub:
    return commutesWith(By, *I) ? Added(Operand(0), Operand(1), -uint64_t(1))
                                : Leaf;
  case Instruction::Mul:
    if (std::optional<uint64_t> C = constantOf(I->getOperand(1), By);
        C && commutesWith(By, *I))
      return Scaled(Operand(0), *C);
    return Leaf;
  case Instruction::Shl:
    // Shifted into the sign, 1 is no power of two any more.
    if (std::optional<uint64_t> C = constantOf(I->getOperand(1), By);
        C && *C < I->getType()->getScalarSizeInBits() - 1 &&
        commutesWith(By, *I))
      return Scaled(Operand(0), uint64_t(1) << *C);
    return Leaf;
  default:
    return Leaf;
  }
}

AddressForm AddressForms::of(Value *Pointer) {
  if (auto Found = Known.find(Pointer); Found != Known.end())
    return Found->second;
  AddressForm Form;
  Form.Base = Pointer;
  auto *GEP = dyn_cast<GEPOperator>(Pointer);
  SmallMapVector<Value *, APInt, 4> Indices;
  APInt Constant(64, 0);
  if (GEP && GEP->getType()->isPointerTy() &&
      GEP->collectOffset(Layout, 64, Indices, Constant)) {
    Form = of(GEP->getPointerOperand());
    Form.Offset += Constant.getZExtValue();
    for (auto &[Index, Scale] : Indices) {
      unsigned Bits = Index->getType()->getScalarSizeInBits();
      if (Bits > 64)
        return Form = {Pointer, 0, {}};
      // An index of fewer bits counts as one with a sign.
      Sum S = sumOf(Index, Bits < 64 ? Extension::Sign : Extension::None,
                    MostDepth);
      Form.Offset += Scale.getZExtValue() * S.Constant;
      for (const AddressTerm &T : S.List)
        addTerm(Form.Terms, T, Scale.getZExtValue());
    }
    if (Form.Terms.size() > MostTerms)
      Form = {Pointer, 0, {}};
  }
  Known[Pointer] = Form;
  return Form;
}

} // namespace regdem
