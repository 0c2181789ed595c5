//===- AddressChecker.cpp - whether two addresses are the same ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressChecker.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Operator.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

/// A random number of Bits bits, below 2^Most.
APInt AddressChecker::leaf(unsigned Bits, unsigned Most) {
  Random ^= Random << 13; // Marsaglia, "Xorshift RNGs", 2003.
  Random ^= Random >> 7;
  Random ^= Random << 17;
  return APInt(64, Random >> (64 - std::min(Most, Bits))).zextOrTrunc(Bits);
}

std::optional<APInt> AddressChecker::element(Operator &I, unsigned N) {
  std::optional<APInt> Address = compute(I.getOperand(0), N);
  for (auto Type = gep_type_begin(I), End = gep_type_end(I);
       Address && Type != End; ++Type) {
    Value *Index = Type.getOperand();
    if (StructType *Struct = Type.getStructTypeOrNull()) {
      uint64_t Field = cast<ConstantInt>(Index)->getZExtValue();
      *Address += Layout.getStructLayout(Struct)->getElementOffset(Field);
      continue;
    }
    std::optional<APInt> Number = compute(Index, N);
    if (!Number)
      return std::nullopt;
    *Address += Number->sextOrTrunc(64) *
                Type.getSequentialElementStride(Layout).getFixedValue();
  }
  return Address;
}

/// The result of I, arithmetic on integers, in run N; none where an operand has
/// none or where I overflows though it must not.
std::optional<APInt> AddressChecker::apply(Operator &I, unsigned N) {
  SmallVector<APInt, 2> In;
  for (Value *Operand : I.operands()) {
    std::optional<APInt> V = compute(Operand, N);
    if (!V)
      return std::nullopt;
    In.push_back(*V);
  }
  bool Signed = false, Unsigned = false;
  unsigned Bits = I.getType()->getIntegerBitWidth();
  const auto *Flags = dyn_cast<OverflowingBinaryOperator>(&I);
  auto Unless = [&](const APInt &Result) {
    bool Overflows = Flags && ((Flags->hasNoSignedWrap() && Signed) ||
                               (Flags->hasNoUnsignedWrap() && Unsigned));
    return Overflows ? std::nullopt : std::optional(Result);
  };
  switch (I.getOpcode()) {
  case Instruction::Add:
    (void)In[0].sadd_ov(In[1], Signed);
    return Unless(In[0].uadd_ov(In[1], Unsigned));
  case Instruction::Sub:
    (void)In[0].ssub_ov(In[1], Signed);
    return Unless(In[0].usub_ov(In[1], Unsigned));
  case Instruction::Mul:
    (void)In[0].smul_ov(In[1], Signed);
    return Unless(In[0].umul_ov(In[1], Unsigned));
  case Instruction::Shl:
    if (In[1].uge(Bits))
      return std::nullopt;
    (void)In[0].sshl_ov(In[1], Signed);
    return Unless(In[0].ushl_ov(In[1], Unsigned));
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(I).isDisjoint() && In[0].intersects(In[1]))
      return std::nullopt;
    return In[0] | In[1];
  case Instruction::SExt:
    return In[0].sext(Bits);
  default: // ZExt.
    if (cast<PossiblyNonNegInst>(I).hasNonNeg() && In[0].isNegative())
      return std::nullopt;
    return In[0].zext(Bits);
  }
}

/// V in run N.
std::optional<APInt> AddressChecker::compute(Value *V, unsigned N) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue();
  if (auto Known = Runs[N].find(V); Known != Runs[N].end())
    return Known->second;
  auto *I = dyn_cast<Operator>(V);
  std::optional<APInt> Result;
  switch (I ? I->getOpcode() : 0) {
  case Instruction::GetElementPtr:
    Result = element(*I, N);
    break;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::Or:
  case Instruction::SExt:
  case Instruction::ZExt:
    Result = apply(*I, N);
    break;
  default:
    Result = V->getType()->isPointerTy()
                 ? leaf(64, 64)
                 : leaf(V->getType()->getIntegerBitWidth(), LeafBits[N]);
  }
  Runs[N][V] = Result;
  return Result;
}

void AddressChecker::startBlock() {
  std::fill(std::begin(IsOver), std::end(IsOver), false);
}

Error AddressChecker::compare(Value *Old, Value *New) {
  for (unsigned N = 0; N != std::size(LeafBits); ++N) {
    if (IsOver[N])
      continue;
    std::optional<APInt> Before = compute(Old, N);
    if (!Before)
      IsOver[N] = true;
    else if (Before != compute(New, N))
      return createStringError(
          "internal error: an access has another address than before");
  }
  return Error::success();
}

} // namespace regdem
