//===- ArrayReach.cpp - what rewrites of arrays share ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayReach.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace regdem {

uint64_t unitOf(const LocalArray &Array) {
  uint64_t Unit = 8;
  auto Divide = [&Unit](uint64_t Bytes) { Unit = std::gcd(Unit, Bytes); };
  for (unsigned N = 1; N <= Array.Allocas.size(); ++N)
    Divide(Array.offsetOf(N));
  for (const ArrayAccess &A : Array.Accesses)
    Divide(A.Bytes);
  for (const Value *Pointer : Array.Pointers)
    if (const auto *Element = dyn_cast<GEPOperator>(Pointer)) {
      SmallMapVector<Value *, APInt, 4> Parts;
      APInt Constant(64, 0);
      const DataLayout &Layout =
          cast<Instruction>(Pointer)->getFunction()->getDataLayout();
      if (!Element->collectOffset(Layout, 64, Parts, Constant))
        return 1;
      Divide(Constant.abs().getZExtValue());
      for (const auto &[Index, Scale] : Parts)
        Divide(Scale.abs().getZExtValue());
    }
  return Unit;
}

bool isKnownPlace(const ArrayAccess &A) {
  return A.Index == IndexKind::Constant && A.Least == A.Most;
}

namespace {

/// Where Pointer may point, in bytes: Start and any multiple of Step further,
/// or before; one place where Step is 0.
struct Places {
  uint64_t Start = 0, Step = 0;
};

} // namespace

static std::optional<Places> placesOf(const Value *Pointer) {
  if (isa<AllocaInst>(Pointer))
    return Places();
  const auto *I = cast<Instruction>(Pointer);
  if (const auto *Cast = dyn_cast<CastInst>(I))
    return placesOf(Cast->getOperand(0));
  const auto *Element = dyn_cast<GEPOperator>(I);
  if (!Element)
    return std::nullopt; // One of several pointers.
  std::optional<Places> Found = placesOf(Element->getPointerOperand());
  const DataLayout &Layout = I->getFunction()->getDataLayout();
  SmallMapVector<Value *, APInt, 4> Parts;
  APInt Constant(64, 0);
  if (!Found || !Element->collectOffset(Layout, 64, Parts, Constant))
    return std::nullopt;
  Found->Start += Constant.getZExtValue(); // Wraps where it is negative.
  for (const auto &[Index, Scale] : Parts) {
    unsigned Zeros = computeKnownBits(Index, Layout).countMinTrailingZeros();
    uint64_t Step = Scale.abs().getZExtValue();
    Found->Step = std::gcd(
        Found->Step, Step << std::min<unsigned>(Zeros, countl_zero(Step)));
  }
  return Found;
}

Reach reachOf(const LocalArray &Array, const ArrayAccess &A, uint64_t Unit) {
  if (Array.Allocas.size() > 1)
    return {0, (Array.Bytes - A.Bytes) / Unit, 1};
  Reach R{A.Least / Unit, A.Most / Unit, 1};
  std::optional<Places> At = placesOf(A.Pointer);
  if (!At || At->Step <= Unit)
    return R;
  // All are multiples of Unit, as each part of the address is.
  auto Step = static_cast<int64_t>(At->Step / Unit);
  int64_t Start = static_cast<int64_t>(At->Start) / static_cast<int64_t>(Unit);
  int64_t Beyond = (static_cast<int64_t>(R.First) - Start) % Step;
  if (Beyond < 0)
    Beyond += Step;
  auto Before = static_cast<uint64_t>(Beyond ? Step - Beyond : 0);
  if (R.First + Before > R.Last)
    return R; // Never run.
  R.First += Before;
  R.Step = At->Step / Unit;
  R.Last -= (R.Last - R.First) % R.Step;
  return R;
}

void eraseLifetimes(const LocalArray &Array) {
  for (Value *Pointer : Array.Pointers)
    for (User *U : make_early_inc_range(Pointer->users()))
      if (auto *I = cast<Instruction>(U); I->isLifetimeStartOrEnd())
        I->eraseFromParent();
}

} // namespace regdem
