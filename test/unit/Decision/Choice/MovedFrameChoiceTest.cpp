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
  auto S = search(assemble);
  ASSERT_TRUE(S);
  ASSERT_TRUE(chosen(*S));
  EXPECT_EQ(chosen(*S)->What, Decision::Cap);
  EXPECT_EQ(chosen(*S)->MovedBytes, 400u);
  EXPECT_EQ(S->Target, 0u);
  // What it was before stays among the builds, for comparison.
  EXPECT_TRUE(llvm::any_of(S->Builds, [&](const Build &V) {
    return V.What == Decision::Cap && V.spillBytes() && &V != S->chosen();
  }));
}

TEST_F(MovedUnderCap, DemotionWinsWhereItIsFaster) {
  Moved = 800;
  auto S = search(assemble);
  ASSERT_TRUE(S);
  ASSERT_TRUE(chosen(*S));
  EXPECT_EQ(chosen(*S)->What, Decision::Demote);
}

// Without room for slots nothing but the cap alone is there to be read.
TEST_F(MovedUnderCap, MovedFrameIsTheOnlyRival) {
  Goal.SlotBytes = 0;
  auto S = search(assemble);
  ASSERT_TRUE(S);
  ASSERT_TRUE(chosen(*S));
  EXPECT_TRUE(chosen(*S)->MovedBytes);
}

TEST_F(MovedUnderCap, NothingIsReadWhereNothingIsToBeCompared) {
  Goal.SlotBytes = 0;
  MovesFrames = false;
  auto S = search([](Build &V) { V.PressureAfter = 20; });
  ASSERT_TRUE(S);
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
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Why, Reason::PredictedFaster);
  ASSERT_TRUE(S->chosen());
  EXPECT_TRUE(S->chosen()->MaxRegs);
  EXPECT_TRUE(S->chosen()->MovedBytes);
}

TEST_F(MovedFreely, StockStaysWhereNothingIsFaster) {
  Moved = Demoted = 200;
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_TRUE(S->choosesStock());
}

} // namespace
