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

using namespace llvm;

namespace regdem {

const Move<PlanSearch> PlanSearch::Plans[] = {
    {"targets near the cap", &PlanSearch::near},
    {"lower targets", &PlanSearch::far},
    {"relief where slots are short", &PlanSearch::relieving},
    {"volatile accesses to slots", &PlanSearch::volatileSlots},
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
/// to serve.
std::vector<BuildRecipe> PlanSearch::relieving() {
  if (!best().spillBytes() || best().PressureAfter <= best().Target)
    return {};
  return steps({{Strategy::Relieving, 0},
                {Strategy::Relieving, -4},
                {Strategy::Relieving, -8},
                {Strategy::Relieving, -12}});
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
  if (!best().spillBytes())
    return Wanted;
  for (const Build &V : bestOfStrategies(plans()))
    if (isNearlyEnough(V))
      Wanted.emplace_back(V.recipe()).VolatileSlots = true;
  return Wanted;
}

bool PlanSearch::tryAll() { return tryInTurn<PlanSearch>(*this, Plans); }

} // namespace regdem
