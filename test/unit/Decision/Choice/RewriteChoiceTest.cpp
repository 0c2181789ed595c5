//===- RewriteChoiceTest.cpp - passes left out without a stated cap -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FreeSearchHarness.h"

using namespace regdem;

namespace {

class RewriteChoice : public FreeSearchTest {
protected:
  RewriteChoice() {
    ListWorthwhile = {Rewrite::SkipLoopReduce, Rewrite::SkipMachineSink};
  }

  /// Code that issues Steps instructions, half as many without O's passes.
  static auto halvedWithout(Rewrite O) {
    return
        [O](const Build &V) { return issuing(V.Rewrites == O ? 500 : 1000); };
  }
};

TEST_F(RewriteChoice, PassThatCostsInstructionsIsLeftOut) {
  LeanRegs = 20;
  StockRegs = 31; // Full occupancy.
  Code = halvedWithout(Rewrite::SkipLoopReduce);
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Rewrite);
  EXPECT_EQ(S->Why, Reason::PredictedFaster);
  EXPECT_EQ(S->Rewrites, Rewrite::SkipLoopReduce);
  EXPECT_EQ(S->MaxRegs, 0u);
}

TEST_F(RewriteChoice, PassStaysWhereItCostsNoTime) {
  LeanRegs = 20;
  StockRegs = 31;
  Code = [](const Build &) { return issuing(); };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Stock);
  EXPECT_EQ(S->Why, Reason::NotRegisterLimited);
  EXPECT_FALSE(any(S->Rewrites));
  EXPECT_EQ(count(Decision::Rewrite), 1u);
}

TEST_F(RewriteChoice, RegistersThatDoNotLimitAreNotCapped) {
  LeanRegs = 20;
  StockRegs = 31;
  Code = halvedWithout(Rewrite::SkipLoopReduce);
  MaySpillToShared = true;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 2u);
  EXPECT_EQ(count(Decision::Rewrite), 1u);
}

TEST_F(RewriteChoice, SinkingStaysWhereRegistersDoNotLimit) {
  StockRegs = 31;
  ListWorthwhile = {Rewrite::SkipMachineSink};
  Code = halvedWithout(Rewrite::SkipMachineSink);
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(Built.size(), 1u);
  EXPECT_EQ(S->Why, Reason::NotRegisterLimited);
}

TEST_F(RewriteChoice, CodeIsNotReadWhereNoRegisterIsSaved) {
  StockRegs = 31;
  LeanRegs = 255;
  Code = halvedWithout(Rewrite::SkipLoopReduce);
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(count(Decision::Rewrite), 1u);
  EXPECT_EQ(CodesRead, 0u);
  EXPECT_EQ(S->What, Decision::Stock);
}

TEST_F(RewriteChoice, OnlyTheFirstIsTried) {
  ListWorthwhile = {Rewrite::SkipMachineSink, Rewrite::SkipLoopReduce};
  ASSERT_TRUE(search());
  EXPECT_EQ(count(Decision::Rewrite), 1u);
  for (const Build &V : Built)
    EXPECT_NE(V.Rewrites, Rewrite::SkipLoopReduce);
}

TEST_F(RewriteChoice, CapsThatCannotBeatItAreNotTried) {
  Code = [](const Build &V) {
    return any(V.Rewrites) ? issuing(100) : waiting();
  };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Rewrites, Rewrite::SkipLoopReduce);
  for (const Build &V : Built)
    EXPECT_EQ(V.MaxRegs, 0u);
}

TEST_F(RewriteChoice, StepsGoByThePressureThatIsLeft) {
  Pressure = 200; // No step below 100 registers for the stock build.
  LeanPressure = 56;
  ListWorthwhile = {Rewrite::SkipMachineSink};
  Code = [](const Build &V) { return waiting(any(V.Rewrites) ? 40 : 50); };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 48));
}

TEST_F(RewriteChoice, CapsGoOnFromTheFastestRewrite) {
  Code = [](const Build &V) { return waiting(any(V.Rewrites) ? 40 : 50); };
  ListWorthwhile = {Rewrite::SkipMachineSink};
  auto S = search();
  ASSERT_TRUE(S);
  unsigned Capped = 0;
  for (const Build &V : Built)
    if (V.What == Decision::Cap && V.MaxRegs) {
      ++Capped;
      EXPECT_EQ(V.Rewrites, Rewrite::SkipMachineSink);
    }
  EXPECT_GT(Capped, 0u);
}

TEST_F(RewriteChoice, CapsAreThoseOfStockWhereARewriteGainsNothing) {
  ListWorthwhile = {Rewrite::SkipMachineSink};
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_TRUE(wasBuilt(Decision::Cap, 64));
  for (const Build &V : Built)
    EXPECT_FALSE(V.MaxRegs && any(V.Rewrites));
}

TEST_F(RewriteChoice, LimitThatPtxasDerivesIsLiftedToo) {
  ASSERT_TRUE(search());
  unsigned Lifted = 0;
  for (const Build &V : Built)
    Lifted += V.MinBlocks == 1 && any(V.Rewrites);
  EXPECT_EQ(Lifted, 1u);
}

TEST_F(RewriteChoice, ByFiguresAloneItIsNotLifted) {
  HasDisassembler = false;
  ASSERT_TRUE(search());
  for (const Build &V : Built)
    EXPECT_FALSE(V.MinBlocks && any(V.Rewrites));
}

TEST_F(RewriteChoice, NothingIsSettledWhenAToolFails) {
  LeanRegs = 20;
  StockRegs = 31;
  for (FailingCall = 0; FailingCall != 3; ++FailingCall)
    EXPECT_FALSE(search()) << "call " << FailingCall;
}

class StraightLineChoice : public FreeSearchTest {
protected:
  StraightLineChoice() {
    Pressure = LeanPressure = 49; // A cap alone is tried at each step.
    ListWorthwhile = {Rewrite::SkipSLSR};
  }

  /// Words spilled by a cap alone, and without the pass.
  void spill(unsigned With, unsigned Rewrites) {
    SpilledWords = [=](const Build &V) {
      if (V.What == Decision::Demote)
        return 30u;
      if (!V.MaxRegs || V.SmemSpilling)
        return 0u;
      return any(V.Rewrites) ? Rewrites : With;
    };
  }

  unsigned countWithout() const {
    return llvm::count_if(Built,
                          [](const Build &V) { return any(V.Rewrites); });
  }
};

TEST_F(StraightLineChoice, PassThatMakesPtxasSpillIsLeftOut) {
  spill(20, 0);
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Cap);
  EXPECT_NE(S->MaxRegs, 0u);
  EXPECT_EQ(S->Rewrites, Rewrite::SkipSLSR);
  EXPECT_EQ(countWithout(), 1u);
}

TEST_F(StraightLineChoice, WhatItLeavesIsSpilledToSharedMemory) {
  MaySpillToShared = true;
  spill(40, 4);
  Code = [](const Build &V) { // The other pragma is slower.
    if (V.SmemSpilling)
      return waiting(any(V.Rewrites) ? 42 : 50);
    return waiting(V.MaxRegs ? 46 : 40);
  };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Pragma);
  EXPECT_EQ(S->Rewrites, Rewrite::SkipSLSR);
  EXPECT_EQ(countWithout(), 2u);
}

TEST_F(StraightLineChoice, FewerSpilledWordsDoNotOustAFasterBuild) {
  MaySpillToShared = true;
  spill(40, 4);
  Code = [](const Build &V) {
    if (V.SmemSpilling)
      return waiting(any(V.Rewrites) ? 44 : 41);
    return waiting(V.MaxRegs ? 46 : 40);
  };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Pragma);
  EXPECT_FALSE(any(S->Rewrites));
  EXPECT_EQ(countWithout(), 2u);
}

TEST_F(StraightLineChoice, BuildsWithAndWithoutAreReadInOneRun) {
  MaySpillToShared = true;
  spill(40, 4);
  ASSERT_TRUE(search());
  // Stock, the best of the nearest step, of the others, and what comes of the
  // best step: with the pass and without.
  EXPECT_EQ(Readings, 4u);
}

TEST_F(StraightLineChoice, PassStaysWhereItSparesLittleSpillCode) {
  MaySpillToShared = true;
  spill(40, 38);
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_FALSE(any(S->Rewrites));
  EXPECT_EQ(countWithout(), 1u);
}

TEST_F(StraightLineChoice, NothingIsTriedWhereNothingSpills) {
  spill(0, 0);
  ASSERT_TRUE(search());
  EXPECT_EQ(countWithout(), 0u);
}

TEST_F(StraightLineChoice, NothingIsSettledWhenItCannotBeBuilt) {
  MaySpillToShared = true;
  spill(40, 0);
  ASSERT_TRUE(search());
  unsigned All = Calls, Failures = 0;
  for (FailingCall = 0; FailingCall != All; ++FailingCall)
    Failures += !search();
  EXPECT_EQ(Failures, All - 1); // That of the pragma is borne.
}

} // namespace
