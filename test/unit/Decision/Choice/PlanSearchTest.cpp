//===- PlanSearchTest.cpp - which demotions are tried ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSearchHarness.h"

#include "Decision/Choice/SearchRules.h"
#include "regdem/Decision/Model/BuildScore.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace regdem;

namespace {

std::vector<Build> with(Home UpTo, llvm::ArrayRef<Build> Plans) {
  std::vector<Build> Result;
  for (const Build &V : Plans)
    if (V.UpTo == UpTo)
      Result.push_back(V);
  return Result;
}

using Targets = std::map<Strategy, std::set<unsigned>>;

TEST_F(PlanSearchTest, LowerTargetsFollowWhereThoseNearTheCapSpill) {
  EXPECT_EQ(targets(all(start())),
            (Targets{{Strategy::Resident, {Cap, Cap - 4, Cap - 8}},
                     {Strategy::Rotating, {Cap - 4, Cap - 8}}}));
}

TEST_F(PlanSearchTest, LowerTargetsAreLeftOutWhereTheCapIsReachedWithout) {
  Reached = Cap;
  EXPECT_EQ(targets(all(start())),
            (Targets{{Strategy::Resident, {Cap, Cap - 4}},
                     {Strategy::Rotating, {Cap - 4}}}));
}

TEST_F(PlanSearchTest, LowerTargetsAreTriedWhereLoadsLackRegisters) {
  Reached = Cap;
  Assemble = [Default = Assemble](Build &V) {
    Default(V);
    V.WordsInFlight = 6;
  };
  EXPECT_TRUE(targets(all(start()))[Strategy::Resident].count(Cap - 8));
}

TEST_F(PlanSearchTest, LowerTargetsAreLeftOutWhereSlotsAreShort) {
  Assemble = [](Build &V) {
    spill(V, V.How == Strategy::Relieving ? 60 : 50);
    V.PressureAfter = Cap + 5;
  };
  Targets Tried = targets(all(start()));
  EXPECT_EQ(Tried[Strategy::Resident], (std::set<unsigned>{Cap, Cap - 4}));
  EXPECT_EQ(Tried[Strategy::Rotating], (std::set<unsigned>{Cap - 4}));
  EXPECT_EQ(Tried[Strategy::Relieving].size(), 4u);
}

TEST_F(PlanSearchTest, TargetThatTheCodeKeepsToGivesWayToTheLeastThatDemotes) {
  constexpr unsigned Pressure = Cap - 3;
  Targets Tried = targets(all(start(Pressure)));
  EXPECT_EQ(*Tried[Strategy::Resident].rbegin(), Pressure - 2);
  EXPECT_EQ(*Tried[Strategy::Rotating].rbegin(), Pressure - 2);
}

TEST_F(PlanSearchTest, BestOfTwoStrategiesAreTriedWithSlotsAlone) {
  Assemble = [Default = Assemble](Build &V) {
    Default(V);
    V.Recomputations = V.UpTo >= Home::Recomputation ? 3 : 0;
  };
  auto Plans = all(start());
  EXPECT_EQ(targets(with(Home::ThreadSlot, Plans)),
            (Targets{{Strategy::Resident, {Cap - 8}},
                     {Strategy::Rotating, {Cap - 8}}}));
}

TEST_F(PlanSearchTest,
       SlotsAloneAreGivenUpWhereTheBestPlanIsMuchWorseWithThem) {
  // Slots are short with slots alone, so that relief follows there.
  for (unsigned Words : {10, 100}) {
    List.clear();
    Assemble = [Words](Build &V) {
      bool Recomputes = V.UpTo >= Home::Recomputation;
      spill(V, 50);
      V.PressureAfter = V.Target + (Recomputes ? 0 : 1);
      V.Recomputations = Recomputes ? 2 : 0;
      V.SlotAccesses = Recomputes ? 0 : Words;
    };
    auto Plans = with(Home::ThreadSlot, all(start()));
    EXPECT_EQ(Plans.size(), Words == 10 ? 6u : 2u);
  }
}

TEST_F(PlanSearchTest, PlanThatNeedsSlotsAloneIsNotBuiltAgain) {
  Assemble = [Default = Assemble](Build &V) {
    Default(V);
    bool Recomputes =
        V.How == Strategy::Rotating && V.UpTo >= Home::Recomputation;
    V.Recomputations = Recomputes ? 3 : 0;
  };
  auto Plans = all(start());
  Targets Tried = targets(with(Home::ThreadSlot, Plans));
  EXPECT_EQ(Tried.size(), 1u);
  EXPECT_EQ(Tried[Strategy::Rotating], (std::set<unsigned>{Cap - 8}));
}

TEST_F(PlanSearchTest, PlanThatMissesItsTargetIsTriedWithSlotsAlone) {
  // Nothing has left its register: what the other homes were to hold may.
  Assemble = [](Build &V) {
    bool All = V.UpTo >= Home::Recomputation;
    spill(V, All ? 50 : 0);
    V.PressureAfter = V.Target + (All ? 1 : 0);
    V.Recomputations = All && V.How == Strategy::Rotating ? 1 : 0;
  };
  auto Plans = all(start());
  unsigned Best = *targets(with(AnyHome, Plans))[Strategy::Resident].rbegin();
  EXPECT_TRUE(
      targets(with(Home::ThreadSlot, Plans))[Strategy::Resident].count(Best));
}

TEST_F(PlanSearchTest, ReliefIsTriedOnceForAKernel) {
  auto Relieving = [](llvm::ArrayRef<Build> Plans) {
    return llvm::count_if(
        Plans, [](const Build &V) { return V.How == Strategy::Relieving; });
  };
  // Slots are short with slots alone.
  Assemble = [](Build &V) {
    bool All = V.UpTo >= Home::Recomputation;
    spill(V, 50);
    V.PressureAfter = V.Target + (All ? 0 : 1);
    V.Recomputations = All ? 1 : 0;
  };
  auto Plans = all(start());
  EXPECT_EQ(Relieving(with(AnyHome, Plans)), 0);
  EXPECT_GE(Relieving(with(Home::ThreadSlot, Plans)), 4);
  auto Again = built([&](PlanSearch &S) { return S.tryAll(otherStart()); });
  EXPECT_EQ(Relieving(Again), 0);
}

TEST_F(PlanSearchTest, AnotherStartIsTriedWithTheBestPlansOfTheFirst) {
  all(start());
  auto Plans =
      built([&](PlanSearch &S) { return S.tryBestOf(0, otherStart()); });
  EXPECT_EQ(targets(Plans), (Targets{{Strategy::Resident, {Cap - 8}},
                                     {Strategy::Rotating, {Cap - 8}}}));
  for (const Build &V : Plans)
    EXPECT_EQ(V.Order, InstOrder::Deep);
}

TEST_F(PlanSearchTest, SearchEndsWhereABuildFails) {
  unsigned Calls = 0, Failing = 0;
  auto Add = [&](llvm::ArrayRef<BuildRecipe> Wanted) {
    if (Calls++ == Failing)
      return false;
    for (const BuildRecipe &R : Wanted)
      Assemble(List.emplace_back(R));
    return true;
  };
  for (; Failing != 2; ++Failing) {
    List.clear();
    Calls = 0;
    PlanSearch Search(List, Add);
    EXPECT_FALSE(Search.tryAll(start()));
    EXPECT_EQ(Calls, Failing + 1);
  }
}

} // namespace
