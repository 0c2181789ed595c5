//===- CapChoice.cpp - choose among builds under one cap ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CapChoice.h"

#include "SearchRules.h"
#include "regdem/Decision/Model/VariantScore.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace llvm;

namespace regdem {

/// Demotions that are predicted. Over 114 cells on an H200 the choice takes
/// 1.023 times as long as the fastest build with one, 1.020 with two, 1.018
/// with three, and no less with more of them.
static constexpr size_t MostDemotions = 3;

/// Builds without demotion that are predicted besides the one that the search
/// starts from.
static constexpr size_t MostRivals = 3;

/// Share of the cap's predicted time that a demotion must gain on it if it
/// spills on, or if the cap alone spills nothing. Demotions that differ less
/// count as equal, so that the one without local spill is taken. On an H200
/// that decides eleven cells, where it is 1.017 times as fast as the cap (1.00
/// to 1.06) or the demotion that spills (0.97 to 1.03). ptxas's own spilling
/// without local spill is not worth as much: where it is predicted to be up to
/// 1 % slower than the cap it is 0.5 to 9 % slower.
static constexpr double DemotionMargin = 0.02;

/// Share of the predicted time of all others that a build without demotion and
/// in another order than the source's must gain if it spills on. On an H200
/// smith_waterman gains 0.3 % by prediction under 64 registers and takes 1.05
/// times as long; bvh and xs_lookup under 32 gain 3 % and take 0.94 and 0.96
/// times as long.
static constexpr double OrderMargin = 0.01;

/// The same where it spills more than stays in L1. sgemm16 gains 7 % by
/// prediction under 96 registers and takes 1.27 times as long; with 8.7 % under
/// 168 it takes 0.87 times as long, flash with 10 % under 96 0.91 times.
static constexpr double OrderMarginBeyondL1 = 0.08;

/// Whether V takes off local memory at least a tenth of what Base spills. Less
/// does not make up for the L1 that slots take from all the other words, which
/// is more than the prediction sees: of 83 such builds in these cells with a
/// third of Base's L1 or less, 72 were slower than Base, by up to a third.
static bool relieves(const Variant &V, const Variant &Base) {
  return uint64_t(V.spillBytes()) * 10 <= uint64_t(Base.spillBytes()) * 9;
}

/// Of Demoted, sorted by figures, the first without local spill, unless its
/// figures are worse than those of the first by more than a tenth. Such a one
/// takes far more of L1: spline3d under 48 registers is predicted to gain by it
/// and loses 7 %.
static std::optional<size_t> firstWithoutSpill(ArrayRef<Variant> List,
                                               ArrayRef<size_t> Demoted) {
  for (size_t I : Demoted)
    if (!List[I].spillBytes())
      return uint64_t(List[I].Score) * 10 <=
                     uint64_t(List[Demoted.front()].Score) * 11
                 ? std::optional(I)
                 : std::nullopt;
  return std::nullopt;
}

/// Whether V spills in another order than the source's.
static bool spillsInNewOrder(const Variant &V) {
  return V.Order != InstOrder::Source && V.spillBytes();
}

bool overflowsL1InNewOrder(const Variant &V) {
  return spillsInNewOrder(V) && !spillsStayInL1(V);
}

/// Whether V is in another order than Base or other passes are left out of it.
static bool isRival(const Variant &V, const Variant &Base) {
  return V.Order != Base.Order || V.Rewrites != Base.Rewrites;
}

std::vector<size_t> plainRivals(ArrayRef<Variant> List, size_t Base) {
  std::vector<size_t> All, Result;
  bool IsPlain =
      List[Base].Order == InstOrder::Source && !any(List[Base].Rewrites);
  if (IsPlain && !List[Base].spillBytes())
    return Result;
  for (size_t I = 0; I != List.size(); ++I) {
    const Variant &V = List[I];
    if (V.What != Decision::Demote && !V.SmemSpilling &&
        V.MaxRegs == List[Base].MaxRegs && V.BlocksPerSM &&
        V.Score <= List[Base].Score &&
        has(V.Rewrites, Rewrite::FoldCopies) >=
            has(List[Base].Rewrites, Rewrite::FoldCopies))
      All.push_back(I);
  }
  sortByFigures(List, All);
  for (size_t I : All)
    if (Result.size() != MostRivals && !haveSameFigures(List[I], List[Base]) &&
        none_of(Result,
                [&](size_t R) { return haveSameFigures(List[I], List[R]); }))
      Result.push_back(I);
  return Result;
}

std::vector<size_t> finalists(ArrayRef<Variant> List, size_t Base,
                              const Objective &Goal) {
  std::vector<size_t> Result = {Base}, Demoted, Spilling;
  if (!List[Base].BlocksPerSM)
    return Result;
  for (size_t I = 0; I != List.size(); ++I) {
    const Variant &V = List[I];
    bool IsBetter = V.Score < List[Base].Score;
    bool SavesAll = !V.spillBytes() && List[Base].spillBytes();
    if (!V.BlocksPerSM || !(IsBetter || SavesAll))
      continue;
    if (!V.SmemSpilling && V.What == Decision::Demote &&
        relieves(V, List[Base]))
      Demoted.push_back(I);
    else if (V.SmemSpilling && IsBetter && V.BlocksPerSM >= Goal.BlocksPerSM)
      Spilling.push_back(I);
  }
  sortByFigures(List, Demoted);
  std::optional<size_t> WithoutSpill = firstWithoutSpill(List, Demoted);
  for (size_t I : Demoted) {
    if (I != WithoutSpill &&
        (List[I].Score >= List[Base].Score || Result.size() > MostDemotions))
      continue;
    if (none_of(Result, [&](size_t Other) {
          return haveSameFigures(List[I], List[Other]);
        }))
      Result.push_back(I);
  }
  append_range(Result, Spilling);
  append_range(Result, plainRivals(List, Base));
  erase_if(Result, [&](size_t I) {
    return List[I].What != Decision::Demote && isRival(List[I], List[Base]) &&
           overflowsL1InNewOrder(List[I]);
  });
  return Result;
}

size_t fastestUnderCap(ArrayRef<Variant> List, ArrayRef<size_t> Indices) {
  auto Fastest = [&](function_ref<bool(const Variant &)> IsWanted) {
    std::optional<size_t> Best;
    for (size_t I : Indices)
      if (IsWanted(List[I]) && (!Best || List[I].Cycles < List[*Best].Cycles))
        Best = I;
    return Best;
  };
  auto IsFasterBy = [List](double Margin, std::optional<size_t> I,
                           std::optional<size_t> Than) {
    return I && (!Than || List[*I].Cycles < List[*Than].Cycles * (1 - Margin));
  };
  const Variant &Base = List[Indices.front()];
  auto IsRivals = [&Base](const Variant &V) {
    return V.What == Decision::Pragma && isRival(V, Base);
  };
  std::optional<size_t> Best = Fastest([&](const Variant &V) {
    return V.What != Decision::Demote && !spillsInNewOrder(V) && !IsRivals(V);
  });
  std::optional<size_t> Demoted =
      Fastest([](const Variant &V) { return V.What == Decision::Demote; });
  if (IsFasterBy(DemotionMargin, Demoted, Best))
    Best = Demoted;
  std::optional<size_t> WithoutSpill = Fastest([](const Variant &V) {
    return V.What == Decision::Demote && !V.spillBytes();
  });
  double Loss = Best == Demoted ? DemotionMargin : 0;
  if (Best && List[*Best].spillBytes() && IsFasterBy(-Loss, WithoutSpill, Best))
    Best = WithoutSpill;
  std::optional<size_t> Rival = Fastest(
      [&](const Variant &V) { return IsRivals(V) && !spillsInNewOrder(V); });
  if (IsFasterBy(0, Rival, Best))
    Best = Rival;
  for (bool BeyondL1 : {false, true}) {
    std::optional<size_t> Reordered = Fastest([BeyondL1](const Variant &V) {
      return V.What != Decision::Demote && spillsInNewOrder(V) &&
             overflowsL1InNewOrder(V) == BeyondL1;
    });
    if (IsFasterBy(BeyondL1 ? OrderMarginBeyondL1 : OrderMargin, Reordered,
                   Best))
      Best = Reordered;
  }
  return *Best;
}

} // namespace regdem
