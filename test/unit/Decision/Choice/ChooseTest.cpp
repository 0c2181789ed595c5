//===- ChooseTest.cpp - the one comparison of builds ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Choose.h"

#include "../Model/BuildSamples.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// The index that chooseBuild() returns if Builds take Cycles.
size_t choose(std::vector<Build> Builds, ArrayRef<double> Cycles) {
  for (auto [V, Its] : zip_equal(Builds, Cycles))
    V.Cycles = Its;
  return chooseBuild(Builds);
}

TEST(ChooseBuild, StockStaysWithinTheMargin) {
  Build Stock = buildOf(64, 4);
  EXPECT_EQ(choose({Stock, capped(60, 4)}, {100, 99.5}), 0u);
  EXPECT_EQ(choose({Stock, capped(60, 4)}, {100, 98.5}), 1u);
  EXPECT_EQ(choose({Stock, capped(60, 4)}, {100, 120}), 0u);
}

TEST(ChooseBuild, FewerBlocksNeedNoMargin) {
  Build Stock = buildOf(64, 4);
  EXPECT_EQ(choose({Stock, capped(96, 3)}, {100, 99.9}), 1u);
  EXPECT_EQ(choose({Stock, capped(96, 3)}, {100, 100}), 0u);
}

TEST(ChooseBuild, MoreBlocksNeedAGreaterMargin) {
  Build Stock = buildOf(64, 4);
  EXPECT_EQ(riskOf(capped(48, 4), Stock), Tuned.Margin);
  EXPECT_EQ(riskOf(capped(48, 5), Stock), Tuned.MoreBlocksMargin);
  EXPECT_EQ(riskOf(buildOf(48, 5), Stock), Tuned.MoreBlocksMargin);
  for (auto [What, Cycles] : {std::pair(1u, 96.5), std::pair(0u, 98.0)})
    EXPECT_EQ(choose({Stock, capped(48, 5)}, {100, Cycles}), What);
  // One that is not fast enough hides none that has to gain less.
  EXPECT_EQ(choose({Stock, capped(48, 5), capped(60, 4)}, {100, 98, 98.5}), 2u);
}

TEST(ChooseBuild, MoreBlocksForSpillCodeNeedTheGreatest) {
  Build Stock = buildOf(64, 4);
  EXPECT_EQ(riskOf(spilling(capped(48, 5), 8), Stock), 0.09);
  EXPECT_EQ(riskOf(spilling(capped(48, 5, 4096), 8), Stock), 0.09);
  EXPECT_EQ(riskOf(spilling(capped(48, 5), 8), spilling(Stock, 8)),
            Tuned.MoreBlocksMargin);
  EXPECT_EQ(riskOf(spilling(capped(64, 4), 8), Stock), Tuned.Margin);
}

TEST(ChooseBuild, FramesThatMoveAmidScatteredLoadsNeedIt) {
  Build Stock = buildOf(64, 4), Moved = capped(48, 5, 4096);
  Moved.MovedBytes = 24;
  EXPECT_EQ(riskOf(Moved, Stock), Tuned.MoreBlocksMargin);
  Moved.LoadsAreScattered = true;
  EXPECT_EQ(riskOf(Moved, Stock), Tuned.SpillMargin);
  // Not where stock's frame moves, too, or the blocks are no more.
  Build StockMoved = Stock, AsMany = Moved;
  StockMoved.MovedBytes = 24;
  AsMany.BlocksPerSM = 4;
  EXPECT_EQ(riskOf(Moved, StockMoved), Tuned.MoreBlocksMargin);
  EXPECT_EQ(riskOf(AsMany, Stock), Tuned.Margin);
}

TEST(ChooseBuild, WhatABlockLosesThatIsAloneCounts) {
  Build Stock = buildOf(64, 4), Cap = capped(48, 5), Lifted = lifted(80, 3);
  Stock.LoneCycles = 1000;
  Cap.LoneCycles = Lifted.LoneCycles = 1200;
  EXPECT_DOUBLE_EQ(riskOf(Cap, Stock),
                   Tuned.MoreBlocksMargin + Tuned.LoneWeight * 0.2);
  EXPECT_EQ(riskOf(Lifted, Stock), 0);
  EXPECT_EQ(choose({Stock, Cap}, {100, 95}), 0u);
  EXPECT_EQ(choose({Stock, Cap, capped(56, 4)}, {100, 90, 94}), 2u);
  Cap.LoneCycles = 900; // What it gains speaks for nothing.
  EXPECT_EQ(riskOf(Cap, Stock), Tuned.MoreBlocksMargin);
  Cap.LoneCycles = 0; // not known
  EXPECT_EQ(riskOf(Cap, Stock), Tuned.MoreBlocksMargin);
}

TEST(ChooseBuild, WithAsManyBlocksWhatOneGainsThatIsAloneCounts) {
  Build Stock = buildOf(64, 4), Cap = capped(48, 4);
  Stock.LoneCycles = 1000;
  Cap.LoneCycles = 980;
  EXPECT_DOUBLE_EQ(riskOf(Cap, Stock), Tuned.Margin - Tuned.LoneWeight * 0.02);
  Cap.LoneCycles = 500; // It must not be slower on a full SM.
  EXPECT_EQ(riskOf(Cap, Stock), 0);
  EXPECT_EQ(choose({Stock, Cap}, {100, 99.9}), 1u);
  EXPECT_EQ(choose({Stock, Cap}, {100, 100}), 0u);
  Cap.LoneCycles = 1200; // It loses what other builds of as many blocks do.
  EXPECT_EQ(riskOf(Cap, Stock), Tuned.Margin);
}

TEST(ChooseBuild, UnrolledLoopsNeedMore) {
  Build Stock = buildOf(80, 4);
  Build Unrolled = capped(96, 3);
  Unrolled.Rewrites = Rewrite::UnrollLoops;
  EXPECT_EQ(riskOf(Unrolled, Stock), Tuned.MoreBlocksMargin);
}

TEST(ChooseBuild, MarginsCountAmongVariantsToo) {
  Build Stock = buildOf(64, 4);
  EXPECT_EQ(choose({Stock, capped(48, 5), lifted(80, 3)}, {100, 91, 95}), 2u);
  EXPECT_EQ(choose({Stock, capped(48, 5), lifted(80, 3)}, {100, 89.5, 95}), 1u);
}

TEST(ChooseBuild, MuchSpillCodeIsNotForWhatSpillsNothing) {
  Build Stock = buildOf(64, 4), Spilling = spilling(capped(32, 8), 400);
  Spilling.SpillFootprint = Spilling.L1Bytes;
  EXPECT_EQ(choose({Stock, Spilling}, {100, 80}), 1u);
  ++Spilling.SpillFootprint;
  EXPECT_EQ(choose({Stock, Spilling}, {100, 80}), 0u);
  EXPECT_EQ(choose({spilling(Stock, 4), Spilling}, {100, 80}), 1u);
}

TEST(ChooseBuild, OfCapsAlikeTheOneNearestToStockWins) {
  Build Stock = buildOf(72, 7);
  EXPECT_EQ(choose({Stock, capped(96, 5), capped(80, 6)}, {100, 98, 98}), 2u);
  EXPECT_EQ(choose({Stock, capped(48, 9), capped(64, 8)}, {100, 90, 90}), 2u);
}

TEST(ChooseBuild, LiftingTheLimitNeedsNoMargin) {
  Build Stock = buildOf(64, 4), Lifted = lifted(72, 3);
  EXPECT_EQ(choose({Stock, Lifted}, {100, 99.9}), 1u);
  EXPECT_EQ(choose({Stock, Lifted}, {100, 100}), 0u);
  EXPECT_EQ(riskOf(Lifted, Stock), 0);
}

TEST(ChooseBuild, OthersNeedTheMarginOverTheLiftedLimit) {
  Build Stock = buildOf(64, 4), Lifted = lifted(72, 3);
  EXPECT_EQ(choose({Stock, capped(48, 5, 4096), Lifted}, {100, 97.5, 98}), 2u);
  EXPECT_EQ(choose({Stock, capped(48, 5, 4096), Lifted}, {100, 90, 98}), 1u);
}

TEST(ChooseBuild, LeastChangeAmongEquals) {
  Build Stock = buildOf(64, 4);
  // Least spill code first, although another is predicted to be faster.
  EXPECT_EQ(choose({spilling(Stock, 80), spilling(capped(64, 4), 40),
                    spilling(capped(64, 4, 8192), 8)},
                   {100, 80, 81}),
            2u);
  EXPECT_EQ(
      choose({Stock, spilling(capped(48, 5), 8), capped(40, 6)}, {100, 80, 81}),
      2u);
  // Then least shared memory, no cap before one, and the most registers.
  EXPECT_EQ(
      choose({Stock, capped(32, 8, 8192), capped(40, 6, 4096), capped(48, 5)},
             {100, 80, 80.5, 81}),
      3u);
  EXPECT_EQ(choose({Stock, capped(80, 3), buildOf(72, 3)}, {100, 80, 81}), 2u);
  EXPECT_EQ(choose({Stock, capped(40, 6), capped(48, 5)}, {100, 80, 81}), 2u);
}

TEST(ChooseBuild, LeastChangeHasToGainTheMarginToo) {
  Build Stock = buildOf(64, 4);
  EXPECT_EQ(choose({Stock, capped(32, 8, 8192), capped(48, 5)}, {100, 96, 98}),
            1u);
  EXPECT_EQ(
      choose({Stock, capped(32, 8, 8192), capped(48, 5)}, {100, 95.5, 96.9}),
      2u);
  EXPECT_EQ(choose({Stock, capped(32, 8, 8192), lifted(72, 3)}, {100, 94, 97}),
            2u);
}

TEST(ChooseBuild, FarFasterBeatsLessChange) {
  EXPECT_EQ(choose({buildOf(64, 4), capped(32, 8, 8192), capped(48, 5)},
                   {100, 80, 90}),
            1u);
}

TEST(ChooseBuild, UnderACapDemotionWithoutSpillCodeWinsTies) {
  Build Cap = spilling(capped(40, 6), 400);
  Build Pragma = spilling(capped(40, 6, 4096), 80);
  for (double Cycles : {81.5, 83.0})
    EXPECT_EQ(choose({Cap, Pragma, capped(40, 6, 8192)}, {100, 80, Cycles}),
              Cycles < 82 ? 2u : 1u);
}

TEST(ChooseBuild, TiesAreSharesOfTheFastest) {
  Build Cap = spilling(capped(40, 6), 400);
  Build Plain = capped(40, 6), Shared = capped(40, 6, 8192);
  for (double Cycles : {157.0, 175.0})
    EXPECT_EQ(choose({Cap, Plain, Shared}, {10000, 177, Cycles}),
              Cycles < 170 ? 2u : 1u);
}

TEST(ChooseBuild, AnotherOrderThatSpillsBeyondL1NeedsMore) {
  Build Cap = spilling(capped(40, 6), 4000), Near = Cap;
  Near.Order = InstOrder::Near;
  EXPECT_EQ(riskOf(Near, Cap), 0.01);
  Near.SpillFootprint = Near.L1Bytes;
  EXPECT_DOUBLE_EQ(riskOf(Near, Cap), 0.01 + 0.08);
}

} // namespace
