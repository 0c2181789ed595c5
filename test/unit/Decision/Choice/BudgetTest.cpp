//===- BudgetTest.cpp - searches that may not build all they want ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

using namespace regdem;

namespace {

TEST_F(FreeSearchTest, AnyBudgetGivesADecisionAmongWhatIsBuilt) {
  MaySpillToShared = true;
  SpilledWords = [](const Build &V) {
    return V.MaxRegs && V.MaxRegs <= 48 && V.What == Decision::Cap ? 40 : 0;
  };
  ASSERT_TRUE(search());
  size_t All = Built.size();
  ASSERT_GT(All, 6u);
  for (MostBuilds = 1; MostBuilds <= All; ++MostBuilds) {
    Outcome S = settled();
    EXPECT_EQ(Built.size(), MostBuilds);
    EXPECT_EQ(S.Builds.size(), MostBuilds);
    EXPECT_EQ(S.chosen()->What, S.What);
  }
}

TEST_F(FreeSearchTest, WithNothingToCompareStockStays) {
  MostBuilds = 1;
  Outcome S = settled();
  EXPECT_TRUE(S.choosesStock());
  EXPECT_EQ(S.Why, Reason::StockFastest);
}

TEST_F(FreeSearchTest, WhatTheBudgetLetsBeBuiltIsCompared) {
  StockRegs = 80; // 3 blocks
  Code = [](const Build &V) { return waiting(V.MaxRegs == 64 ? 5 : 50); };
  ASSERT_TRUE(search());
  ASSERT_TRUE(wasBuilt(Decision::Cap, 64));
  for (MostBuilds = 1; !wasBuilt(Decision::Cap, 64) || MostBuilds == 1;
       ++MostBuilds)
    ASSERT_TRUE(search());
  Outcome S = settled();
  EXPECT_EQ(S.MaxRegs, 64u);
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
}

TEST_F(FreeSearchTest, HalfOfFewBuildsAreForOccupancy) {
  StockRegs = 80; // 3 blocks
  Facts.HasCalls = true;
  Worthwhile = {Rewrite::WideProducts, Rewrite::UnrollLoops,
                Rewrite::InlineCalls | Rewrite::HoistBranches};
  Code = [](const Build &V) { return waiting(V.MaxRegs == 64 ? 5 : 50); };
  MostBuilds = 5; // Another one of each rewrite, without ptxas's own limit.
  Outcome S = settled();
  EXPECT_EQ(count(Decision::Rewrite), 1u);
  EXPECT_EQ(S.MaxRegs, 64u);
  MostBuilds = ~size_t(0); // The others follow where there is no limit.
  ASSERT_TRUE(search());
  EXPECT_EQ(count(Decision::Rewrite), 3u);
}

TEST_F(CapSearch, AnyBudgetKeepsTheCap) {
  ASSERT_TRUE(search(spillsAbove(30)));
  size_t All = Built.size();
  ASSERT_GT(All, 6u);
  for (MostBuilds = 2; MostBuilds <= All; ++MostBuilds) {
    Outcome S = settled(spillsAbove(30));
    EXPECT_EQ(Built.size(), MostBuilds);
    EXPECT_EQ(S.chosen()->MaxRegs, Cap) << MostBuilds;
  }
}

TEST_F(CapSearch, TheBestDemotionBuiltSoFarIsChosen) {
  ASSERT_TRUE(search(spillsAbove(30)));
  size_t All = Built.size();
  MostBuilds = All - 1;
  EXPECT_EQ(settled(spillsAbove(30)).chosen()->What, Decision::Demote);
}

} // namespace
