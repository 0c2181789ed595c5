//===- MessagesTest.cpp - what users are told -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Messages.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

/// Stock's build, and one under a cap that is to gain 14 % of 3 and spills so
/// many bytes on an SM.
Outcome stockBeforeACap(unsigned SpilledBytes) {
  Outcome O;
  O.Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  O.Why = Reason::StockFastest;
  O.Builds.resize(2);
  Build &Capped = O.Builds[1];
  Capped.What = Decision::Cap;
  Capped.MaxRegs = 128;
  Capped.L1Bytes = 128 * 1024;
  Capped.SpillFootprint = SpilledBytes;
  O.Predicted.emplace();
  O.Predicted->Best = 1;
  O.Predicted->Gain = 0.14;
  O.Predicted->Margin = 0.03;
  return O;
}

TEST(Messages, WhatLaunchBoundsCost) {
  Outcome O;
  O.Facts.Name = "k";
  O.Facts.MinBlocks = 5;
  O.Unbounded = UnboundedBuild{162, 3, 0.334};
  EXPECT_EQ(
      describeUnbounded(O),
      "'k': its launch bounds ask for 5 blocks per SM, which is expected "
      "to cost more than it brings: with a minimum of 1 block ptxas takes 162 "
      "registers, an SM holds 3 blocks, and the kernel is expected to "
      "take 33 % less time; measure it");
  O.Unbounded->BlocksPerSM = 1;
  EXPECT_NE(describeUnbounded(O).find("an SM holds 1 block, and"),
            std::string::npos);
}

TEST(Messages, StockStaysForTheMarginOrForSpillCode) {
  EXPECT_EQ(describeReason(stockBeforeACap(0)),
            "fastest as it is by prediction (best other: cap 128, expected "
            "gain 14.0 %, margin 3.0 %)");
  EXPECT_EQ(describeReason(stockBeforeACap(128 * 1024 + 1)),
            "fastest as it is by prediction (best other: cap 128, expected "
            "gain 14.0 %, but with more spill code than L1 holds)");
}

TEST(Messages, SpillCodeOfCalleesIsNoExcessOfTheKernel) {
  Outcome O;
  O.Why = Reason::NoBetter;
  O.MaxRegs = 40;
  O.PressureBefore = 15;
  O.Builds.resize(1);
  Build &V = O.Builds.front();
  O.Chosen = 0;
  V.Regs = 39;
  V.SpillStoreBytes = V.SpillLoadBytes = 64;
  const char *Otherwise = "no demotion tried is expected to pay for its slots";
  EXPECT_EQ(describeReason(O), Otherwise);
  O.Facts.HasCalls = true;
  EXPECT_EQ(describeReason(O),
            "it keeps to 40 registers without demotion; its 128 bytes of spill "
            "code are what functions that it calls save");
  V.Regs = 40;
  EXPECT_EQ(describeReason(O), Otherwise);
}

TEST(Messages, UnknownBlockSizeIsSaid) {
  Outcome O = stockBeforeACap(0);
  O.Facts.ThreadsFrom = BlockSizeSource::Assumed;
  O.Facts.Threads = 256;
  EXPECT_EQ(describeReason(O),
            "fastest as it is by prediction (best other: cap 128, expected "
            "gain 14.0 %, margin 3.0 %); threads per block are not known: "
            "state __launch_bounds__ or -regdem-block-size to have demotion "
            "tried");
  O.Predicted->Best = 0;
  EXPECT_EQ(describeReason(O),
            "each other build is expected to be slower at some launch; "
            "threads per block are not known: state __launch_bounds__ or "
            "-regdem-block-size to have demotion tried");
  O.Why = Reason::PredictedFaster;
  EXPECT_EQ(describeReason(O),
            "expected gain 14.0 % over the stock build with blocks of 256 "
            "threads (margin 3.0 %), and no loss at any launch; threads per "
            "block are not known: state __launch_bounds__ or "
            "-regdem-block-size to have "
            "demotion tried");
}

TEST(Messages, ReadingTheTotalOfSharedMemoryIsSaid) {
  Outcome O = stockBeforeACap(0);
  O.Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  O.Facts.ReadsTotalSize = true;
  constexpr StringLiteral Why =
      "it reads how much shared memory its launch has in all "
      "(%total_smem_size, %aggr_smem_size), so that none may be added";
  EXPECT_TRUE(StringRef(describeReason(O)).ends_with(("; " + Why).str()));
  O.Why = Reason::NoSharedMemory;
  EXPECT_EQ(describeReason(O), Why);
}

TEST(Messages, UnknownDynamicSharedMemoryIsSaid) {
  Outcome O = stockBeforeACap(0);
  O.Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  O.Facts.UsesDynamicShared = true;
  O.Facts.Threads = 256;
  EXPECT_NE(describeFigures(O).find(", dynamic shared memory aside"),
            std::string::npos);
  EXPECT_EQ(describeReason(O),
            "fastest as it is by prediction (best other: cap 128, expected "
            "gain 14.0 %, margin 3.0 %); dynamic shared memory of unknown "
            "size: state -regdem-dynamic-smem to have demotion tried");
  O.Why = Reason::PredictedFaster;
  EXPECT_EQ(describeReason(O),
            "expected gain 14.0 % over the stock build with blocks of 256 "
            "threads (margin 3.0 %), and no loss at any launch; dynamic shared "
            "memory of unknown size: state -regdem-dynamic-smem to have "
            "demotion tried");
}

} // namespace
