//===- ArrayChoiceTest.cpp - arrays in registers --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

using namespace regdem;

namespace {

class ArrayChoice : public FreeSearchTest {
protected:
  ArrayChoice() {
    OfMemory = Rewrite::LowerArrays;
    Worthwhile = {Rewrite::LowerArrays};
    LeanPressure = Pressure;
    Code = [](const Build &V) {
      return issuing(has(V.Rewrites, Rewrite::LowerArrays) ? 500 : 1000);
    };
  }
};

TEST_F(ArrayChoice, ArraysLeaveWhereRegistersDoNotLimit) {
  StockRegs = 31;
  Outcome S = settled();
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_EQ(S.Rewrites, Rewrite::LowerArrays);
}

TEST_F(ArrayChoice, ArraysLeaveWhereRegistersLimit) {
  EXPECT_EQ(settled().Rewrites, Rewrite::LowerArrays);
}

TEST_F(ArrayChoice, RegistersAreCappedWhereSomeLaunchesHaveFewer) {
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  FrameBytes = 64;
  StockRegs = 40;
  LeanRegs = 255;
  RewrittenRegs = 99;
  Outcome S = settled();
  EXPECT_TRUE(wasBuilt(Decision::Cap, 64));
  EXPECT_EQ(S.Rewrites, Rewrite::LowerArrays);
  EXPECT_EQ(S.MaxRegs, 64u);
  Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  S = settled();
  EXPECT_FALSE(wasBuilt(Decision::Cap, 64));
}

TEST_F(ArrayChoice, ArraysStayWhereThatIsFaster) {
  StockRegs = 31;
  Code = [](const Build &V) {
    return issuing(has(V.Rewrites, Rewrite::LowerArrays) ? 1000 : 500);
  };
  Outcome S = settled();
  EXPECT_EQ(S.Rewrites, Rewrite());
  EXPECT_EQ(S.Why, Reason::NotRegisterLimited);
}

TEST_F(ArrayChoice, NothingIsBuiltWithoutArrays) {
  StockRegs = 31;
  OfMemory = Rewrite::None;
  ASSERT_TRUE(search());
  EXPECT_EQ(Built.size(), 1u);
}

/// Under a stated cap, an array in local memory takes 900 cycles of 1000. With
/// it in registers Spilled words are spilled, which take 10 cycles each.
class ArraysUnderCap : public CapSearch {
protected:
  unsigned Spilled = 0;

  ArraysUnderCap() {
    Goal.SlotBytes = 0;
    Worthwhile = {Rewrite::LowerArrays};
    CyclesOf = [](const Build &V) {
      return (has(V.Rewrites, Rewrite::LowerArrays) ? 100 : 1000) +
             10 * V.spillBytes() / 4;
    };
  }

  Outcome settled() {
    return CapSearch::settled([this](Build &V) {
      V.BlocksPerSM = 4;
      V.FrameBytes = 64;
      if (has(V.Rewrites, Rewrite::LowerArrays))
        V.SpillLoadBytes = 4 * Spilled;
      if (has(V.Rewrites, Rewrite::SkipSLSR) || V.Order != InstOrder::Source)
        V.SpillLoadBytes /= 2;
    });
  }
};

TEST_F(ArraysUnderCap, TheyLeaveWherePredictionsSaySo) {
  for (unsigned Words : {0u, 80u, 100u}) {
    Spilled = Words;
    Outcome S = settled();
    EXPECT_EQ(S.Rewrites, Words < 90 ? Rewrite::LowerArrays : Rewrite::None)
        << Words;
    EXPECT_EQ(S.predictedBase()->Rewrites, Rewrite::None);
  }
}

TEST_F(ArraysUnderCap, OtherBuildsAreMadeOfTheFasterOne) {
  Worthwhile = {Rewrite::LowerArrays, Rewrite::SkipMachineSink,
                Rewrite::SkipSLSR};
  Spilled = 80;
  EXPECT_EQ(settled().Rewrites, Rewrite::LowerArrays | Rewrite::SkipSLSR);
  // Stock, the cap, and with arrays in registers: as it is, without one pass,
  // and that in other orders. Sinking moves products.
  for (size_t I = 2; I != Built.size(); ++I)
    EXPECT_TRUE(has(Built[I].Rewrites, Rewrite::LowerArrays)) << I;
  EXPECT_TRUE(llvm::none_of(Built, [](const Build &V) {
    return has(V.Rewrites, Rewrite::SkipMachineSink);
  }));
}

} // namespace
