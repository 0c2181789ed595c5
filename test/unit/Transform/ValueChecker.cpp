//===- ValueChecker.cpp - whether two values are the same -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueChecker.h"

#include "Transform/ConstantArithmetic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regdem::test {

/// A random value for V.
APInt ValueChecker::leaf(Value *V, unsigned N) {
  Random ^= Random << 13; // Marsaglia, "Xorshift RNGs", 2003.
  Random ^= Random >> 7;
  Random ^= Random << 17;
  if (V->getType()->isPointerTy())
    return APInt(64, Random);
  unsigned Bits = V->getType()->getIntegerBitWidth();
  APInt Value(64, Random >> (64 - std::min(LeafBits[N], Bits)));
  KnownBits Known = computeKnownBits(V, Layout);
  return (Value.zextOrTrunc(Bits) & ~Known.Zero) | Known.One;
}

std::optional<APInt> ValueChecker::element(Operator &I, unsigned N,
                                           unsigned Depth) {
  std::optional<APInt> Address = compute(I.getOperand(0), N, Depth + 1);
  for (auto Type = gep_type_begin(I), End = gep_type_end(I);
       Address && Type != End; ++Type) {
    Value *Index = Type.getOperand();
    if (StructType *Struct = Type.getStructTypeOrNull()) {
      uint64_t Field = cast<ConstantInt>(Index)->getZExtValue();
      *Address += Layout.getStructLayout(Struct)->getElementOffset(Field);
      continue;
    }
    std::optional<APInt> Number = compute(Index, N, Depth + 1);
    if (!Number)
      return std::nullopt;
    *Address += Number->sextOrTrunc(64) *
                Type.getSequentialElementStride(Layout).getFixedValue();
  }
  return Address;
}

/// The result of I, arithmetic on integers, in run N; none where an operand has
/// none or where I's flags say that they are not such.
std::optional<APInt> ValueChecker::apply(Operator &I, unsigned N,
                                         unsigned Depth) {
  SmallVector<APInt, 2> In;
  for (Value *Operand : I.operands()) {
    std::optional<APInt> V = compute(Operand, N, Depth + 1);
    if (!V)
      return std::nullopt;
    In.push_back(*V);
  }
  unsigned Bits = I.getType()->getIntegerBitWidth();
  if (isPoison(I, In))
    return std::nullopt;
  unsigned Opcode = I.getOpcode();
  // ConstantRange has a result of lshr for any number of bits.
  if (Instruction::isShift(Opcode) && In[1].uge(Bits))
    return std::nullopt;
  // Single numbers give a single one for each opcode that compute has here.
  ConstantRange First(In[0]);
  ConstantRange Result =
      Instruction::isBinaryOp(Opcode)
          ? First.binaryOp(static_cast<Instruction::BinaryOps>(Opcode), In[1])
          : First.castOp(static_cast<Instruction::CastOps>(Opcode), Bits);
  const APInt *Single = Result.getSingleElement();
  return Single ? std::optional(*Single) : std::nullopt;
}

/// V in run N.
std::optional<APInt> ValueChecker::compute(Value *V, unsigned N,
                                           unsigned Depth) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue();
  if (auto Known = Runs[N].find(V); Known != Runs[N].end())
    return Known->second;
  auto *I = dyn_cast<Operator>(V);
  std::optional<APInt> Result;
  Value *Whole;
  uint64_t Index;
  switch (I ? I->getOpcode() : 0) {
  case Instruction::GetElementPtr:
    Result = element(*I, N, Depth);
    break;
  case Instruction::ExtractElement:
    // Of a vector that an integer is seen as.
    if (match(V,
              m_ExtractElt(m_BitCast(m_Value(Whole)), m_ConstantInt(Index))) &&
        Whole->getType()->isIntegerTy()) {
      unsigned Bits = V->getType()->getIntegerBitWidth();
      if ((Result = compute(Whole, N, Depth + 1)))
        Result = Result->extractBits(Bits, Bits * Index);
    } else {
      Result = leaf(V, N);
    }
    break;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::Or:
  case Instruction::SExt:
  case Instruction::ZExt:
    Result = apply(*I, N, Depth);
    break;
  case Instruction::And:
  case Instruction::Xor:
  case Instruction::LShr:
  case Instruction::Trunc:
    // As far as value tracking looks: hashes have thousands in a row.
    Result =
        Depth <= MaxAnalysisRecursionDepth ? apply(*I, N, Depth) : leaf(V, N);
    break;
  default:
    Result = leaf(V, N);
  }
  Runs[N][V] = Result;
  return Result;
}

void ValueChecker::startBlock() {
  std::fill(std::begin(IsOver), std::end(IsOver), false);
}

Error ValueChecker::compare(Value *Old, Value *New) {
  for (unsigned N = 0; N != std::size(LeafBits); ++N) {
    if (IsOver[N])
      continue;
    std::optional<APInt> Before = compute(Old, N);
    if (!Before)
      IsOver[N] = true;
    else if (Before != compute(New, N))
      return createStringError(
          "internal error: a value is another one than before");
  }
  return Error::success();
}

} // namespace regdem::test
