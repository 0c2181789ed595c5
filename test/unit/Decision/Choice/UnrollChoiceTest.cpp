//===- UnrollChoiceTest.cpp - loops unrolled without a stated cap ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

using namespace regdem;

namespace {

class RollingChoice : public FreeSearchTest {
protected:
  RollingChoice() {
    Worthwhile = {Rewrite::UnrollLoops};
    LeanPressure = Pressure; // ptxas takes as many registers.
    Code = [](const Build &V) {
      return issuing(has(V.Rewrites, Rewrite::UnrollLoops) ? 500 : 1000);
    };
  }
};

TEST_F(RollingChoice, LoopsAreUnrolledWhereThatIsFaster) {
  Outcome S = settled();
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_EQ(S.Rewrites, Rewrite::UnrollLoops);
  // Alone on an SM a block gains, too, which outweighs the margin.
  EXPECT_EQ(S.Predicted->Margin, 0);
}

TEST_F(RollingChoice, LoopsAreUnrolledThoughRegistersDoNotLimit) {
  StockRegs = 31;
  Outcome S = settled();
  EXPECT_EQ(Built.size(), 2u);
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_EQ(S.Rewrites, Rewrite::UnrollLoops);
}

TEST_F(RollingChoice, LoopsAreUnrolledWhereBuildsAreComparedForArrays) {
  StockRegs = 31;
  OfMemory = Rewrite::LowerArrays;
  Outcome S = settled();
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_EQ(S.Rewrites, Rewrite::UnrollLoops);
}

// Half the waits, and a third of the blocks: full SMs lose, one block gains.
TEST_F(RollingChoice, LaunchesMayTakeWhatGainsWithOneBlockOnAnSM) {
  StockRegs = 31;
  RewrittenRegs = 90;
  Code = [](const Build &V) {
    return waiting(has(V.Rewrites, Rewrite::UnrollLoops) ? 25 : 50);
  };
  Outcome S = settled();
  EXPECT_EQ(S.Rewrites, Rewrite());
  O.BlockSizeOfLaunch = true;
  S = settled();
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_EQ(S.Rewrites, Rewrite::UnrollLoops);
  EXPECT_GT(S.chosen()->Cycles, S.stock()->Cycles);
  EXPECT_LT(S.chosen()->LoneCycles, S.stock()->LoneCycles);
  EXPECT_GT(S.Predicted->Gain, 0.3);
}

TEST_F(RollingChoice, HitsThatOneBuildShowsAreThoseOfAll) {
  Code = [](const Build &V) {
    CodeSummary C = waiting();
    for (size_t I = 0;
         has(V.Rewrites, Rewrite::UnrollLoops) && I < C.Trace.size(); I += 4)
      C.Trace[I].IsInLines = true;
    return C;
  };
  EXPECT_EQ(settled().Rewrites, Rewrite());
}

TEST_F(RollingChoice, CapsAreTriedWithUnrolledLoops) {
  StockRegs = 128;
  Code = [](const Build &V) {
    return waiting(has(V.Rewrites, Rewrite::UnrollLoops) ? 25 : 50);
  };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 80));
  for (const Build &V : Built)
    EXPECT_TRUE(!V.MaxRegs || V.Rewrites == Rewrite::UnrollLoops);
}

TEST_F(RollingChoice, ExactBuildsOnlyAreMadeOfUnrolledLoops) {
  StockRegs = 128;
  Worthwhile = {Rewrite::UnrollLoops, Rewrite::SkipSLSR};
  Code = [](const Build &V) {
    return waiting(has(V.Rewrites, Rewrite::UnrollLoops) ? 25 : 50);
  };
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 10 : 0; };
  ASSERT_TRUE(search());
  for (const Build &V : Built)
    EXPECT_FALSE(has(V.Rewrites, Rewrite::SkipSLSR));
}

} // namespace
