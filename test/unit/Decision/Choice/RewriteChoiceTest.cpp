//===- RewriteChoiceTest.cpp - passes left out without a stated cap -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"
#include <set>

using namespace regdem;

namespace {

class RewriteChoice : public FreeSearchTest {
protected:
  RewriteChoice() {
    Worthwhile = {Rewrite::SkipLoopReduce, Rewrite::SkipMachineSink};
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
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Rewrite);
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_EQ(S.Rewrites, Rewrite::SkipLoopReduce);
  EXPECT_EQ(S.MaxRegs, 0u);
}

TEST_F(RewriteChoice, PassStaysWhereItCostsNoTime) {
  LeanRegs = 20;
  StockRegs = 31;
  Code = [](const Build &) { return issuing(); };
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Stock);
  EXPECT_EQ(S.Why, Reason::NotRegisterLimited);
  EXPECT_FALSE(any(S.Rewrites));
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
  Worthwhile = {Rewrite::SkipMachineSink};
  Code = halvedWithout(Rewrite::SkipMachineSink);
  Outcome S = settled();
  EXPECT_EQ(Built.size(), 1u);
  EXPECT_EQ(S.Why, Reason::NotRegisterLimited);
}

TEST_F(RewriteChoice, ProductsOfWordsAreTakenWhereRegistersDoNotLimit) {
  StockRegs = 31;
  Worthwhile = {Rewrite::WideProducts};
  Code = halvedWithout(Rewrite::WideProducts);
  Outcome S = settled();
  EXPECT_EQ(Built.size(), 2u);
  EXPECT_EQ(S.Rewrites, Rewrite::WideProducts);
}

TEST_F(RewriteChoice, WideAccessesGoWithAllElseThatMemoryIsAskedLess) {
  StockRegs = 31;
  OfMemory = Rewrite::CheaperAccesses | Rewrite::LowerArrays;
  Worthwhile = {Rewrite::CheaperAccesses,
                Rewrite::CheaperAccesses | Rewrite::LowerArrays};
  Code = [](const Build &V) { return issuing(any(V.Rewrites) ? 500 : 1000); };
  Outcome S = settled();
  EXPECT_EQ(Built.size(), 3u);
  EXPECT_TRUE(has(S.Rewrites, Rewrite::CheaperAccesses));
}

TEST_F(RewriteChoice, ProductsOfWordsAreTriedBesideAPass) {
  Worthwhile = {Rewrite::SkipMachineSink, Rewrite::WideProducts};
  Code = halvedWithout(Rewrite::WideProducts);
  Outcome S = settled();
  EXPECT_EQ(count(Decision::Rewrite), 2u);
  EXPECT_EQ(S.Rewrites, Rewrite::WideProducts);
}

TEST_F(RewriteChoice, OnlyTheFirstIsTried) {
  Worthwhile = {Rewrite::SkipMachineSink, Rewrite::SkipLoopReduce};
  ASSERT_TRUE(search());
  EXPECT_EQ(count(Decision::Rewrite), 1u);
  for (const Build &V : Built)
    EXPECT_NE(V.Rewrites, Rewrite::SkipLoopReduce);
}

TEST_F(RewriteChoice, CapsThatCannotBeatItAreNotTried) {
  Code = [](const Build &V) {
    return any(V.Rewrites) ? issuing(100) : waiting();
  };
  EXPECT_EQ(settled().Rewrites, Rewrite::SkipLoopReduce);
  for (const Build &V : Built)
    EXPECT_EQ(V.MaxRegs, 0u);
}

TEST_F(RewriteChoice, StepsGoByThePressureThatIsLeft) {
  Pressure = 200; // No step below 100 registers for the stock build.
  LeanPressure = 56;
  Worthwhile = {Rewrite::SkipMachineSink};
  Code = [](const Build &V) { return waiting(any(V.Rewrites) ? 40 : 50); };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 48));
}

TEST_F(RewriteChoice, CapsGoOnFromTheFastestRewrite) {
  Code = [](const Build &V) { return waiting(any(V.Rewrites) ? 40 : 50); };
  Worthwhile = {Rewrite::SkipMachineSink};
  ASSERT_TRUE(search());
  unsigned Capped = 0;
  for (const Build &V : Built)
    if (V.What == Decision::Cap && V.MaxRegs) {
      ++Capped;
      EXPECT_EQ(V.Rewrites, Rewrite::SkipMachineSink);
    }
  EXPECT_GT(Capped, 0u);
}

TEST_F(RewriteChoice, CapsAreThoseOfStockWhereARewriteGainsNothing) {
  Worthwhile = {Rewrite::SkipMachineSink};
  ASSERT_TRUE(search());
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

class AddressChoice : public FreeSearchTest {
protected:
  AddressChoice() {
    Pressure = LeanPressure = 49;
    Worthwhile = {Rewrite::SkipSLSR};
  }

  /// Words spilled by a cap alone, and with Rewritten.
  void spill(unsigned With, unsigned Less, Rewrite Rewritten) {
    SpilledWords = [=](const Build &V) {
      if (V.What == Decision::Demote)
        return 30u;
      return !V.MaxRegs ? 0u : V.Rewrites == Rewritten ? Less : With;
    };
  }

  std::set<unsigned> capsWithRewrites() const {
    std::set<unsigned> Caps;
    for (const Build &V : Built)
      if (any(V.Rewrites))
        Caps.insert(V.MaxRegs);
    return Caps;
  }
};

TEST_F(AddressChoice, WhatTakesTheSpillAwayIsChosen) {
  spill(20, 0, Rewrite::SkipSLSR);
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  EXPECT_EQ(S.Rewrites, Rewrite::SkipSLSR);
  EXPECT_EQ(capsWithRewrites().size(), 1u) << "at the fastest step alone";
}

TEST_F(AddressChoice, AddressesStayWhereThatSparesLittle) {
  spill(40, 38, Rewrite::SkipSLSR);
  EXPECT_FALSE(any(settled().Rewrites));
}

TEST_F(AddressChoice, NothingIsTriedWhereNothingSpills) {
  ASSERT_TRUE(search());
  EXPECT_TRUE(capsWithRewrites().empty());
}

} // namespace
