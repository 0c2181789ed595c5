//===- PlanSearchSpillTest.cpp - plans where others spill -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSearchHarness.h"

#include "Decision/Choice/SearchRules.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace regdem;

namespace {

TEST_F(PlanSearchTest, SlotsAreTriedVolatileWherePlansLeaveSpillCode) {
  Reached = 0;
  auto Plans = all(start());
  auto Best = std::min_element(Plans.begin(), Plans.end(), hasBetterFigures);
  Assemble = [](Build &V) {
    spill(V, 0);
    V.PressureAfter = V.Target;
  };
  auto Again = built([](PlanSearch &S) { return S.tryWithoutSpill(0); });
  ASSERT_EQ(Again.size(), 2u);
  for (const Build &V : Again)
    EXPECT_TRUE(V.VolatileSlots);
  EXPECT_EQ(Again[0].How, Best->How);
  EXPECT_EQ(Again[0].Target, Best->Target);
  EXPECT_NE(Again[1].How, Best->How);
}

TEST_F(PlanSearchTest, OddTargetsAreTriedWhereFewBytesAreLeft) {
  // The plan for the cap spills nothing and takes so many accesses to slots.
  auto OddTargets = [this](unsigned Words, unsigned Accesses) {
    List.clear();
    Assemble = [=](Build &V) {
      bool IsForCap = V.Target == Cap;
      spill(V, IsForCap ? 0 : Words);
      V.PressureAfter = V.Target;
      V.SlotAccesses = IsForCap ? Accesses : 1000 + V.Target;
    };
    auto Plans = all(start());
    auto Best = std::min_element(Plans.begin(), Plans.end(), hasBetterFigures);
    EXPECT_EQ(Best->spillBytes(), 8 * Words);
    std::set<int> Distances;
    for (const Build &V :
         built([](PlanSearch &S) { return S.tryWithoutSpill(0); }))
      if (V.Target % 2)
        Distances.insert(static_cast<int>(V.Target - Best->Target));
    return Distances;
  };
  EXPECT_EQ(OddTargets(8, 1500), (std::set<int>{-3, -1, 1}));
  EXPECT_EQ(OddTargets(9, 1500), std::set<int>{}) << "too many bytes";
  EXPECT_EQ(OddTargets(8, 1160), std::set<int>{}) << "needs none";
}

TEST_F(PlanSearchTest, NothingIsAddedWhereThePlanWithTheBestFiguresSpillsNone) {
  all(start());
  EXPECT_TRUE(
      built([](PlanSearch &S) { return S.tryWithoutSpill(0); }).empty());
}

TEST_F(PlanSearchTest, NothingIsAddedWhereSlotsAreShortByMuch) {
  Assemble = [](Build &V) {
    spill(V, 50);
    V.PressureAfter = Cap + 5;
  };
  all(start());
  EXPECT_TRUE(
      built([](PlanSearch &S) { return S.tryWithoutSpill(0); }).empty());
}

} // namespace
