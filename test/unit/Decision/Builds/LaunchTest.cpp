//===- LaunchTest.cpp - the launches that builds are for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Launch.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Options.h"
#include "gtest/gtest.h"
#include <set>

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

TEST_F(LaunchTest, WhatIsStatedIsTheOnlyLaunch) {
  O.DynamicSmem = 1000;
  std::vector<Launch> Launches = launchesOf(Facts, O);
  ASSERT_EQ(Launches.size(), 1u);
  EXPECT_EQ(Launches[0].Threads, 192u);
  EXPECT_EQ(Launches[0].DynamicShared, 1000u);
  EXPECT_EQ(Launches[0].GridBlocks, 0u);
}

TEST_F(LaunchTest, WhatIsNotStatedIsEachUsualSize) {
  Facts.UsesDynamicShared = true;
  std::vector<Launch> Launches = launchesOf(Facts, O);
  EXPECT_EQ(Launches.size(), 3u);
  for (const Launch &L : Launches)
    EXPECT_EQ(L.Threads, 192u);
  Facts.ThreadsFrom = BlockSizeSource::Assumed;
  std::set<std::pair<unsigned, unsigned>> Sizes;
  for (const Launch &L : launchesOf(Facts, O))
    Sizes.insert({L.Threads, L.DynamicShared});
  EXPECT_EQ(Sizes.size(), 12u);
  EXPECT_TRUE(Sizes.count({1024, 0}));
  EXPECT_TRUE(Sizes.count({128, 49152}));
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
