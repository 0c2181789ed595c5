//===- PlanSearch.cpp - try demotions from one start ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is tried, and what is not, was weighed on the cells of benchmarks/ in
// which clang's code spills under a cap and words fit into shared memory. In
// 256 of them each kind of plan here was chosen at least seven times, but for
// those of another start, which keep one kernel under 32 registers from 1.37 of
// its predicted time. A target of twelve words below the cap was the best in
// none, and none of 270 plans near another start's best ones was better.
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"

#include "SearchRules.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Model/VariantScore.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace regdem {

/// Plans that are tried first: ptxas's estimate of pressure and ours differ by
/// up to about ten registers either way, and a plan below the cap leaves ptxas
/// room to schedule.
static constexpr PlanStep NearSteps[] = {{Strategy::Resident, 0},
                                         {Strategy::Resident, -4},
                                         {Strategy::Rotating, -4}};
/// Those for lower targets move more words. They follow where these may take
/// spill code away or give registers to loads.
static constexpr PlanStep FarSteps[] = {{Strategy::Resident, -8},
                                        {Strategy::Rotating, -8}};
static constexpr PlanStep RelievingSteps[] = {{Strategy::Relieving, 0},
                                              {Strategy::Relieving, -4},
                                              {Strategy::Relieving, -8},
                                              {Strategy::Relieving, -12}};
/// Distances from the best target of those that are tried next.
static constexpr int FineSteps[] = {2, -2};
/// How much lower targets are that may save what little spill code is left.
static constexpr int LowerStep = -4;
/// Distances of targets that no other step comes to, from that of a plan that
/// leaves few bytes.
static constexpr int OddSteps[] = {1, -1, -3};
/// A target that the code keeps to anyway demotes nothing: the least that does
/// stands for it.
Variant PlanSearch::plan(Strategy S, int Target) const {
  Variant V;
  V.What = Decision::Demote;
  V.MaxRegs = Start.MaxRegs;
  V.Rewrites = Start.Rewrites;
  V.Order = Start.Order;
  V.How = S;
  V.UpTo = UpTo;
  if (Start.PressureAfter)
    Target = std::min(Target, static_cast<int>(Start.PressureAfter) - 2);
  V.Target = clampTarget(Target);
  return V;
}

/// Builds the plans of Wanted that are new.
bool PlanSearch::add(ArrayRef<Variant> Wanted) {
  std::vector<Variant> New;
  for (const Variant &V : Wanted)
    if (!isKnownPlan(V, List) && none_of(New, [&V](const Variant &Other) {
          return V.recipe() == Other.recipe();
        }))
      New.push_back(V);
  return New.empty() || Add(New);
}

/// Of Plans, the best of each strategy, the best strategies first.
static std::vector<Variant> bestOfStrategies(ArrayRef<Variant> Plans) {
  SmallVector<size_t, 3> Best;
  for (size_t I = 0; I != Plans.size(); ++I) {
    auto *Same = find_if(
        Best, [&](size_t Other) { return Plans[Other].How == Plans[I].How; });
    if (Same == Best.end())
      Best.push_back(I);
    else if (hasBetterFigures(Plans[I], Plans[*Same]))
      *Same = I;
  }
  sortByFigures(Plans, Best);
  std::vector<Variant> Result;
  for (size_t I : Best)
    if (Result.size() != Tuned.StrategiesTriedAgain)
      Result.push_back(Plans[I]);
  return Result;
}

/// Where slots are short for the best plan from First on, tries which part of
/// a plan they are to serve; once for a kernel.
bool PlanSearch::relieve(size_t First) {
  const Variant &Best = List[bestByFigures(List, First)];
  bool IsShort = Best.spillBytes() && Best.PressureAfter > Best.Target;
  if (!IsShort || any_of(List, [](const Variant &V) {
        return V.What == Decision::Demote && V.How == Strategy::Relieving;
      }))
    return true;
  return trySteps(RelievingSteps);
}

/// Tries targets near that of the best plan from First on. TryOther: where one
/// strategy cannot do without local spill, with another one, too.
bool PlanSearch::refine(size_t First, bool TryOther) {
  const Variant Best = List[bestByFigures(List, First)];
  auto Target = static_cast<int>(Best.Target);
  std::vector<Variant> Wanted;
  for (int Distance : FineSteps)
    Wanted.push_back(plan(Best.How, Target + Distance));
  if (TryOther && Best.spillBytes())
    for (int Distance : FineSteps)
      Wanted.push_back(plan(otherStrategy(Best.How), Target + Distance - 2));
  return add(Wanted);
}

std::optional<Home> PlanSearch::fewerHomes(size_t First) const {
  ArrayRef<Variant> Last = plansFrom(First);
  for (Home Fewer : {Home::Recomputation, Home::ThreadSlot})
    if (UpTo > Fewer && any_of(Last, [Fewer](const Variant &V) {
          return usesHomesBeyond(V, Fewer);
        }))
      return Fewer;
  return std::nullopt;
}

/// Whether V's figures are not much worse than Like's.
static bool isNear(const Variant &V, const Variant &Like) {
  return !isLessBy(Tuned.Relief, Like.Score, V.Score);
}

/// Where plans from First on use homes besides slots, tries the best of them
/// with fewer homes: what else a plan uses in the place of slots is not always
/// better.
bool PlanSearch::tryFewerHomes(size_t First) {
  while (std::optional<Home> Fewer = fewerHomes(First)) {
    UpTo = *Fewer;
    std::vector<Variant> Best = bestOfStrategies(plansFrom(First));
    First = List.size();
    for (const Variant &V : Best) {
      bool IsFirst = First == List.size();
      if (!add(plan(V.How, static_cast<int>(V.Target))))
        return false;
      if (IsFirst && First != List.size() && !isNear(List[First], V))
        return true;
    }
    if (First == List.size())
      return true; // The best plans do not use these homes.
    if (!relieve(First) || !refine(First, /*TryOther=*/false))
      return false;
  }
  return true;
}

/// Builds the plans of Steps for the homes allowed now.
bool PlanSearch::trySteps(ArrayRef<PlanStep> Steps) {
  std::vector<Variant> Wanted;
  for (auto [How, Distance] : Steps)
    Wanted.push_back(plan(How, static_cast<int>(Start.MaxRegs) + Distance));
  return add(Wanted);
}

/// What Like, a plan, is to be built as for a target that is Distance away.
static Variant planLike(const Variant &Like, int Distance, bool VolatileSlots) {
  Variant V;
  V.recipe() = Like.recipe();
  V.VolatileSlots = VolatileSlots;
  V.Target = clampTarget(static_cast<int>(Like.Target) + Distance);
  return V;
}

/// Whether more registers are not what V, which spills, is short of: with its
/// slots it keeps to its target, or nearly so.
static bool isNearlyEnough(const Variant &V) {
  return V.PressureAfter <= V.Target || V.spillBytes() <= Tuned.LittleSpill;
}

/// Tries the best plans from First on with volatile accesses and, if one of
/// them leaves less spill code for it, but some, plans near it. blake2b under
/// 64 registers keeps words of its message in slots and reloads them in each
/// round; ptxas takes the first reload for all of them and spills 296 bytes,
/// with volatile accesses none.
bool PlanSearch::tryVolatile(size_t First) {
  std::vector<Variant> Wanted;
  for (const Variant &V : bestOfStrategies(plansFrom(First)))
    if (isNearlyEnough(V))
      Wanted.push_back(planLike(V, 0, /*VolatileSlots=*/true));
  unsigned Before = List[bestByFigures(List, First)].spillBytes();
  size_t Next = List.size();
  if (!add(Wanted))
    return false;
  if (Next == List.size())
    return true;
  const Variant Best = List[bestByFigures(List, Next)];
  if (!Best.spillBytes() || Best.spillBytes() >= Before)
    return true;
  Wanted.clear();
  for (int Distance : FineSteps)
    Wanted.push_back(planLike(Best, Distance, /*VolatileSlots=*/true));
  return add(Wanted);
}

/// Where plans from First on leave few bytes, and those that leave nothing, if
/// any, have far worse figures, tries targets between those of the one that
/// leaves fewest and its neighbours: what ptxas makes of a word more or less is
/// hard to tell. lu8 under 64 registers spills 8 bytes or more for 56, 54 and
/// 52 words, and nothing for 55.
bool PlanSearch::tryBetween(size_t First) {
  const Variant &Best = List[bestByFigures(List, First)];
  auto Rank = [](const Variant &V) {
    return std::make_tuple(V.spillBytes(), V.Score);
  };
  const Variant *Nearest = nullptr;
  for (const Variant &V : plansFrom(First)) {
    if (!V.spillBytes() && isNear(V, Best))
      return true;
    if (V.spillBytes() && V.spillBytes() <= Tuned.LittleSpill &&
        (!Nearest || Rank(V) < Rank(*Nearest)))
      Nearest = &V;
  }
  if (!Nearest)
    return true;
  std::vector<Variant> Wanted;
  for (int Distance : OddSteps)
    Wanted.push_back(planLike(*Nearest, Distance, /*VolatileSlots=*/false));
  return add(Wanted);
}

/// Where plans from First on leave few bytes and none leaves nothing, tries
/// lower targets for the best of them.
bool PlanSearch::tryLower(size_t First) {
  std::vector<Variant> Near;
  for (const Variant &V : plansFrom(First)) {
    if (!V.spillBytes())
      return true;
    if (V.spillBytes() <= Tuned.LittleSpill)
      Near.push_back(V);
  }
  std::vector<Variant> Wanted;
  for (const Variant &V : bestOfStrategies(Near)) {
    if (Wanted.empty())
      Wanted.push_back(planLike(V, LowerStep, V.VolatileSlots));
    Wanted.push_back(planLike(V, 2 * LowerStep, /*VolatileSlots=*/true));
  }
  return add(Wanted);
}

bool PlanSearch::tryWithoutSpill(size_t First) {
  return !List[bestByFigures(List, First)].spillBytes() ||
         (tryVolatile(First) && tryBetween(First) && tryLower(First));
}

bool PlanSearch::tryAll(const Variant &From) {
  Start = From;
  UpTo = AnyHome;
  size_t First = List.size();
  if (!trySteps(NearSteps))
    return false;
  const Variant &Near = List[bestByFigures(List, First)];
  bool IsEnough = !Near.spillBytes() && !missingWordsInFlight(Near) &&
                  Near.Target >= Start.MaxRegs;
  if (!IsEnough && !trySteps(FarSteps))
    return false;
  return relieve(First) && refine(First, /*TryOther=*/true) &&
         tryFewerHomes(First);
}

bool PlanSearch::tryBestOf(size_t First, const Variant &From) {
  Start = From;
  UpTo = AnyHome;
  std::vector<Variant> Wanted;
  for (const Variant &V : bestOfStrategies(plansFrom(First)))
    Wanted.push_back(plan(V.How, static_cast<int>(V.Target)));
  return add(Wanted);
}

} // namespace regdem
