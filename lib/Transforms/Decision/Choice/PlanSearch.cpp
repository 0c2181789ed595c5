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
#include "regdem/Decision/Model/VariantScore.h"
#include <tuple>

using namespace llvm;

namespace regdem {

const Move<PlanSearch> PlanSearch::Plans[] = {
    {"targets near the cap", &PlanSearch::near},
    {"lower targets", &PlanSearch::far},
    {"relief where slots are short", &PlanSearch::relieving},
    {"the best with slots alone", &PlanSearch::slotsAlone,
     &PlanSearch::goByNew},
    {"relief with slots alone", &PlanSearch::relieving},
};

const Move<PlanSearch> PlanSearch::WithoutSpill[] = {
    {"volatile accesses to slots", &PlanSearch::volatileSlots},
    {"odd targets", &PlanSearch::between},
};

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

const Variant &PlanSearch::best() const {
  return List[bestByFigures(List, First)];
}

/// The plans of Steps for the homes allowed now.
std::vector<Variant>
PlanSearch::steps(std::initializer_list<PlanStep> Steps) const {
  std::vector<Variant> Wanted;
  for (auto [How, Distance] : Steps)
    Wanted.push_back(plan(How, static_cast<int>(Start.MaxRegs) + Distance));
  return Wanted;
}

/// ptxas's estimate of pressure and ours differ by up to about ten registers
/// either way, and a plan below the cap leaves ptxas room to schedule.
std::vector<Variant> PlanSearch::near() {
  return steps({{Strategy::Resident, 0},
                {Strategy::Resident, -4},
                {Strategy::Rotating, -4}});
}

/// Plans for lower targets move more words. They follow where these may take
/// spill code away or give registers to loads.
std::vector<Variant> PlanSearch::far() {
  const Variant &Near = best();
  if (!Near.spillBytes() && !missingWordsInFlight(Near) &&
      Near.Target >= Start.MaxRegs)
    return {};
  return steps({{Strategy::Resident, -8}, {Strategy::Rotating, -8}});
}

/// Where slots are short for the best plan, tries which part of a plan they are
/// to serve; once for a kernel.
std::vector<Variant> PlanSearch::relieving() {
  if (plans().empty() || !best().spillBytes() ||
      best().PressureAfter <= best().Target ||
      any_of(List, [](const Variant &V) {
        return V.What == Decision::Demote && V.How == Strategy::Relieving;
      }))
    return {};
  return steps({{Strategy::Relieving, 0},
                {Strategy::Relieving, -4},
                {Strategy::Relieving, -8},
                {Strategy::Relieving, -12}});
}

/// Whether V's figures are not much worse than Like's.
static bool isNear(const Variant &V, const Variant &Like) {
  return !isLessBy(Tuned.Relief, scoreOf(Like), scoreOf(V));
}

/// Where plans use homes besides slots, the best of them with slots alone: what
/// else a plan uses in the place of slots is not always better.
std::vector<Variant> PlanSearch::slotsAlone() {
  UpTo = Home::ThreadSlot;
  std::vector<Variant> Wanted;
  if (any_of(plans(),
             [this](const Variant &V) { return usesHomesBeyond(V, UpTo); }))
    for (const Variant &V : bestOfStrategies(plans()))
      Wanted.push_back(plan(V.How, static_cast<int>(V.Target)));
  return Wanted;
}

/// Goes on by the plans from New on unless they are much worse than the others.
void PlanSearch::goByNew(size_t New, size_t End) {
  bool IsWorse = New == End || !isNear(List[bestByFigures(List, New)], best());
  First = IsWorse ? End : New;
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

/// The best plans with volatile accesses. blake2b under 64 registers keeps
/// words of its message in slots and reloads them in each round; ptxas takes
/// the first reload for all of them and spills 296 bytes, with volatile
/// accesses none.
std::vector<Variant> PlanSearch::volatileSlots() {
  std::vector<Variant> Wanted;
  for (const Variant &V : bestOfStrategies(plans()))
    if (isNearlyEnough(V))
      Wanted.push_back(planLike(V, 0, /*VolatileSlots=*/true));
  return Wanted;
}

/// Where plans leave few bytes, and those that leave nothing, if any, have far
/// worse figures, targets between those of the one that leaves fewest and its
/// neighbours: what ptxas makes of a word more or less is hard to tell. lu8
/// under 64 registers spills 8 bytes or more for 56, 54 and 52 words, and
/// nothing for 55.
std::vector<Variant> PlanSearch::between() {
  auto Rank = [](const Variant &V) {
    return std::make_tuple(V.spillBytes(), scoreOf(V));
  };
  const Variant *Nearest = nullptr;
  for (const Variant &V : plans()) {
    if (!V.spillBytes() && isNear(V, best()))
      return {};
    if (V.spillBytes() && V.spillBytes() <= Tuned.LittleSpill &&
        (!Nearest || Rank(V) < Rank(*Nearest)))
      Nearest = &V;
  }
  std::vector<Variant> Wanted;
  for (int Distance : {1, -1, -3})
    if (Nearest)
      Wanted.push_back(planLike(*Nearest, Distance, /*VolatileSlots=*/false));
  return Wanted;
}

bool PlanSearch::tryWithoutSpill(size_t FirstPlan) {
  First = FirstPlan;
  return !best().spillBytes() || tryInTurn<PlanSearch>(*this, WithoutSpill);
}

bool PlanSearch::tryAll(const Variant &From) {
  Start = From;
  UpTo = AnyHome;
  First = List.size();
  return tryInTurn<PlanSearch>(*this, Plans);
}

bool PlanSearch::tryBestOf(size_t FirstPlan, const Variant &From) {
  Start = From;
  UpTo = AnyHome;
  First = FirstPlan;
  std::vector<Variant> Wanted;
  for (const Variant &V : bestOfStrategies(plans()))
    Wanted.push_back(plan(V.How, static_cast<int>(V.Target)));
  return add(Wanted);
}

} // namespace regdem
