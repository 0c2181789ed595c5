//===- UnknownBlockSizeTest.cpp - builds without launch bounds ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

using namespace regdem;

namespace {

class UnknownBlockSizeTest : public FreeSearchTest {
protected:
  UnknownBlockSizeTest() { Facts.ThreadsFrom = BlockSizeSource::Assumed; }
};

TEST_F(UnknownBlockSizeTest, AllowsNeitherSlotsNorStatedBlocks) {
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 20 : 0; };
  ASSERT_TRUE(search());
  EXPECT_GT(count(Decision::Cap), 0u);
  EXPECT_EQ(count(Decision::Demote), 0u);
  for (const Build &V : Built)
    EXPECT_EQ(V.MinBlocks, 0u);
}

TEST_F(UnknownBlockSizeTest, CapIsChosenThatGainsWithAllSizes) {
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
}

TEST_F(UnknownBlockSizeTest, LossWithOneSizeCounts) {
  // A cap of 48 or 40 brings blocks of 256 threads, but none of 1024.
  StockRegs = 64;
  Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  Code = [](const Build &V) { return waiting(V.MaxRegs ? 53 : 50); };
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  S = settled();
  EXPECT_TRUE(wasBuilt(Decision::Cap, 48));
  EXPECT_EQ(S.What, Decision::Stock);
  EXPECT_EQ(S.Predicted->Best, 0u);
}

TEST_F(UnknownBlockSizeTest, SpillCodeIsNotChosenWhateverItGains) {
  StockRegs = 56;
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 2 : 0; };
  S = settled();
  EXPECT_EQ(S.What, Decision::Stock);
  EXPECT_TRUE(wasBuilt(Decision::Cap, 48));
  EXPECT_TRUE(wasBuilt(Decision::Cap, 56));
  EXPECT_EQ(count(Decision::Cap), 2u); // Fewer registers spill no less.
}

TEST_F(UnknownBlockSizeTest, WhatStockCanBeLaunchedWithStaysPossible) {
  // With more registers than stock takes, blocks of 1024 threads may not fit.
  StockRegs = 48;
  LiftedRegs = 80;
  Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  SpilledWords = [](const Build &V) { return V.Regs < 80 ? 500 : 0; };
  Code = [](const Build &V) { return issuing(V.Regs < 80 ? 4000 : 1000); };
  Outcome S = settled();
  EXPECT_GT(S.chosen()->Regs, 64u);
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  S = settled();
  EXPECT_LE(S.chosen()->Regs, 64u);
}

} // namespace
