//===- PointerRange.cpp - where a pointer into a variable can point -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/PointerRange.h"

#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace regdem {

/// Of all offsets; 32 bits would do for what fits into local memory.
static constexpr unsigned OffsetBits = 64;

static ConstantRange anyOffset() { return ConstantRange::getFull(OffsetBits); }

ConstantRange PointerRange::byEvolution(Value *V, Instruction *At) {
  const SCEV *Number = Evolution.getSCEV(V);
  ConstantRange Range = Evolution.getSignedRange(Number);
  if (const Loop *L = Loops.getLoopFor(At->getParent()))
    Range = Range.intersectWith(
        Evolution.getSignedRange(Evolution.applyLoopGuards(Number, L)));
  return Range;
}

ConstantRange PointerRange::number(Value *V, Instruction *At) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return ConstantRange(C->getValue());
  unsigned Bits = V->getType()->getIntegerBitWidth();
  ConstantRange Range =
      Values.getConstantRange(V, At, /*UndefAllowed=*/false)
          .intersectWith(byEvolution(V, At))
          .intersectWith(ConstantRange::fromKnownBits(
              computeKnownBits(V, Layout), /*IsSigned=*/true));
  // A guard may be about what is widened here.
  if (const auto *Cast = dyn_cast<CastInst>(V)) {
    Value *From = Cast->getOperand(0);
    if (isa<SExtInst>(Cast))
      return Range.intersectWith(number(From, At).signExtend(Bits));
    if (isa<ZExtInst>(Cast))
      return Range.intersectWith(number(From, At).zeroExtend(Bits));
  }
  return Range;
}

ConstantRange PointerRange::offset(Value *Pointer, Instruction *At) {
  if (isa<PHINode>(Pointer))
    At = nullptr; // Of no matter to what comes from other blocks.
  auto [Known, IsNew] = Offsets.try_emplace({Pointer, At}, anyOffset());
  if (!IsNew)
    return Known->second;
  ConstantRange Found = findOffset(Pointer, At);
  Offsets.find({Pointer, At})->second = Found;
  return Found;
}

ConstantRange PointerRange::findOffset(Value *Pointer, Instruction *At) {
  if (isa<AllocaInst>(Pointer))
    return ConstantRange(APInt(OffsetBits, 0));
  if (auto *Element = dyn_cast<GEPOperator>(Pointer)) {
    SmallMapVector<Value *, APInt, 4> Parts;
    APInt Constant(OffsetBits, 0);
    if (!Element->collectOffset(Layout, OffsetBits, Parts, Constant))
      return anyOffset();
    ConstantRange Sum =
        offset(Element->getPointerOperand(), At).add(ConstantRange(Constant));
    for (auto &[Index, Scale] : Parts) {
      if (!Index->getType()->isIntegerTy())
        return anyOffset();
      ConstantRange Each = number(Index, At).sextOrTrunc(OffsetBits);
      Sum = Sum.add(Each.smul_fast(ConstantRange(Scale)));
    }
    return Sum;
  }
  if (auto *Choice = dyn_cast<SelectInst>(Pointer))
    return offset(Choice->getTrueValue(), At)
        .unionWith(offset(Choice->getFalseValue(), At));
  if (auto *Joined = dyn_cast<PHINode>(Pointer)) {
    ConstantRange All = ConstantRange::getEmpty(OffsetBits);
    for (auto [Value, From] : zip(Joined->incoming_values(), Joined->blocks()))
      All = All.unionWith(offset(Value, From->getTerminator()));
    return All;
  }
  if (auto *Cast = dyn_cast<CastInst>(Pointer))
    if (Cast->getSrcTy()->isPointerTy())
      return offset(Cast->getOperand(0), At);
  return anyOffset();
}

} // namespace regdem
