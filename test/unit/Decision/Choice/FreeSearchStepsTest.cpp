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

#include "SearchHarness.h"
#include "regdem/Decision/Builds/LaunchRows.h"

using namespace regdem;

namespace {

// A launch of few blocks has nothing of more warps but what they cost.
TEST_F(FreeSearchTest, MoreBlocksAreNotWorthMuchMoreTimeOfALoneOne) {
  unsigned Loads = 0;
  Code = [&](const Build &V) { // 3 blocks as stock, 4 with 64 registers
    return waiting(V.MaxRegs == 64 ? Loads : V.MaxRegs ? 500 : 50);
  };
  for (auto [Taken, Cap] : {std::pair(56u, 64u), std::pair(59u, 0u)}) {
    Loads = Taken;
    Outcome S = settled();
    EXPECT_GT(S.Predicted->Gain, 0.035) << Taken;
    EXPECT_EQ(S.MaxRegs, Cap) << Taken;
  }
}

// Stock holds 3 blocks, with 64 registers 4. A grid of 3 needs no more, one of
// 4 is done in one round instead of two, and one of 5 takes two of each.
TEST_F(FreeSearchTest, GridsThatAreKnownDecideHowManyBlocksAreWorthIt) {
  Code = [](const Build &V) {
    return waiting(V.MaxRegs == 64 ? 60 : V.MaxRegs ? 500 : 50);
  };
  for (auto [Blocks, Cap] :
       {std::pair(3u, 0u), std::pair(4u, 64u), std::pair(5u, 0u)}) {
    Noted.Grids = {{Blocks, 1}};
    EXPECT_EQ(settled().MaxRegs, Cap) << Blocks;
  }
  Noted.Grids = {{4, 0.1}, {3, 0.9}};
  EXPECT_EQ(settled().MaxRegs, 0u);
}

TEST_F(FreeSearchTest, RoundsOfManyBlocksGetOutOfStep) {
  Code = [](const Build &V) { return waiting(V.MaxRegs ? 53 : 50); };
  auto Free = search();
  Noted.Grids = {{Tuned.RoundsInStep * 3 + 1, 1}};
  auto Large = search();
  ASSERT_TRUE(Free && Large);
  EXPECT_EQ(Large->MaxRegs, Free->MaxRegs);
  EXPECT_DOUBLE_EQ(Large->chosen()->Cycles, Free->chosen()->Cycles);
}

TEST_F(FreeSearchTest, LimitMayBeLiftedWhereItIsAllThatHoldsTheBlocks) {
  StockRegs = 32; // 8 blocks; 33 registers leave 6.
  LiftedRegs = 40;
  Code = [](const Build &V) { return waiting(V.MinBlocks ? 20 : 50); };
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  EXPECT_EQ(S.MinBlocks, 1u);
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_EQ(Built.size(), 2u); // No cap is tried.
}

TEST_F(FreeSearchTest, CooperativeKernelKeepsItsBlocks) {
  StockRegs = 32;
  LiftedRegs = 40;
  Code = [](const Build &V) { return waiting(V.MinBlocks ? 20 : 50); };
  Outcome Free = settled();
  Facts.IsCooperative = true;
  Outcome Cooperative = settled();
  EXPECT_TRUE(Built[1].BlocksPerSM < Built[0].BlocksPerSM);
  EXPECT_FALSE(Free.choosesStock());
  EXPECT_TRUE(Cooperative.choosesStock());
}

TEST_F(FreeSearchTest, LimitThatHoldsTheBlocksStaysWhereLiftingIsNoFaster) {
  StockRegs = 32;
  LiftedRegs = 40;
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Stock);
  EXPECT_EQ(S.Why, Reason::NotRegisterLimited);
  EXPECT_EQ(CodesRead, 2u);
  // The same code need not be read.
  LiftedRegs = 0;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 2u);
  EXPECT_EQ(CodesRead, 0u);
}

TEST_F(FreeSearchTest, LimitThatHoldsTheBlocksIsLifted) {
  StockRegs = 32; // 8 blocks, with one register more 7
  LiftedRegs = 40;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 2u);
  StockRegs = 80; // Here registers limit it.
  LiftedRegs = 112;
  ASSERT_TRUE(search());
  EXPECT_TRUE(Built[1].liftsLimit());
}

TEST_F(FreeSearchTest, LimitThatHoldsTheBlocksStaysWithoutItsOwnReason) {
  StockRegs = 32;
  LiftedRegs = 40;
  Facts.MinBlocks = 8; // The source has set it.
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 1u);
}

TEST_F(FreeSearchTest, MoreIsTriedAtTheFastestStepIfNothingElseIsAsFast) {
  StockRegs = 112; // 2 blocks
  Pressure = 84;
  MaySpillToShared = true;
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 10u : 0u; };
  unsigned LoadsAt80 = 100, LoadsAt64 = 147;
  Code = [&](const Build &V) {
    return waiting(!V.MaxRegs        ? 80
                   : V.MaxRegs == 80 ? LoadsAt80
                   : V.MaxRegs == 64 ? LoadsAt64
                                     : 900);
  };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Pragma, 80));
  EXPECT_FALSE(wasBuilt(Decision::Pragma, 64));
  LoadsAt64 = 110;
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Pragma, 80));
  EXPECT_TRUE(wasBuilt(Decision::Pragma, 64));
  LoadsAt80 = LoadsAt64 = 200; // Stock is faster.
  ASSERT_TRUE(search());
  EXPECT_FALSE(wasBuilt(Decision::Pragma, 80));
  EXPECT_FALSE(wasBuilt(Decision::Pragma, 64));
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
  Pressure = 16;
  EXPECT_FALSE(isSurelyNotLimited(question()));
}

/// Code that three blocks on an SM keep it busy with: a warp issues every
/// eleventh cycle, which takes two, and each partition has two warps of a
/// block.
CodeSummary busyWithThree() {
  CodeSummary C = issuing();
  for (TraceStep &Step : C.Trace)
    Step.Stall = 11;
  return C;
}

// Four blocks at a time take as long each as three do, but a grid of four on
// each SM is done with one round.
TEST_F(FreeSearchTest, LaunchesMayTakeWhatSavesARound) {
  StockRegs = 80; // 3 blocks
  Code = [](const Build &) { return busyWithThree(); };
  Outcome S = settled();
  EXPECT_TRUE(S.choosesStock());
  O.BlockSizeOfLaunch = true;
  S = settled();
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_EQ(S.MaxRegs, 64u);
  EXPECT_GT(S.chosen()->Cycles, 0.95 * S.stock()->Cycles);
  EXPECT_FALSE(paysAtLaunch(*S.chosen(), *S.stock()));
  EXPECT_GT(gainAtLaunch(*S.chosen(), *S.stock()), 0.25);
}

// Spill code costs more than the round.
TEST_F(FreeSearchTest, LaunchesLeaveWhatSavesARoundInVain) {
  StockRegs = 80;
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 20 : 0; };
  Code = [](const Build &V) {
    CodeSummary C = busyWithThree();
    if (V.spillBytes())
      append_range(C.Trace, CodeSummary(C).Trace);
    return C;
  };
  O.BlockSizeOfLaunch = true;
  EXPECT_TRUE(settled().choosesStock());
}

// It gains nothing without a cap, and spills nothing under one.
TEST_F(FreeSearchTest, RewritesThatSaveRegistersAreTriedUnderACap) {
  StockRegs = 80;
  Facts.HasCalls = true;
  Rewrite Inlined = Rewrite::InlineCalls | Rewrite::HoistBranches;
  Worthwhile = {Inlined};
  RewrittenRegs = 70;
  SpilledWords = [](const Build &V) {
    return V.MaxRegs && !any(V.Rewrites) ? 20 : 0;
  };
  auto NumCapped = [&] {
    return llvm::count_if(Built, [&](const Build &V) {
      return V.MaxRegs && V.Rewrites == Inlined;
    });
  };
  EXPECT_EQ(settled().Rewrites, Inlined);
  EXPECT_GT(NumCapped(), 0);
  RewrittenRegs = 79; // Too few to matter.
  ASSERT_TRUE(search());
  EXPECT_EQ(NumCapped(), 0);
}

} // namespace
