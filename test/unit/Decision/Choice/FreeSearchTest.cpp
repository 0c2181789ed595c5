//===- FreeSearchTest.cpp - choosing without a stated cap -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"
#include <algorithm>

using namespace regdem;

namespace {

/// Words spilled without demotion under caps below Regs.
auto spillsBelow(unsigned Regs) {
  return [Regs](const Build &V) {
    bool Capped = V.What == Decision::Cap && !V.MinBlocks;
    return Capped && V.MaxRegs < Regs ? 100u : 0u;
  };
}

TEST_F(FreeSearchTest, FullOccupancyTakesOneBuildOnly) {
  StockRegs = 31;
  Outcome S = settled();
  EXPECT_EQ(Built.size(), 1u);
  EXPECT_EQ(CodesRead, 0u);
  EXPECT_EQ(S.What, Decision::Stock);
  EXPECT_EQ(S.Why, Reason::NotRegisterLimited);
  EXPECT_EQ(S.chosen(), &S.Builds.front());
}

TEST_F(FreeSearchTest, SharedMemoryThatLimitsTakesOneBuildOnly) {
  Facts.StaticShared = 48 * 1024; // 4 blocks
  StockRegs = 64;                 // 4 blocks
  Outcome Assembled = settled();
  // The figures, not the facts, say what shared memory a build takes.
  EXPECT_NE(Assembled.Why, Reason::NotRegisterLimited);
}

TEST_F(FreeSearchTest, NoCapIsTriedOfAKernelThatIssuesAllTheTime) {
  MaySpillToShared = true; // Fewer registers would bring nothing, either.
  Code = [](const Build &) { return issuing(); };
  Outcome S = settled();
  EXPECT_EQ(Built.size(), 2u); // The other one lifts ptxas's own limit.
  EXPECT_EQ(CodesRead, 1u);
  EXPECT_EQ(S.What, Decision::Stock);
  EXPECT_EQ(S.Why, Reason::WarpsDoNotPay);
  ASSERT_TRUE(S.Predicted);
  EXPECT_LT(S.Predicted->Gain, S.Predicted->Margin);
}

TEST_F(FreeSearchTest, NearestStepsAboveStockAreTried) {
  StockRegs = 112; // 2 blocks
  Pressure = 56;
  ASSERT_TRUE(search());
  for (unsigned Cap : {80, 64, 48})
    EXPECT_TRUE(wasBuilt(Decision::Cap, Cap)) << Cap;
  for (unsigned Cap : {255, 128, 40, 32})
    EXPECT_FALSE(wasBuilt(Decision::Cap, Cap)) << Cap;
}

TEST_F(FreeSearchTest, StockStandsForTheCapThatLeavesAllRegisters) {
  StockRegs = Pressure = 255;
  SpilledWords = [](const Build &) { return 100; };
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Cap, 255));
  EXPECT_TRUE(wasBuilt(Decision::Demote, 255));
}

TEST_F(FreeSearchTest, NoCapLeavesLessThanHalfOfThePressure) {
  StockRegs = 168;
  Pressure = 160;
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 80));
  EXPECT_FALSE(wasBuilt(Decision::Cap, 64));
}

TEST_F(FreeSearchTest, KernelThatWaitsGetsMoreWarps) {
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_LT(S.MaxRegs, StockRegs);
  EXPECT_EQ(S.Target, 0u);
  EXPECT_EQ(S.chosen()->MaxRegs, S.MaxRegs);
  ASSERT_TRUE(S.Predicted);
  EXPECT_GT(S.Predicted->Gain, S.Predicted->Margin);
  EXPECT_EQ(S.chosen(), &S.Builds[S.Predicted->Best]);
}

TEST_F(FreeSearchTest, DemotionIsTriedWhereACapSpillsOnly) {
  SpilledWords = spillsBelow(64);
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Demote, 64));
  EXPECT_TRUE(wasBuilt(Decision::Demote, 48));
}

TEST_F(FreeSearchTest, DemotionThatBringsTheWarpsIsChosen) {
  SpilledWords = spillsBelow(80);
  Code = [](const Build &V) { // Spill code is waited for.
    return waiting(V.What == Decision::Cap ? 500 : 50);
  };
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Demote);
  EXPECT_EQ(S.Target, S.chosen()->Target);
  EXPECT_EQ(S.How, S.chosen()->How);
  EXPECT_LT(S.Target, S.MaxRegs);
}

TEST_F(FreeSearchTest, OtherStrategyIsTriedWhereDemotionStillSpills) {
  StockRegs = 64;
  SlotBytes = 24 * 1024;
  SpilledWords = [](const Build &V) {
    if (V.What == Decision::Demote)
      return V.How == Strategy::Resident ? 10 : 0;
    return V.MaxRegs && V.MaxRegs < 80 ? 40 : 0;
  };
  Code = [](const Build &V) {
    if (V.What == Decision::Demote && V.MaxRegs == 48)
      return waiting(V.How == Strategy::Resident ? 540 : 505);
    return waiting(V.MaxRegs ? 900 : 500);
  };
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Demote);
  EXPECT_EQ(S.How, Strategy::Belady);
}

TEST_F(FreeSearchTest, NoDemotionWithoutSharedMemory) {
  SpilledWords = spillsBelow(80);
  Facts.StaticShared = 48 * 1024;
  ASSERT_TRUE(search());
  EXPECT_EQ(count(Decision::Demote), 0u);
}

TEST_F(FreeSearchTest, StockThatSpillsIsTriedWithMoreRegisters) {
  StockRegs = 40; // Of its own accord: the cliff.
  SpilledWords = [](const Build &V) {
    return V.What == Decision::Stock ? 100u : 0u;
  };
  Code = [](const Build &V) {
    return issuing(V.What == Decision::Stock ? 4000 : 1000);
  };
  Outcome S = settled();
  EXPECT_TRUE(wasBuilt(Decision::Cap, 64));
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
}

TEST_F(FreeSearchTest, BlocksPerSMAreStatedWhereThreadsAre) {
  ASSERT_TRUE(search());
  auto Lifted = [](const Build &V) { return V.MinBlocks == 1; };
  EXPECT_EQ(std::count_if(Built.begin(), Built.end(), Lifted), 1);
  Facts.ThreadsFrom = BlockSizeSource::Option;
  ASSERT_TRUE(search());
  EXPECT_EQ(std::count_if(Built.begin(), Built.end(), Lifted), 0);
}

TEST_F(FreeSearchTest, PragmaIsTriedWherePtxasTakesIt) {
  SpilledWords = [](const Build &V) {
    return V.MaxRegs && V.MaxRegs < 80 ? 40 : 0;
  };
  ASSERT_TRUE(search());
  EXPECT_EQ(count(Decision::Pragma), 0u);
  MaySpillToShared = true;
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Pragma, 0));
  EXPECT_EQ(count(Decision::Pragma), 2u); // Without a cap, and with one.
}

TEST_F(FreeSearchTest, WhatPtxasRefusesIsNotChosen) {
  Outcome All = settled();
  ASSERT_EQ(All.What, Decision::Cap);
  Refuses = [&](const Build &V) { return V.MaxRegs == All.MaxRegs; };
  Outcome Some = settled();
  EXPECT_TRUE(wasBuilt(Decision::Cap, All.MaxRegs));
  EXPECT_FALSE(Some.chosen()->isRefused());
  EXPECT_NE(Some.MaxRegs, All.MaxRegs);
  Refuses = [](const Build &V) { return V.What != Decision::Stock; };
  EXPECT_TRUE(settled().choosesStock());
  Refuses = [](const Build &) { return true; };
  EXPECT_FALSE(search());
  EXPECT_EQ(Built.size(), 1u);
}

// As with warnings of spills that are errors.
TEST_F(FreeSearchTest, DemotionIsTriedWhereCapsAreRefusedThatSpill) {
  SpilledWords = [](const Build &V) {
    return V.MaxRegs && V.What != Decision::Demote ? 20u : 0u;
  };
  Code = [](const Build &V) {
    return waiting(V.What == Decision::Demote ? 20 : 50);
  };
  Refuses = [](const Build &V) { return V.spillBytes() != 0; };
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Demote);
  EXPECT_FALSE(S.chosen()->isRefused());
}

TEST_F(FreeSearchTest, AtMost25BuildsAreMadeAndNoneTwice) {
  MaySpillToShared = true;
  Worthwhile = {Rewrite::SkipLoopReduce, Rewrite::SkipMachineSink,
                Rewrite::SkipSLSR};
  for (unsigned Regs : {48, 80, 128, 255}) {
    StockRegs = Regs;
    Pressure = LeanPressure = Regs;
    for (unsigned Spilled : {0, 100}) {
      SpilledWords = [Spilled](const Build &V) {
        return V.What == Decision::Stock ? Spilled : 100u;
      };
      ASSERT_TRUE(search());
      EXPECT_LE(Built.size(), 25u);
      for (size_t I = 0; I != Built.size(); ++I)
        for (size_t J = 0; J != I; ++J)
          EXPECT_FALSE(isSameBuild(Built[I], Built[J]));
    }
  }
}

TEST_F(FreeSearchTest, KernelThatFitsNoSMGetsACapUnderWhichItDoes) {
  Facts.Threads = 1024;
  StockRegs = 168;
  Facts.ThreadsFrom = BlockSizeSource::Option;
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  EXPECT_EQ(S.MaxRegs, 64u);
  EXPECT_EQ(S.Why, Reason::FitsCapped);
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  S = settled();
  EXPECT_EQ(S.What, Decision::Stock);
  EXPECT_EQ(S.Why, Reason::DoesNotFit);
}

TEST_F(FreeSearchTest, NothingIsSettledWhenAToolFails) {
  SpilledWords = spillsBelow(80);
  Worthwhile = {Rewrite::SkipLoopReduce};
  LeanPressure = Pressure;
  OrderedPressure = Pressure * 4 / 5;
  for (bool IsLimited : {true, false}) {
    StockRegs = IsLimited ? 80 : 31;
    LeanRegs = IsLimited ? 255 : 20;
    FailingCall = ~0u;
    ASSERT_TRUE(search());
    EXPECT_GT(count(Decision::Rewrite), 0u);
    EXPECT_EQ(
        llvm::any_of(
            Built, [](const Build &V) { return V.Order != InstOrder::Source; }),
        IsLimited);
    EXPECT_EQ(count(Decision::Demote) != 0, IsLimited);
    unsigned All = Calls;
    ASSERT_GE(All, IsLimited ? 4u : 3u);
    for (FailingCall = 0; FailingCall != All; ++FailingCall)
      EXPECT_FALSE(search()) << "call " << FailingCall;
  }
}

TEST_F(FreeSearchTest, PressureFarBelowFullOccupancyNeedsNoBuild) {
  Pressure = 16;
  EXPECT_TRUE(isSurelyNotLimited(question()));
  Pressure = 17; // ptxas might take 34 of 32.
  EXPECT_FALSE(isSurelyNotLimited(question()));
}

TEST_F(FreeSearchTest, SharedMemoryCountsInThatJudgement) {
  Facts.StaticShared = 48 * 1024; // 4 blocks: 64 registers
  Pressure = 32;
  EXPECT_TRUE(isSurelyNotLimited(question()));
  Pressure = 33;
  EXPECT_FALSE(isSurelyNotLimited(question()));
}

} // namespace
