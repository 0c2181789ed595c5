//===- FreeSearchStepsTest.cpp - fewer blocks than stock ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas limits registers by a rule of thumb where nobody tells it how many
// blocks to make room for. Without that limit it may take so many that few
// blocks are left; what lies between is tried.
//
//===----------------------------------------------------------------------===//

#include "FreeSearchHarness.h"

using namespace regdem;

namespace {

TEST_F(FreeSearchTest, StepsBetweenThePtxasLimitAndNoneAreTried) {
  Pressure = 60;
  StockRegs = 64;   // 4 blocks
  LiftedRegs = 255; // 1 block
  Code = [](const Build &V) {
    return waiting(V.MaxRegs == 128 ? 10 : V.MinBlocks ? 20 : 50);
  };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_TRUE(wasBuilt(Decision::Cap, 80));
  EXPECT_TRUE(wasBuilt(Decision::Cap, 128));
  EXPECT_FALSE(wasBuilt(Decision::Cap, 64));
  EXPECT_FALSE(wasBuilt(Decision::Cap, 255));
  EXPECT_EQ(S->What, Decision::Cap);
  EXPECT_EQ(S->MaxRegs, 128u);
}

// A launch of few blocks has nothing of more warps but what they cost.
TEST_F(FreeSearchTest, MoreBlocksAreNotWorthMuchMoreTimeOfALoneOne) {
  unsigned Loads = 0;
  Code = [&](const Build &V) { // 3 blocks as stock, 4 with 64 registers
    return waiting(V.MaxRegs == 64 ? Loads : V.MaxRegs ? 500 : 50);
  };
  for (auto [Taken, Cap] : {std::pair(56u, 64u), std::pair(59u, 0u)}) {
    Loads = Taken;
    auto S = search();
    ASSERT_TRUE(S);
    EXPECT_GT(S->Predicted->Gain, 0.035) << Taken;
    EXPECT_EQ(S->MaxRegs, Cap) << Taken;
  }
}

TEST_F(FreeSearchTest, FewerBlocksAreNotTriedWhereTheLimitCostsNone) {
  Pressure = 50;
  StockRegs = 64;  // 4 blocks
  LiftedRegs = 80; // 3 blocks, and nothing between
  Code = [](const Build &) { return waiting(); };
  ASSERT_TRUE(search());
  for (unsigned Cap : {64, 80, 128, 255})
    EXPECT_FALSE(wasBuilt(Decision::Cap, Cap)) << Cap;
  EXPECT_TRUE(wasBuilt(Decision::Cap, 48));
}

TEST_F(FreeSearchTest, FewerBlocksAreNotTriedWhereTheyCostMuch) {
  Pressure = 60;
  StockRegs = 64;
  LiftedRegs = 255;
  Code = [](const Build &) { return waiting(); };
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Cap, 80));
  EXPECT_FALSE(wasBuilt(Decision::Cap, 128));
}

// What the code would take with fewer blocks is no bound for other code with
// more registers, which is not worth more than a build, even if it spills.
TEST_F(FreeSearchTest, FewerBlocksThatCostNothingAreTriedByTheCapAlone) {
  Pressure = 90;
  StockRegs = 64;
  LiftedRegs = 255;
  SpilledWords = [](const Build &V) { return V.MaxRegs == 80 ? 4u : 0u; };
  Code = [](const Build &) { return issuing(); };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 80));
  EXPECT_TRUE(wasBuilt(Decision::Cap, 128));
  EXPECT_EQ(Built.size(), 4u);
}

// Shared parts of addresses may be what it spills for.
TEST_F(FreeSearchTest,
       FewerBlocksThatSpillALittleAreTriedWithAddressesChained) {
  Pressure = LeanPressure = 90;
  StockRegs = 64;
  LiftedRegs = 255;
  ListWorthwhile = {Rewrite::SkipSLSR, Rewrite::ChainAddresses};
  Code = [](const Build &) { return issuing(); };
  for (unsigned Words : {0u, 8u, 9u}) { // 64 bytes are a little.
    SpilledWords = [Words](const Build &V) {
      return V.MaxRegs == 80 && !any(V.Rewrites) ? Words : 0u;
    };
    ASSERT_TRUE(search());
    unsigned Without = 0;
    for (const Build &V : Built)
      Without += V.MaxRegs == 80 && any(V.Rewrites);
    EXPECT_EQ(Without, Words == 8 ? 1u : 0u) << Words;
  }
}

// Nor does it matter that the pressure is far above such a cap.
TEST_F(FreeSearchTest, FewerBlocksOfACrowdedKernelAreTriedByTheCapAlone) {
  Pressure = 110;
  StockRegs = 64;
  LiftedRegs = 255;
  Code = [](const Build &) { return issuing(); };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 80));
  EXPECT_TRUE(wasBuilt(Decision::Cap, 128));
  EXPECT_EQ(count(Decision::Demote), 0u);
}

TEST_F(FreeSearchTest, LimitMayBeLiftedWhereItIsAllThatHoldsTheBlocks) {
  StockRegs = 32; // 8 blocks; 33 registers leave 6.
  LiftedRegs = 40;
  Code = [](const Build &V) { return waiting(V.MinBlocks ? 20 : 50); };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Cap);
  EXPECT_EQ(S->MinBlocks, 1u);
  EXPECT_EQ(S->Why, Reason::PredictedFaster);
  EXPECT_EQ(Built.size(), 2u); // No cap is tried.
}

TEST_F(FreeSearchTest, CooperativeKernelKeepsItsBlocks) {
  StockRegs = 32;
  LiftedRegs = 40;
  Code = [](const Build &V) { return waiting(V.MinBlocks ? 20 : 50); };
  auto Free = search();
  ASSERT_TRUE(Free);
  Facts.IsCooperative = true;
  auto Cooperative = search();
  ASSERT_TRUE(Cooperative);
  EXPECT_TRUE(Built[1].BlocksPerSM < Built[0].BlocksPerSM);
  EXPECT_FALSE(Free->choosesStock());
  EXPECT_TRUE(Cooperative->choosesStock());
}

TEST_F(FreeSearchTest, LimitThatHoldsTheBlocksStaysWhereLiftingIsNoFaster) {
  StockRegs = 32;
  LiftedRegs = 40;
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Stock);
  EXPECT_EQ(S->Why, Reason::NotRegisterLimited);
  EXPECT_EQ(CodesRead, 2u);
  // The same code need not be read.
  LiftedRegs = 0;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 2u);
  EXPECT_EQ(CodesRead, 0u);
}

TEST_F(FreeSearchTest, LimitThatHoldsTheBlocksStaysWhereWarpsNeedNotWait) {
  StockRegs = 32; // 8 blocks: 16 warps for each scheduler
  LiftedRegs = 40;
  Alone = {/*Instructions=*/100, /*Cycles=*/1280};
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 2u);
  Alone.Cycles = 1279;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 1u);
  StockRegs = 80; // Here registers limit it.
  LiftedRegs = 112;
  ASSERT_TRUE(search());
  EXPECT_TRUE(Built[1].liftsLimit());
}

TEST_F(FreeSearchTest, LimitThatHoldsTheBlocksIsLiftedWhereArraysOverflowL1) {
  StockRegs = 32; // 8 blocks of 256 threads, and no shared memory
  LiftedRegs = 40;
  Alone = {/*Instructions=*/100, /*Cycles=*/100}; // No warp has to wait.
  FrameBytes = 64;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 1u);
  FrameBytes = 256;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 2u);
}

TEST_F(FreeSearchTest, LiftedLimitAloneShowsThatRegistersDoNotLimitArrays) {
  StockRegs = LiftedRegs = 32;
  Facts.LocalBytes = FrameBytes = 256;
  auto S = search();
  ASSERT_TRUE(S);
  ASSERT_EQ(Built.size(), 1u);
  EXPECT_TRUE(Built.front().liftsLimit());
  EXPECT_EQ(CodesRead, 0u);
  EXPECT_EQ(S->What, Decision::Stock);
  EXPECT_EQ(S->Why, Reason::NotRegisterLimited);
  // The same is decided with stock's figures.
  WantsFigures = true;
  S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Why, Reason::NotRegisterLimited);
  ASSERT_EQ(S->Builds.size(), 1u);
  EXPECT_EQ(S->Builds.front().What, Decision::Stock);
}

TEST_F(FreeSearchTest, LiftedLimitThatTakesMoreRegistersHasRivals) {
  StockRegs = 32;
  LiftedRegs = 40;
  Facts.LocalBytes = FrameBytes = 256;
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Builds.size(), 2u);
  EXPECT_EQ(CodesRead, 2u);
  // As has one of which a pass may be left out.
  LiftedRegs = 32;
  ListWorthwhile = {Rewrite::SkipLoopReduce};
  LeanRegs = 24;
  ASSERT_TRUE(search());
  EXPECT_EQ(count(Decision::Stock), 1u);
  EXPECT_EQ(count(Decision::Rewrite), 1u);
}

TEST_F(FreeSearchTest, StockComesFirstWhereArraysAreFewOrBlocksAreStated) {
  StockRegs = LiftedRegs = 32;
  FrameBytes = 256;
  Facts.LocalBytes = 64; // All of an SM's fit L1.
  Alone = {/*Instructions=*/100, /*Cycles=*/100};
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.front().What, Decision::Stock);
  Facts.LocalBytes = 256;
  Facts.MinBlocks = 8;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.front().What, Decision::Stock);
  Facts.MinBlocks = 0;
  HasDisassembler = false;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.front().What, Decision::Stock);
}

TEST_F(FreeSearchTest, LimitThatHoldsTheBlocksStaysWithoutItsOwnReason) {
  StockRegs = 32;
  LiftedRegs = 40;
  HasDisassembler = false; // Figures know no latency.
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 1u);
  HasDisassembler = true;
  Facts.MinBlocks = 8; // The source has set it.
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 1u);
}

// As many loads for each block: 110 with three on an SM, 147 with four.
TEST_F(FreeSearchTest, NearestOfTheStepsPredictedAlikeIsRefined) {
  StockRegs = 112; // 2 blocks
  Pressure = 84;
  MaySpillToShared = true;
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 10u : 0u; };
  unsigned LoadsAt64 = 147;
  Code = [&](const Build &V) {
    if (V.MaxRegs == 64 || V.MaxRegs == 80)
      return waiting(V.MaxRegs == 64 ? LoadsAt64 : 110);
    return waiting(V.MaxRegs ? 900 : 80);
  };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Pragma, 80));
  EXPECT_FALSE(wasBuilt(Decision::Pragma, 64));
  LoadsAt64 = 110;
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Pragma, 80));
  EXPECT_TRUE(wasBuilt(Decision::Pragma, 64));
}

// With four blocks the loads of stock take three fourths of the time.
TEST_F(FreeSearchTest, StepsThatLeaveNothingToGainAreNotRefined) {
  MaySpillToShared = true;
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 10u : 0u; };
  unsigned LoadsAt64 = 0;
  Code = [&](const Build &V) {
    return waiting(V.MaxRegs == 64 ? LoadsAt64 : V.MaxRegs ? 900 : 100);
  };
  for (unsigned Loads : {110, 125}) {
    LoadsAt64 = Loads;
    ASSERT_TRUE(search());
    EXPECT_TRUE(wasBuilt(Decision::Pragma, 64)) << Loads;
  }
  LoadsAt64 = 101; // Next to what the warps can bring.
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Pragma, 64));
  // Stock, the nearest step, and what else is tried at all.
  EXPECT_EQ(Readings, 3u);
}

// 64 registers make room for a fourth block, 48 for a fifth.
TEST_F(FreeSearchTest, WhatTheNearestStepCostsIsCountedAgainstFewerRegisters) {
  Pressure = 50;
  SpilledWords = [](const Build &V) { return V.MaxRegs == 64 ? 10u : 0u; };
  unsigned LoadsAt64 = 0;
  Code = [&](const Build &V) {
    return waiting(V.MaxRegs == 64 ? LoadsAt64 : 100);
  };
  for (unsigned Loads : {100, 110}) {
    LoadsAt64 = Loads;
    ASSERT_TRUE(search());
    EXPECT_TRUE(wasBuilt(Decision::Cap, 48)) << Loads;
  }
  LoadsAt64 = 190;
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Cap, 48));
  SpilledWords = [](const Build &) { return 0; };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 48)); // It may be by chance.
}

TEST_F(FreeSearchTest, StepsThatCouldOnlyTieWithTheNearestOneAreNotTried) {
  Pressure = 50;
  unsigned LoadsAt64 = 0;
  Code = [&](const Build &V) {
    return waiting(V.MaxRegs == 64 ? LoadsAt64 : 100);
  };
  LoadsAt64 = 95;
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 48));
  LoadsAt64 = 75; // As fast with 4 blocks as the others with 5.
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Cap, 48));
}

TEST_F(FreeSearchTest, WhatTheNearestStepCostsSaysNothingOfMoreRegisters) {
  Pressure = 60;
  StockRegs = 64;   // 4 blocks
  LiftedRegs = 255; // 1 block, and steps between at 80 and 128
  Code = [](const Build &V) {
    return V.MaxRegs == 80 ? issuing(3000) : issuing();
  };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 80));
  EXPECT_TRUE(wasBuilt(Decision::Cap, 128));
}

TEST_F(FreeSearchTest, StepsFarBehindTheFastestBuildAreNotRefined) {
  MaySpillToShared = true;
  LiftedRegs = 112; // 2 blocks
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 10u : 0u; };
  unsigned LiftedLoads = 100;
  Code = [&](const Build &V) {
    if (V.MinBlocks)
      return waiting(LiftedLoads);
    return waiting(V.MaxRegs == 64 ? 135 : V.MaxRegs ? 900 : 100);
  };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Pragma, 64));
  LiftedLoads = 55; // 0.83 of stock's time
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Pragma, 64));
}

TEST_F(FreeSearchTest, LimitIsNotLiftedWhereStockSpillsWithAllRegisters) {
  auto CountLifted = [this] {
    return llvm::count_if(Built, [](const Build &V) { return V.MinBlocks; });
  };
  StockRegs = 255;
  Pressure = 200;
  ASSERT_TRUE(search());
  EXPECT_EQ(CountLifted(), 1);
  SpilledWords = [](const Build &) { return 10; };
  ASSERT_TRUE(search());
  EXPECT_EQ(CountLifted(), 0);
}

TEST_F(FreeSearchTest, PressureSaysNothingOfWhatIsCalled) {
  Facts.HasCalls = true;
  FreeGoal Goal{Facts, O, *lookupSMLimits(90), 16, false};
  EXPECT_FALSE(isSurelyNotLimited(Goal));
}

} // namespace
