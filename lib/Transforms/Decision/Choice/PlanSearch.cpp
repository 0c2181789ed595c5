//===- PlanSearch.cpp - try demotions from one start ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is tried, and what is not, was weighed on kernels of benchmarks/ and of
// benchmarks/real under caps under which clang's code spills:
// benchmarks/model/README.md, "Each move under a cap", has the figures.
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"

#include "SearchRules.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Model/BuildScore.h"
#include <tuple>

using namespace llvm;

namespace regdem {

const Move<PlanSearch> PlanSearch::Plans[] = {
    {"targets near the cap", &PlanSearch::near},
    {"lower targets", &PlanSearch::far},
    {"relief where slots are short", &PlanSearch::relieving},
};

const Move<PlanSearch> PlanSearch::WithoutSpill[] = {
    {"volatile accesses to slots", &PlanSearch::volatileSlots},
    {"odd targets", &PlanSearch::between},
};

/// A target that the code keeps to anyway demotes nothing: the least that does
/// stands for it.
BuildRecipe PlanSearch::plan(Strategy S, int Target) const {
  BuildRecipe R;
  R.What = Decision::Demote;
  R.MaxRegs = Start.MaxRegs;
  R.Rewrites = Start.Rewrites;
  R.Order = Start.Order;
  R.How = S;
  if (Start.PressureAfter)
    Target = std::min(Target, static_cast<int>(Start.PressureAfter) - 2);
  R.Target = clampTarget(Target);
  return R;
}

bool PlanSearch::add(ArrayRef<BuildRecipe> Wanted) {
  std::vector<BuildRecipe> New;
  for (const BuildRecipe &R : Wanted)
    if (!isKnownPlan(R, List) && !is_contained(New, R))
      New.push_back(R);
  return New.empty() || Add(New);
}

/// Of Plans, the best of each strategy, the best strategies first.
static std::vector<Build> bestOfStrategies(ArrayRef<Build> Plans) {
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
  std::vector<Build> Result;
  for (size_t I : Best)
    if (Result.size() != Tuned.StrategiesTriedAgain)
      Result.push_back(Plans[I]);
  return Result;
}

const Build &PlanSearch::best() const {
  return List[bestByFigures(List, First)];
}

std::vector<BuildRecipe>
PlanSearch::steps(std::initializer_list<PlanStep> Steps) const {
  std::vector<BuildRecipe> Wanted;
  for (auto [How, Distance] : Steps)
    Wanted.push_back(plan(How, static_cast<int>(Start.MaxRegs) + Distance));
  return Wanted;
}

/// ptxas's estimate of pressure and ours differ by up to about ten registers
/// either way, and a plan below the cap leaves ptxas room to schedule.
std::vector<BuildRecipe> PlanSearch::near() {
  return steps({{Strategy::Resident, 0},
                {Strategy::Resident, -4},
                {Strategy::Rotating, -4}});
}

/// Plans for lower targets move more words. They follow where these may take
/// spill code away or give registers to loads.
std::vector<BuildRecipe> PlanSearch::far() {
  const Build &Near = best();
  if (!Near.spillBytes() && !missingWordsInFlight(Near) &&
      Near.Target >= Start.MaxRegs)
    return {};
  return steps({{Strategy::Resident, -8}, {Strategy::Rotating, -8}});
}

/// Where slots are short for the best plan, tries which part of a plan they are
/// to serve; once for a kernel.
std::vector<BuildRecipe> PlanSearch::relieving() {
  if (plans().empty() || !best().spillBytes() ||
      best().PressureAfter <= best().Target || any_of(List, [](const Build &V) {
        return V.What == Decision::Demote && V.How == Strategy::Relieving;
      }))
    return {};
  return steps({{Strategy::Relieving, 0},
                {Strategy::Relieving, -4},
                {Strategy::Relieving, -8},
                {Strategy::Relieving, -12}});
}

/// Whether V's figures are not much worse than Like's.
static bool isNear(const Build &V, const Build &Like) {
  return !isLessBy(Tuned.Relief, scoreOf(Like), scoreOf(V));
}

/// What Like, a plan, is to be built as for a target that is Distance away.
static BuildRecipe planLike(const Build &Like, int Distance,
                            bool VolatileSlots) {
  BuildRecipe R = Like.recipe();
  R.VolatileSlots = VolatileSlots;
  R.Target = clampTarget(static_cast<int>(Like.Target) + Distance);
  return R;
}

/// Whether more registers are not what V, which spills, is short of: with its
/// slots it keeps to its target, or nearly so.
static bool isNearlyEnough(const Build &V) {
  return V.PressureAfter <= V.Target || V.spillBytes() <= Tuned.LittleSpill;
}

/// The best plans with volatile accesses. blake2b under 64 registers keeps
/// words of its message in slots and reloads them in each round; ptxas takes
/// the first reload for all of them and spills 296 bytes, with volatile
/// accesses none.
std::vector<BuildRecipe> PlanSearch::volatileSlots() {
  std::vector<BuildRecipe> Wanted;
  for (const Build &V : bestOfStrategies(plans()))
    if (isNearlyEnough(V))
      Wanted.push_back(planLike(V, 0, /*VolatileSlots=*/true));
  return Wanted;
}

/// Where plans leave few bytes, and those that leave nothing, if any, have far
/// worse figures, targets between those of the one that leaves fewest and its
/// neighbours: what ptxas makes of a word more or less is hard to tell. lu8
/// under 64 registers spills 8 bytes or more for 56, 54 and 52 words, and
/// nothing for 55.
std::vector<BuildRecipe> PlanSearch::between() {
  auto Rank = [](const Build &V) {
    return std::make_tuple(V.spillBytes(), scoreOf(V));
  };
  const Build *Nearest = nullptr;
  for (const Build &V : plans()) {
    if (!V.spillBytes() && isNear(V, best()))
      return {};
    if (V.spillBytes() && V.spillBytes() <= Tuned.LittleSpill &&
        (!Nearest || Rank(V) < Rank(*Nearest)))
      Nearest = &V;
  }
  std::vector<BuildRecipe> Wanted;
  for (int Distance : {1, -1, -3})
    if (Nearest)
      Wanted.push_back(planLike(*Nearest, Distance, /*VolatileSlots=*/false));
  return Wanted;
}

bool PlanSearch::tryWithoutSpill(size_t FirstPlan) {
  First = FirstPlan;
  return !best().spillBytes() || tryInTurn<PlanSearch>(*this, WithoutSpill);
}

bool PlanSearch::tryAll(const Build &From) {
  Start = From;
  First = List.size();
  return tryInTurn<PlanSearch>(*this, Plans);
}

bool PlanSearch::tryBestOf(size_t FirstPlan, const Build &From) {
  Start = From;
  First = FirstPlan;
  std::vector<BuildRecipe> Wanted;
  for (const Build &V : bestOfStrategies(plans()))
    Wanted.push_back(plan(V.How, static_cast<int>(V.Target)));
  return add(Wanted);
}

} // namespace regdem
