//===- UnknownBlockSizeTest.cpp - builds without launch bounds ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FreeChoiceHarness.h"
#include <cmath>

using namespace regdem;

namespace {

class UnknownBlockSizeTest : public FreeChoiceTest {
protected:
  UnknownBlockSizeTest() { Facts.ThreadsFrom = BlockSizeSource::Assumed; }
};

TEST_F(UnknownBlockSizeTest, AllowsNeitherSlotsNorStatedBlocks) {
  SpilledWords = [](const Variant &V) { return V.MaxRegs ? 20 : 0; };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_GT(count(Decision::Cap), 0u);
  EXPECT_EQ(count(Decision::Demote), 0u);
  for (const Variant &V : Built)
    EXPECT_EQ(V.MinBlocks, 0u);
}

TEST_F(UnknownBlockSizeTest, CapIsChosenThatGainsWithAllSizes) {
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Free->What, Decision::Cap);
  EXPECT_EQ(S->Free->Why, Reason::PredictedFaster);
}

TEST_F(UnknownBlockSizeTest, LossWithOneSizeCounts) {
  // A cap of 40 brings blocks of 128 to 512 threads, but none of 1024.
  StockRegs = 56;
  Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  Code = [](const Variant &V) { return waiting(V.MaxRegs ? 53 : 50); };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Free->What, Decision::Cap);
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  S = search();
  ASSERT_TRUE(S);
  EXPECT_TRUE(wasBuilt(Decision::Cap, 40));
  EXPECT_EQ(S->Free->What, Decision::Stock);
  EXPECT_EQ(S->Free->Predicted->Best, 0u);
}

TEST_F(UnknownBlockSizeTest, GainWithTheWorseHalfOfSizesCounts) {
  // A cap of 48 brings blocks of 128 and 256 threads, but none of more.
  StockRegs = 56;
  Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  Code = [](const Variant &V) {
    return waiting(V.MaxRegs && V.MaxRegs < 48 ? 500 : 50);
  };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Free->MaxRegs, 48u);
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Free->What, Decision::Stock);

  // One of 40 brings three instead of two of 512, too, but none of 1024: what
  // counts is these and twelve instead of nine of 128.
  Code = [](const Variant &V) { return waiting(V.MaxRegs == 32 ? 500 : 50); };
  S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Free->MaxRegs, 40u);
  EXPECT_GT(S->Free->Predicted->Gain, 0.05);
  EXPECT_LT(S->Free->Predicted->Gain, 1 - std::sqrt(9.0 / 12));
}

TEST_F(UnknownBlockSizeTest, CapsMayStartFromWhatGainsWithOneSize) {
  // Without sinking an SM holds five blocks of 128 threads instead of four, but
  // no more of others.
  StockRegs = 108;
  LeanRegs = 92;
  LeanPressure = 60;
  Omissions = {WithoutSinking};
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Free->What, Decision::Cap);
  EXPECT_TRUE(chosenVariant(S->Variants)->Without.Sinking);
}

TEST_F(UnknownBlockSizeTest, WhatStockCanBeLaunchedWithStaysPossible) {
  // With more registers than stock takes, blocks of 1024 threads may not fit.
  StockRegs = 48;
  LiftedRegs = 80;
  Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  SpilledWords = [](const Variant &V) { return V.Regs < 80 ? 500 : 0; };
  Code = [](const Variant &V) { return issuing(V.Regs < 80 ? 4000 : 1000); };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_GT(chosenVariant(S->Variants)->Regs, 64u);
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  S = search();
  ASSERT_TRUE(S);
  EXPECT_LE(chosenVariant(S->Variants)->Regs, 64u);
}

} // namespace
