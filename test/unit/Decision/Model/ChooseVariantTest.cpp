//===- ChooseVariantTest.cpp - choosing by predicted times ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CostModel.h"

#include "VariantSamples.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

TEST(ChooseVariant, StockStaysWithinTheMargin) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(chooseVariant({Stock, capped(60, 4)}, {100, 99.5}, true), 0u);
  EXPECT_EQ(chooseVariant({Stock, capped(60, 4)}, {100, 98.5}, true), 1u);
  EXPECT_EQ(chooseVariant({Stock, capped(60, 4)}, {100, 120}, true), 0u);
}

TEST(ChooseVariant, FewerBlocksNeedNoMargin) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(chooseVariant({Stock, capped(96, 3)}, {100, 99.9}, true), 1u);
  EXPECT_EQ(chooseVariant({Stock, capped(96, 3)}, {100, 100}, true), 0u);
  EXPECT_EQ(marginOf(capped(96, 3), Stock, false), decisionMargin(false));
}

TEST(ChooseVariant, MoreBlocksNeedAGreaterMargin) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(marginOf(capped(48, 4), Stock, true), decisionMargin(true));
  EXPECT_EQ(marginOf(capped(48, 5), Stock, true), 0.03);
  EXPECT_EQ(marginOf(variant(48, 5), Stock, true), 0.03);
  EXPECT_EQ(marginOf(capped(48, 5), Stock, false), decisionMargin(false));
  for (auto [What, Cycles] : {std::pair(1u, 96.5), std::pair(0u, 97.5)})
    EXPECT_EQ(chooseVariant({Stock, capped(48, 5)}, {100, Cycles}, true), What);
  // One that is not fast enough hides none that has to gain less.
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5), capped(60, 4)},
                          {100, 97.5, 98.5}, true),
            2u);
}

TEST(ChooseVariant, MoreBlocksForSharedMemoryNeedMore) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(marginOf(capped(48, 5, 4096), Stock, true), 0.035);
  EXPECT_EQ(marginOf(capped(64, 4, 4096), Stock, true), decisionMargin(true));
}

TEST(ChooseVariant, MoreBlocksForSpillCodeNeedTheGreatest) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(marginOf(spilling(capped(48, 5), 8), Stock, true), 0.09);
  EXPECT_EQ(marginOf(spilling(capped(48, 5, 4096), 8), Stock, true), 0.09);
  EXPECT_EQ(marginOf(spilling(capped(48, 5), 8), spilling(Stock, 8), true),
            0.03);
  EXPECT_EQ(marginOf(spilling(capped(64, 4), 8), Stock, true),
            decisionMargin(true));
}

TEST(ChooseVariant, WhatABlockLosesThatIsAloneCounts) {
  Variant Stock = variant(64, 4), Cap = capped(48, 5), Lifted = lifted(80, 3);
  Stock.LoneCycles = 1000;
  Cap.LoneCycles = Lifted.LoneCycles = 1200;
  EXPECT_DOUBLE_EQ(marginOf(Cap, Stock, true), 0.03 + 0.15 * 0.2);
  EXPECT_DOUBLE_EQ(marginOf(Lifted, Stock, true), 0.15 * 0.2);
  EXPECT_EQ(chooseVariant({Stock, Cap}, {100, 95}, true), 0u);
  EXPECT_EQ(chooseVariant({Stock, Cap, capped(56, 4)}, {100, 90, 94}, true),
            2u);
  Cap.LoneCycles = 900; // What it gains speaks for nothing.
  EXPECT_EQ(marginOf(Cap, Stock, true), 0.03);
  Cap.LoneCycles = 0; // not known
  EXPECT_EQ(marginOf(Cap, Stock, true), 0.03);
}

TEST(ChooseVariant, UnrolledLoopsNeedMore) {
  Variant Stock = variant(80, 4);
  Variant Unrolled = capped(96, 3);
  Unrolled.Rewrites = Rewrite::UnrollLoops;
  EXPECT_EQ(marginOf(Unrolled, Stock, true), 0.03);
  EXPECT_EQ(marginOf(Unrolled, Stock, false), decisionMargin(false));
}

TEST(ChooseVariant, MarginsCountAmongVariantsToo) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(
      chooseVariant({Stock, capped(48, 5), lifted(80, 3)}, {100, 91, 95}, true),
      2u);
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5), lifted(80, 3)},
                          {100, 89.5, 95}, true),
            1u);
}

TEST(ChooseVariant, MuchSpillCodeIsNotForWhatSpillsNothing) {
  Variant Stock = variant(64, 4), Spilling = spilling(capped(32, 8), 400);
  Spilling.SpillFootprint = Spilling.L1Bytes;
  EXPECT_EQ(chooseVariant({Stock, Spilling}, {100, 80}, true), 1u);
  ++Spilling.SpillFootprint;
  EXPECT_EQ(chooseVariant({Stock, Spilling}, {100, 80}, true), 0u);
  EXPECT_EQ(chooseVariant({spilling(Stock, 4), Spilling}, {100, 80}, true), 1u);
}

TEST(ChooseVariant, OfCapsAlikeTheOneNearestToStockWins) {
  Variant Stock = variant(72, 7);
  EXPECT_EQ(
      chooseVariant({Stock, capped(96, 5), capped(80, 6)}, {100, 98, 98}, true),
      2u);
  EXPECT_EQ(
      chooseVariant({Stock, capped(48, 9), capped(64, 8)}, {100, 90, 90}, true),
      2u);
}

TEST(ChooseVariant, LiftingTheLimitNeedsNoMargin) {
  Variant Stock = variant(64, 4), Lifted = lifted(72, 3);
  EXPECT_EQ(chooseVariant({Stock, Lifted}, {100, 99.9}, true), 1u);
  EXPECT_EQ(chooseVariant({Stock, Lifted}, {100, 100}, true), 0u);
  EXPECT_EQ(marginOf(Lifted, Stock, true), 0);
  // Estimates do not know what lost warps cost.
  EXPECT_EQ(chooseVariant({Stock, lifted(64, 4)}, {100, 99}, false), 0u);
}

TEST(ChooseVariant, OthersNeedTheMarginOverTheLiftedLimit) {
  Variant Stock = variant(64, 4), Lifted = lifted(72, 3);
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5, 4096), Lifted}, {100, 97.5, 98},
                          true),
            2u);
  EXPECT_EQ(
      chooseVariant({Stock, capped(48, 5, 4096), Lifted}, {100, 90, 98}, true),
      1u);
}

TEST(ChooseVariant, LeastChangeAmongEquals) {
  Variant Stock = variant(64, 4);
  // Least shared memory first, although another is predicted to be faster.
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), capped(40, 6, 4096),
                           capped(48, 5)},
                          {100, 80, 81, 82}, true),
            3u);
  // No spill code before some, no cap before one, then most registers.
  EXPECT_EQ(chooseVariant({Stock, spilling(capped(48, 5), 8), capped(40, 6)},
                          {100, 80, 81}, true),
            2u);
  EXPECT_EQ(chooseVariant({Stock, capped(80, 3), variant(72, 3)}, {100, 80, 81},
                          true),
            2u);
  EXPECT_EQ(
      chooseVariant({Stock, capped(40, 6), capped(48, 5)}, {100, 80, 81}, true),
      2u);
}

TEST(ChooseVariant, LeastChangeHasToGainTheMarginToo) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), capped(48, 5)},
                          {100, 96, 98}, true),
            1u);
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), capped(48, 5)},
                          {100, 94.5, 96.9}, true),
            2u);
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), lifted(72, 3)},
                          {100, 94, 97}, true),
            2u);
}

TEST(ChooseVariant, FarFasterBeatsLessChange) {
  EXPECT_EQ(chooseVariant({variant(64, 4), capped(32, 8, 8192), capped(48, 5)},
                          {100, 80, 90}, true),
            1u);
}

TEST(ChooseVariant, EstimatesNeedMoreAndCostNoBlocks) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5)}, {100, 92}, false), 0u);
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5)}, {100, 85}, false), 1u);
  EXPECT_EQ(chooseVariant({Stock, capped(80, 3)}, {100, 50}, false), 0u);
}

} // namespace
