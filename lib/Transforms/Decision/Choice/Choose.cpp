//===- Choose.cpp - the one comparison of builds --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Choose.h"

#include <algorithm>
#include <cassert>
#include <tuple>

using namespace llvm;

namespace regdem {

/// Recomputations that cost as much as a word moved to or from a slot: an SM
/// does arithmetic for 64 lanes or more in a cycle, and moves 32 words.
static constexpr unsigned RecomputationsPerWord = 2;

/// What V risks by the blocks per SM that it has.
static double riskOfBlocks(const Build &V, const Build &Base,
                           const Constants &C) {
  if (V.liftsLimit() || V.BlocksPerSM < Base.BlocksPerSM)
    return 0;
  double Lost = 0;
  if (V.LoneCycles && Base.LoneCycles)
    Lost = C.LoneWeight * (V.LoneCycles / Base.LoneCycles - 1);
  if (V.BlocksPerSM == Base.BlocksPerSM)
    return C.Margin + std::min(Lost, 0.0);
  bool TakesL1 = V.LoadsAreScattered && V.MovedBytes > Base.MovedBytes;
  double OnFullSM = TakesL1 || V.spillBytes() > Base.spillBytes()
                        ? C.SpillMargin
                        : C.MoreBlocksMargin;
  return OnFullSM + std::max(Lost, 0.0);
}

double riskOfWork(const Build &V, const Constants &C) {
  return has(V.Rewrites, Rewrite::UnrollLoops | Rewrite::InlineCalls)
             ? C.MoreBlocksMargin
             : 0;
}

double riskOf(const Build &V, const Build &Base, const Constants &C) {
  double Risk = std::max(riskOfBlocks(V, Base, C) + riskOfWork(V, C), 0.0);
  // The other half of L1 is left to the kernel's own data.
  if (V.Order != Base.Order && V.SpillFootprint > V.L1Bytes / 2)
    Risk = std::max(Risk, C.SpillMargin);
  return Risk;
}

double costOf(const Build &V, const Build &Base, const Constants &C) {
  return V.Cycles / Base.Cycles * (1 + riskOf(V, Base, C));
}

double marginOf(const Build &V, const Build &Base, const Constants &C) {
  double Risk = riskOf(V, Base, C);
  return Risk / (1 + Risk);
}

bool spillsBeyondL1(const Build &V, const Build &Base) {
  return !Base.spillBytes() && V.SpillFootprint > V.L1Bytes;
}

size_t chooseBuild(ArrayRef<Build> Builds, const Constants &C) {
  assert(!Builds.empty());
  const Build &Base = Builds.front();
  auto MayBeChosen = [&](size_t I) { return !spillsBeyondL1(Builds[I], Base); };
  auto Cost = [&](size_t I) { return I ? costOf(Builds[I], Base, C) : 1; };
  double Least = Cost(0);
  for (size_t I = 1; I != Builds.size(); ++I)
    if (MayBeChosen(I))
      Least = std::min(Least, Cost(I));

  auto Change = [&](size_t I) {
    const Build &V = Builds[I];
    int Regs = static_cast<int>(V.Regs);
    int Distance =
        V.MaxRegs ? std::abs(Regs - static_cast<int>(Base.Regs)) : -Regs;
    return std::make_tuple(V.spillBytes(), V.StaticShared, V.MaxRegs != 0,
                           Distance, V.Cycles);
  };
  size_t Best = 0;
  for (size_t I = 1; I != Builds.size(); ++I) {
    if (!MayBeChosen(I) || Cost(I) >= Cost(0) || Cost(I) > Least * (1 + C.Tie))
      continue;
    if (!Best || Change(I) < Change(Best))
      Best = I;
  }
  return Best;
}

bool haveSameFigures(const Build &A, const Build &B) {
  auto Figures = [](const Build &V) {
    return std::make_tuple(V.Regs, V.SpillStoreBytes, V.SpillLoadBytes,
                           V.StaticShared, V.SlotAccesses, V.Recomputations,
                           V.PressureAfter);
  };
  return Figures(A) == Figures(B);
}

bool hasBetterFigures(const Build &A, const Build &B) {
  return std::make_tuple(scoreOf(A), A.StaticShared, B.Target) <
         std::make_tuple(scoreOf(B), B.StaticShared, A.Target);
}

unsigned scoreOf(const Build &V) {
  return V.spillBytes() / 4 * Tuned.SpilledWord + V.SlotAccesses +
         V.Recomputations / RecomputationsPerWord;
}

} // namespace regdem
