//===- PromisesTest.cpp - what a finished kernel must keep ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/Promises.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

const SMLimits &SM = *lookupSMLimits(90);

std::string problemOf(KernelFigures Now, KernelFigures Before,
                      const Promises &P) {
  return toString(keepsPromises(Now, Before, P, SM));
}

/// What blocks of Threads threads promise, of which an SM holds Blocks.
Promises promise(unsigned Threads, unsigned Blocks) {
  Promises P;
  P.Threads = Threads;
  P.BlocksPerSM = Blocks;
  return P;
}

TEST(Promises, LaunchesThatOptInAreNotThoseThatNeedNot) {
  EXPECT_EQ(mostDynamicOfBoth(0, 60000), 60000u);
  EXPECT_EQ(mostDynamicOfBoth(40000, 49152), 49152u);
  EXPECT_EQ(mostDynamicOfBoth(60000, 50000), 60000u);
  EXPECT_EQ(mostDynamicOfBoth(60000, 49152), std::nullopt);
  EXPECT_EQ(mostDynamicOfBoth(std::nullopt, 0), std::nullopt);
}

TEST(PromisesTest, BlocksOfLaunchBoundsStay) {
  KernelFigures Before = {80, 0, 0, 400}, Frame = {80, 70000, 0, 0};
  EXPECT_EQ(residentBlocks(SM, Before, 256, 0), 3u);
  EXPECT_EQ(residentBlocks(SM, Frame, 256, 0), 3u);
  EXPECT_EQ(problemOf(Frame, Before, promise(256, 3)), "");
  Frame.StaticShared = 80000;
  EXPECT_EQ(problemOf(Frame, Before, promise(256, 2)), "");
  EXPECT_EQ(problemOf(Frame, Before, promise(256, 3)),
            "an SM would hold 2 blocks of 256 threads instead of 3, which "
            "launch bounds or min-blocks promise");
}

TEST(PromisesTest, WhatWasNotKeptBeforeIsNotAskedFor) {
  KernelFigures Before = {80, 100000, 0, 400}, Same = Before;
  EXPECT_EQ(problemOf(Same, Before, promise(256, 3)), "");
}

TEST(PromisesTest, CooperativeBlocksOfEverySizeStay) {
  KernelFigures Before = {32, 0, 0, 160}, Frame = {32, 12000, 0, 0};
  EXPECT_EQ(problemOf(Frame, Before, promise(128, 0)), "");
  Promises P = promise(128, 0);
  P.KeepsAllBlocks = true;
  EXPECT_NE(problemOf(Frame, Before, P), "") << "32 blocks of one warp";
  P.IsExact = true;
  EXPECT_EQ(problemOf(Frame, Before, P), "");
  Frame.StaticShared = 20000;
  EXPECT_NE(problemOf(Frame, Before, P), "");
}

TEST(PromisesTest, LaunchesOfEverySizeStayPossible) {
  KernelFigures Before = {32, 0, 0, 0}, Now = {80, 0, 0, 0};
  Promises Unknown;
  EXPECT_EQ(problemOf(Now, Before, Unknown),
            "blocks of 800 threads could not be launched any more");
  EXPECT_EQ(problemOf(Now, Before, promise(512, 0)), "");
  EXPECT_EQ(problemOf(Now, Now, Unknown), "") << "nor could they before";
}

TEST(PromisesTest, DynamicSharedMemoryCounts) {
  KernelFigures Before = {32, 0, 0, 0}, Frame = {32, 100000, 0, 0};
  Promises P = promise(256, 2);
  P.DynamicShared = 10000;
  EXPECT_EQ(problemOf(Frame, Before, P), "");
  P.DynamicShared = 20000;
  EXPECT_NE(problemOf(Frame, Before, P), "");
  P.BlocksPerSM = 0;
  P.DynamicShared = 150000;
  EXPECT_NE(problemOf(Frame, Before, P), "") << "not one block fits";
}

TEST(PromisesTest, LaunchesMayHaveLessDynamicSharedMemoryThanStated) {
  KernelFigures Before = {32, 0, 0, 8}, Frame = {32, 6160, 0, 0};
  Promises P = promise(512, 0);
  P.KeepsAllBlocks = true;
  P.DynamicShared = 65536;
  EXPECT_NE(problemOf(Frame, Before, P), "")
      << "32 blocks of one warp without any";
}

TEST(PromisesTest, WhatLaunchesAddCountsInUnits) {
  KernelFigures K = {32, 0, 20, 0};
  EXPECT_EQ(residentBlocks(SM, K, 1024, 0), 2u);
  K.ThreadBytes = 111; // 113,664 bytes; half of an SM has 3,072 more.
  EXPECT_EQ(residentBlocks(SM, K, 1024, 0), 2u);
  EXPECT_EQ(residentBlocks(SM, K, 1024, 2048), 2u);
  EXPECT_EQ(residentBlocks(SM, K, 1024, 2064), 1u);
}

TEST(PromisesTest, StatedCapsHold) {
  Promises P = promise(128, 0);
  P.MaxRegs = 40;
  EXPECT_EQ(problemOf({40, 0, 0, 0}, {40, 0, 0, 0}, P), "");
  EXPECT_NE(problemOf({48, 0, 0, 0}, {40, 0, 0, 0}, P), "");
  EXPECT_EQ(problemOf({48, 0, 0, 0}, {48, 0, 0, 0}, P), "") << "ptxas's word";
}

TEST(PromisesTest, MoreStaticSharedMemoryOnlyWhereItWasSeenToRun) {
  EXPECT_EQ(acceptedShared(SM, 130, 0), 232448u);
  EXPECT_EQ(acceptedShared(SM, 130, 16384), 49152u);
  EXPECT_EQ(acceptedShared(SM, 130, 60000), 232448u);
  EXPECT_EQ(acceptedShared(SM, 128, 0), 49152u);
  EXPECT_EQ(acceptedShared(*lookupSMLimits(80), 130, 0), 49152u);
}

} // namespace
