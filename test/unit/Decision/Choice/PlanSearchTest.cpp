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
    EXPECT_FALSE(PlanSearch(List, start(), Add).tryAll());
    EXPECT_EQ(Calls, Failing + 1);
  }
}

} // namespace
