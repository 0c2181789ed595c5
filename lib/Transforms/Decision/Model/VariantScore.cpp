//===- VariantScore.cpp - rank variants under one cap ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under one cap, variants differ in what they move and in what they leave to
// the scheduler of ptxas. On an H200, over 17 cells of the demo kernels with
// up to 20 plans each (benchmarks/kernels, caps 32 to 64), four things told
// fast plans from slow ones:
//
//  - Words that go to local memory cost about twice those that go to a slot
//    while L1 holds them, and several times as much once it does not: the
//    stencil of order 12 under 32 registers takes 2.9 ms with 400 bytes of
//    spill code and 0.64 ms with 80.
//  - A plan that uses the cap up makes ptxas wait for each load before the
//    next: the 3D stencil of order 8 under 40 registers takes 0.48 ms with a
//    plan for 40 words and 0.28 ms with one for 28, spilling in neither.
//    Where ptxas spills, it has already traded registers for loads in flight,
//    and half as much is lost.
//  - An L1 below 32 KB stalls kernels that load much in their hot code: the
//    stencil of order 12 under 40 registers takes 0.37 ms with a carve-out of
//    196 KB and 0.53 ms with 228 KB.
//  - All else equal, fewer accesses to slots win.
//
// What ptxas itself spills to shared memory is not among its figures. The words
// that leave its local spill are taken for accesses to slots. Over the 114
// measured cells (benchmarks/results/nvidia-h200) this takes ptxas's way in 31:
// 17 are over 1 % faster for it, 9 slower, 1.035 times as fast in all. Weights
// from 0.5 to 2 for such a word change the outcome by 0.1 % at most.
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/VariantScore.h"

#include "regdem/Constants.h"
#include <algorithm>
#include <tuple>

namespace regdem {

namespace {

/// Recomputations that cost as much as a word moved to or from a slot: an SM
/// does arithmetic for 64 lanes or more in a cycle, and moves 32 words.
constexpr unsigned RecomputationsPerWord = 2;
/// Below it, an L1 stalls hot code that loads much: so many loads.
constexpr unsigned SmallL1Bytes = 32 * 1024, ManyLoads = 4;

} // namespace

bool spillsStayInL1(const Variant &V) {
  return V.SpillFootprint <= V.L1Bytes / 2;
}

unsigned spilledWordCost(const Variant &V) {
  return spillsStayInL1(V) ? Tuned.SpilledWord : Tuned.SpilledWordBeyondL1;
}

void scoreSmemSpilling(Variant &V, const Variant &Without) {
  if (V.spillBytes() < Without.spillBytes())
    V.SlotAccesses += (Without.spillBytes() - V.spillBytes()) / 4;
  V.Score = scoreVariant(V);
}

bool haveSameFigures(const Variant &A, const Variant &B) {
  auto Figures = [](const Variant &V) {
    return std::make_tuple(V.Regs, V.SpillStoreBytes, V.SpillLoadBytes,
                           V.StaticShared, V.SlotAccesses, V.Recomputations,
                           V.PressureAfter);
  };
  return Figures(A) == Figures(B);
}

bool hasBetterFigures(const Variant &A, const Variant &B) {
  return std::make_tuple(A.Score, A.StaticShared, B.Target, A.UpTo) <
         std::make_tuple(B.Score, B.StaticShared, A.Target, B.UpTo);
}

unsigned missingWordsInFlight(const Variant &V) {
  unsigned Wanted = std::min(V.WordsInFlight, Tuned.MostInFlight);
  unsigned Spare =
      V.MaxRegs > V.PressureAfter ? V.MaxRegs - V.PressureAfter : 0;
  return Wanted > Spare ? Wanted - Spare : 0;
}

unsigned scoreVariant(const Variant &V) {
  unsigned SpillBytes = V.spillBytes();
  unsigned Score = SpillBytes / 4 * spilledWordCost(V) + V.SlotAccesses +
                   V.Recomputations / RecomputationsPerWord;
  if (SpillBytes)
    Score += Tuned.AnySpill;
  if (V.WordsInFlight >= ManyLoads && V.L1Bytes < SmallL1Bytes &&
      (V.What == Decision::Demote || V.SmemSpilling))
    Score += Tuned.SmallL1;
  if (V.What != Decision::Demote)
    return Score;
  return Score + missingWordsInFlight(V) * Tuned.MissingWordInFlight /
                     (SpillBytes ? 2 : 1);
}

} // namespace regdem
