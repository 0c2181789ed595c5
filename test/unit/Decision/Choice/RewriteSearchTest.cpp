//===- RewriteSearchTest.cpp - passes left out under a stated cap ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

using namespace regdem;

namespace {

/// Words spilled without demotion: Stock's, and with a pass left out.
Assembler spillsWithout(unsigned Stock, unsigned Reduced, unsigned Sunk) {
  return [=](Build &V) {
    unsigned Words = V.Rewrites == Rewrite::SkipLoopReduce    ? Reduced
                     : V.Rewrites == Rewrite::SkipMachineSink ? Sunk
                                                              : Stock;
    spill(V, V.What == Decision::Demote ? Words / 10 : Words);
  };
}

TEST_F(CapSearch, PassThatCostsTheSpillIsLeftOut) {
  Worthwhile = {Rewrite::SkipLoopReduce, Rewrite::SkipMachineSink};
  Outcome S = settled(spillsWithout(100, 0, 100));
  EXPECT_EQ(S.Rewrites, Rewrite::SkipLoopReduce);
  EXPECT_EQ(S.chosen()->What, Decision::Cap);
  EXPECT_EQ(S.chosen()->Rewrites, Rewrite::SkipLoopReduce);
  EXPECT_EQ(S.chosen()->MaxRegs, Cap);
  EXPECT_EQ(count(Decision::Demote), 1u); // One plan comes before rewrites.
}

TEST_F(CapSearch, DemotionGoesOnFromTheBestRewrite) {
  Worthwhile = {Rewrite::SkipLoopReduce, Rewrite::SkipMachineSink};
  Outcome S = settled(spillsWithout(100, 60, 30));
  EXPECT_EQ(S.Rewrites, Rewrite::SkipMachineSink);
  EXPECT_EQ(S.chosen()->What, Decision::Demote);
  unsigned Elsewhere = 0;
  for (const Build &V : Built)
    Elsewhere +=
        V.What == Decision::Demote && V.Rewrites != Rewrite::SkipMachineSink;
  EXPECT_EQ(Elsewhere, 1u); // Before rewrites are tried.
}

/// Words spilled with skip-slsr, which shows in ptxas's figures only, and
/// without it, when the kernel is demoted.
Assembler demotedWithout(unsigned Left, unsigned Kept) {
  return [=](Build &V) {
    bool Demotes = V.What == Decision::Demote;
    if (V.Rewrites == Rewrite::SkipSLSR)
      spill(V, Demotes ? Left : 30);
    else
      spill(V, Demotes ? Kept : 100);
  };
}

TEST_F(CapSearch, WhatWasLeftOutStaysOutWhereDemotionDoesBetter) {
  Worthwhile = {Rewrite::SkipSLSR};
  Outcome S = settled(demotedWithout(5, 10));
  EXPECT_EQ(S.chosen()->What, Decision::Demote);
  EXPECT_EQ(S.Rewrites, Rewrite::SkipSLSR);
}

TEST_F(CapSearch, OfWhatMayBeLeftOutTheCheaperGoes) {
  Worthwhile = {Rewrite::SkipLoopReduce, Rewrite::SkipSLSR};
  Outcome S = settled([](Build &V) {
    spill(V, has(V.Rewrites, Rewrite::SkipSLSR)         ? 0
             : has(V.Rewrites, Rewrite::SkipLoopReduce) ? 20
                                                        : 100);
  });
  EXPECT_EQ(S.Rewrites, Rewrite::SkipSLSR);
}

TEST_F(CapSearch, RewriteThatLeavesMostOfTheSpillIsNotTaken) {
  Worthwhile = {Rewrite::SkipLoopReduce};
  EXPECT_FALSE(any(settled(spillsWithout(100, 95, 100)).Rewrites));
  for (const Build &V : Built)
    EXPECT_FALSE(V.What == Decision::Demote && any(V.Rewrites));
}

TEST_F(CapSearch, NothingIsLeftOutOfAKernelThatFits) {
  Worthwhile = {Rewrite::SkipLoopReduce};
  ASSERT_TRUE(search([](Build &V) { V.PressureAfter = 20; }));
  EXPECT_EQ(Built.size(), 2u);
}

TEST_F(CapSearch, RewritesAreTriedWherePressureIsAboveTheCap) {
  Worthwhile = {Rewrite::SkipLoopReduce};
  Outcome S = settled([](Build &V) { V.PressureAfter = Cap + 1; });
  EXPECT_EQ(Built.back().Rewrites, Rewrite::SkipLoopReduce);
  EXPECT_FALSE(any(S.Rewrites));
}

TEST_F(CapSearch, CapOfTheKernelsOwnNeedsNoNewOne) {
  Goal.CapIsNew = false;
  Worthwhile = {Rewrite::SkipMachineSink};
  EXPECT_EQ(settled(spillsWithout(100, 100, 0)).chosen()->What,
            Decision::Rewrite);
  EXPECT_EQ(count(Decision::Cap), 0u);
}

TEST_F(CapSearch, RewriteHelpsWithoutRoomForASlot) {
  Goal.SlotBytes = 0;
  Worthwhile = {Rewrite::SkipMachineSink};
  EXPECT_EQ(settled(spillsWithout(100, 100, 10)).Rewrites,
            Rewrite::SkipMachineSink);
}

// flash with 128 channels and dynamic shared memory: 32 bytes of spill code
// less without loop strength reduction, and 1.06 times the time on an H200.
TEST_F(CapSearch, RewriteIsPredictedWithoutRoomForASlot) {
  Goal.SlotBytes = 0;
  Worthwhile = {Rewrite::SkipLoopReduce};
  CyclesOf = [](const Build &V) { return any(V.Rewrites) ? 200 : 100; };
  Outcome S = settled([Spill = spillsWithout(100, 10, 100)](Build &V) {
    Spill(V);
    V.BlocksPerSM = 4;
  });
  EXPECT_FALSE(any(S.Rewrites));
  EXPECT_EQ(S.chosen()->What, Decision::Cap);
}

TEST(RewriteNames, AreReadAsTheyAreWritten) {
  for (unsigned Bits = 0; Bits != 256; ++Bits) {
    auto Set = static_cast<Rewrite>(Bits);
    EXPECT_EQ(any(Set), Bits != 0);
    EXPECT_EQ(parseRewrites(toString(Set)), Set);
  }
  EXPECT_EQ(toString(Rewrite::None), "");
  EXPECT_EQ(toString(Rewrite::SkipSLSR | Rewrite::SkipLoopReduce),
            "skip-loop-reduce,skip-slsr");
  EXPECT_EQ(toString(Rewrite::UnrollLoops), "unroll-loops");
  EXPECT_EQ(toString(Rewrite::LowerArrays), "lower-arrays");
  EXPECT_EQ(toString(Rewrite::UnrollLoops | Rewrite::LowerArrays),
            "unroll-loops,lower-arrays");
}

TEST(RewriteNames, InWordsEachHasAPhrase) {
  EXPECT_EQ(describe(Rewrite::None), "");
  EXPECT_EQ(describe(Rewrite::SkipSLSR | Rewrite::SkipLoopReduce),
            "without loop-reduce, without slsr");
  EXPECT_EQ(describe(Rewrite::UnrollLoops | Rewrite::SkipSLSR),
            "without slsr, with loops unrolled");
}

TEST(RewriteNames, OthersNameNothing) {
  for (const char *Names :
       {"licm", "slsr", "skip-machine-sink,skip-loop-reduce",
        "skip-slsr,skip-slsr", "skip-slsr,", "skip-loop-reduce,licm"})
    EXPECT_EQ(parseRewrites(Names), Rewrite::None) << Names;
}

} // namespace
