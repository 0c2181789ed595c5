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
  auto Volatile = withVolatileSlots(Plans);
  llvm::erase_if(Plans, [](const Build &V) { return V.VolatileSlots; });
  auto Best = std::min_element(Plans.begin(), Plans.end(), hasBetterFigures);
  ASSERT_EQ(Volatile.size(), 2u);
  EXPECT_EQ(Volatile[0].How, Best->How);
  EXPECT_EQ(Volatile[0].Target, Best->Target);
  EXPECT_NE(Volatile[1].How, Best->How);
}

TEST_F(PlanSearchTest, SlotsStayWhereThePlanWithTheBestFiguresSpillsNone) {
  EXPECT_TRUE(withVolatileSlots(all(start())).empty());
}

TEST_F(PlanSearchTest, SlotsStayWhereTheyAreShortByMuch) {
  Assemble = [](Build &V) {
    spill(V, 50);
    V.PressureAfter = Cap + 5;
  };
  EXPECT_TRUE(withVolatileSlots(all(start())).empty());
}

} // namespace
