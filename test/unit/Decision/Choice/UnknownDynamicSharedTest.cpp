//===- UnknownDynamicSharedTest.cpp - builds beside shared memory ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with dynamic shared memory of which nobody says how much there is:
// 48 KB a block leave room for four blocks on an SM.
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"
#include "regdem/Decision/Builds/Objective.h"

using namespace regdem;

namespace {

class UnknownDynamicSharedTest : public FreeSearchTest {
protected:
  UnknownDynamicSharedTest() { Facts.UsesDynamicShared = true; }
};

TEST_F(UnknownDynamicSharedTest, AllowsNoSlots) {
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 20 : 0; };
  LiftedRegs = 100;
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 64));
  EXPECT_EQ(count(Decision::Demote), 0u);
  EXPECT_TRUE(llvm::any_of(Built, [](const Build &V) { return V.MinBlocks; }));
}

TEST_F(UnknownDynamicSharedTest, CapIsChosenThatGainsWithAllSizes) {
  Outcome S = settled(); // From three blocks to four.
  EXPECT_EQ(S.What, Decision::Cap);
  EXPECT_EQ(S.Why, Reason::PredictedFaster);
}

TEST_F(UnknownDynamicSharedTest, LossWithOneSizeCounts) {
  StockRegs = 64; // Four blocks; more only fit where there are fewer bytes.
  Code = [](const Build &V) { return waiting(V.MaxRegs ? 53 : 50); };
  Facts.StatedDynamicShared = 0;
  O.DynamicSmem = 0;
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  Facts.StatedDynamicShared.reset();
  O.DynamicSmem.reset();
  S = settled();
  EXPECT_TRUE(wasBuilt(Decision::Cap, 48));
  EXPECT_EQ(S.What, Decision::Stock);
}

TEST_F(UnknownDynamicSharedTest, OnlyWhatTakesNoSharedMemoryIsLegal) {
  Outcome Cap, Lifted, Demotion, Spilling;
  Cap.MaxRegs = 64;
  Lifted.MinBlocks = 1;
  Demotion.What = Decision::Demote;
  Spilling.SmemSpilling = true;
  for (Obstacle Why :
       {Obstacle::ReadsTotalShared, Obstacle::UnknownDynamicShared,
        Obstacle::UnknownBlockSize}) {
    EXPECT_TRUE(Cap.isLegalDespite(Why));
    EXPECT_FALSE(Demotion.isLegalDespite(Why));
    EXPECT_FALSE(Spilling.isLegalDespite(Why));
  }
  EXPECT_TRUE(Lifted.isLegalDespite(Obstacle::UnknownDynamicShared));
  EXPECT_FALSE(Lifted.isLegalDespite(Obstacle::UnknownBlockSize));
}

/// Facts are known but for what a kernel tells that reads its total.
class TotalSharedIsReadTest : public FreeSearchTest {
protected:
  TotalSharedIsReadTest() { Facts.ReadsTotalSize = true; }
};

TEST_F(TotalSharedIsReadTest, AllowsNoSlots) {
  SpilledWords = [](const Build &V) { return V.MaxRegs ? 20 : 0; };
  ASSERT_TRUE(search());
  EXPECT_TRUE(wasBuilt(Decision::Cap, 64));
  EXPECT_EQ(count(Decision::Demote), 0u);
  Facts.ReadsTotalSize = false; // Else that says nothing.
  ASSERT_TRUE(search());
  EXPECT_NE(count(Decision::Demote), 0u);
}

} // namespace
