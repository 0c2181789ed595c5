//===- BuildTest.cpp - what builds are to launches ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Build.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

struct LaunchTest : testing::Test {
  KernelFacts Facts;
  Options O;
  LaunchTest() {
    Facts.Threads = 192;
    Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  }
};

TEST_F(LaunchTest, BlockSizesGoUpToTheBound) {
  EXPECT_EQ(launchSizes(Facts, /*AsShown=*/false),
            (SmallVector<unsigned, 6>{192, 128, 64}));
  Facts.ThreadsFrom = BlockSizeSource::ReqNTID;
  EXPECT_EQ(launchSizes(Facts, /*AsShown=*/false),
            (SmallVector<unsigned, 6>{192}));
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  EXPECT_EQ(launchSizes(Facts, /*AsShown=*/false),
            (SmallVector<unsigned, 6>{256, 128, 512, 64, 1024}));
}

TEST_F(LaunchTest, ShownBlockSizesComeFirst) {
  using Sizes = SmallVector<unsigned, 6>;
  ShownLaunches &Shown = Facts.Shown;
  Shown.Threads = {100, 512, 256, 250};
  EXPECT_EQ(launchSizes(Facts, /*AsShown=*/true), (Sizes{128}));
  Facts.Threads = 256;
  EXPECT_EQ(launchSizes(Facts, /*AsShown=*/true), (Sizes{128, 256}));
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  EXPECT_EQ(launchSizes(Facts, /*AsShown=*/true), (Sizes{128, 512, 256}));
  Shown.HasOthers = true;
  EXPECT_EQ(launchSizes(Facts, /*AsShown=*/true),
            (Sizes{128, 512, 256, 64, 1024}));
  // All have more threads than a launch may have.
  Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  Facts.Threads = 96;
  Shown.HasOthers = false;
  EXPECT_EQ(launchSizes(Facts, /*AsShown=*/true), (Sizes{96}));
}

TEST_F(LaunchTest, AGridMayHaveFewerBlocksThanFit) {
  const SMLimits &Limits = *lookupSMLimits(90);
  Build V;
  V.Regs = 64;
  V.SpillStoreBytes = 8;
  V.StaticShared = 4096;
  Launch L{256};
  Residency Full = residencyAt(L, V, Limits),
            Alone = residencyAt(L.alone(), V, Limits);
  EXPECT_EQ(Full.BlocksPerSM, 4u);
  EXPECT_EQ(Full.SpillFootprint, 4 * 256 * 8u);
  EXPECT_EQ(Alone.BlocksPerSM, 1u);
  EXPECT_EQ(Alone.SpillFootprint, 256 * 8u);
  EXPECT_EQ(Alone.L1Bytes, Full.L1Bytes);
}

} // namespace
