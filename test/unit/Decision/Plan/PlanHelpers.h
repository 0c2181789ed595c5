//===- PlanHelpers.h - plans for hand-written graphs ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_PLANHELPERS_H
#define REGDEM_TEST_UNIT_PLANHELPERS_H

#include "GraphBuilder.h"
#include "PlanSimulator.h"
#include "regdem/Decision/Plan/DemotionPlan.h"
#include "gtest/gtest.h"

namespace regdem::test {

using Values = std::vector<ValueId>;

constexpr unsigned Unlimited = 1000;
/// One word of every target is the base address's.
constexpr unsigned Base = 1;

/// A plan to hold Words of values in registers; fails where it is not sound.
/// A kernel with only Words + 1 fits without a base address.
inline DemotionPlan plan(const KernelGraph &G, unsigned Words,
                         unsigned MaxWords = Unlimited,
                         Strategy How = Strategy::Belady) {
  DemotionPlan Plan = planDemotion(G, {Words + Base, MaxWords, How});
  EXPECT_EQ(checkPlan(G, Plan), "");
  EXPECT_LE(pressureWith(G, Plan), Plan.PressureAfter);
  return Plan;
}

/// Values that Plan stores or reloads in blocks First to Last.
inline Values accessed(const DemotionPlan &Plan, PlanAction::Kind What,
                       BlockId First, BlockId Last) {
  Values Result;
  for (const PlanAction &A : Plan.Actions)
    if (A.What == What && A.Where.Block >= First && A.Where.Block <= Last)
      Result.push_back(A.Value);
  return Result;
}

inline Values accessed(const DemotionPlan &Plan, PlanAction::Kind What,
                       BlockId Block) {
  return accessed(Plan, What, Block, Block);
}

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_PLANHELPERS_H
