//===- MovedFrameChoiceTest.cpp - frames moved after ptxas compete --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

using namespace regdem;

namespace {

/// Under a stated cap. Builds that spill have a frame.
class MovedUnderCap : public CapSearch {
protected:
  double Local = 1000, Moved = 500, Demoted = 700; ///< Predicted cycles.

  MovedUnderCap() {
    MovesFrames = true;
    CyclesOf = [this](const Build &V) {
      return V.MovedBytes                 ? Moved
             : V.What == Decision::Demote ? Demoted
                                          : Local;
    };
  }

  static void assemble(Build &V) {
    spillsAbove(Cap)(V);
    V.FrameBytes = V.SpillStoreBytes;
    V.BlocksPerSM = 4;
  }
};

TEST_F(MovedUnderCap, MovedFrameWinsWhereItIsFaster) {
  Outcome S = settled(assemble);
  EXPECT_EQ(S.chosen()->What, Decision::Cap);
  EXPECT_EQ(S.chosen()->MovedBytes, 400u);
  EXPECT_EQ(S.Target, 0u);
  // What it was before stays among the builds, for comparison.
  EXPECT_TRUE(llvm::any_of(S.Builds, [&](const Build &V) {
    return V.What == Decision::Cap && V.spillBytes() && &V != S.chosen();
  }));
}

TEST_F(MovedUnderCap, DemotionWinsWhereItIsFaster) {
  Moved = 800;
  EXPECT_EQ(settled(assemble).chosen()->What, Decision::Demote);
}

// Without room for slots nothing but the cap alone is there to be read.
TEST_F(MovedUnderCap, MovedFrameIsTheOnlyRival) {
  Goal.SlotBytes = 0;
  EXPECT_TRUE(settled(assemble).chosen()->MovedBytes);
}

TEST_F(MovedUnderCap, NothingIsReadWhereNothingIsToBeCompared) {
  Goal.SlotBytes = 0;
  MovesFrames = false;
  ASSERT_TRUE(search([](Build &V) { V.PressureAfter = 20; }));
  EXPECT_EQ(CodesRead, 0u);
}

class MovedFreely : public FreeSearchTest {
protected:
  unsigned Moved = 40, Demoted = 60; ///< Loads that a build waits for.

  MovedFreely() {
    FrameBytes = 16;
    MovesFrames = true;
    SpilledWords = [](const Build &V) { return V.MaxRegs ? 4 : 0; };
    Code = [this](const Build &V) {
      return waiting(!V.MaxRegs                   ? 50
                     : V.MovedBytes               ? Moved
                     : V.What == Decision::Demote ? Demoted
                                                  : 100);
    };
  }
};

TEST_F(MovedFreely, CapIsChosenForItsMovedFrame) {
  Outcome S = settled();
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
  EXPECT_TRUE(S.chosen()->MaxRegs);
  EXPECT_TRUE(S.chosen()->MovedBytes);
}

TEST_F(MovedFreely, StockStaysWhereNothingIsFaster) {
  Moved = Demoted = 200;
  EXPECT_TRUE(settled().choosesStock());
}

} // namespace
