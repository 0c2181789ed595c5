//===- LaunchRowsTest.cpp - the launches that a build is for ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchRows.h"
#include "regdem/Target/Occupancy.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

const SMLimits &limits() { return *lookupSMLimits(90); }

/// A build of Regs registers with ThreadBytes in shared memory, chosen over one
/// of 64 registers.
LaunchChoice choice(unsigned Threads, unsigned Regs, unsigned ThreadBytes = 0,
                    unsigned OwnBytes = 0) {
  LaunchChoice C;
  C.At.Threads = Threads;
  C.Build.Regs = Regs;
  C.Build.What = Decision::Cap;
  C.Build.ThreadBytes = ThreadBytes;
  C.Build.StaticShared = OwnBytes + addedBytes(ThreadBytes, Threads);
  C.Stock.Regs = 64;
  C.Stock.StaticShared = OwnBytes;
  setResidency(C.Build, C.At, limits());
  setResidency(C.Stock, C.At, limits());
  C.Gain = 0.1;
  return C;
}

TEST(LaunchRowsTest, ARowIsForAllThatHaveAsManyWarps) {
  LaunchRow Row = rowFor(choice(256, 40), limits());
  EXPECT_EQ(Row.FromThreads, 225u);
  EXPECT_EQ(Row.Threads, 256u);
}

TEST(LaunchRowsTest, DynamicSharedMemoryLeavesTheBuildItsBlocks) {
  for (unsigned Bytes : {0u, 12u, 72u}) {
    LaunchChoice C = choice(256, 40, Bytes, /*OwnBytes=*/1000);
    LaunchRow Row = rowFor(C, limits());
    EXPECT_EQ(Row.ThreadBytes, Bytes);
    ASSERT_GE(Row.MostDynamic, 16u);
    Variant V = C.Build;
    setResidency(V, {256, Row.MostDynamic}, limits());
    EXPECT_EQ(V.BlocksPerSM, C.Build.BlocksPerSM);
    setResidency(V, {256, Row.MostDynamic + 16 + 128}, limits());
    EXPECT_LT(V.BlocksPerSM, C.Build.BlocksPerSM);
  }
}

TEST(LaunchRowsTest, DynamicSharedMemoryIsWhatTheKernelMayHave) {
  // One block on an SM leaves 227 KB, but the kernel has not opted in.
  LaunchRow Row = rowFor(choice(1024, 64, 0, /*OwnBytes=*/1024), limits());
  EXPECT_EQ(Row.MostDynamic, 47u * 1024);
  LaunchChoice Pragma = choice(256, 40);
  Pragma.Build.SmemSpilling = true;
  EXPECT_EQ(rowFor(Pragma, limits()).MostDynamic, 0u);
}

TEST(LaunchRowsTest, SizesBetweenTakeWhatAllOfThemTake) {
  auto Rows = rowsBetween(choice(128, 40, 8), choice(256, 40, 8), limits());
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].FromThreads, 129u);
  EXPECT_EQ(Rows[0].Threads, 224u);
  EXPECT_EQ(Rows[0].ThreadBytes, 8u);
  for (unsigned Warps : {5u, 6u, 7u}) {
    LaunchRow One = rowFor(choice(32 * Warps, 40, 8), limits());
    EXPECT_GE(Rows[0].FillBlocks, One.FillBlocks);
    EXPECT_LE(Rows[0].MostDynamic, One.MostDynamic);
  }
}

TEST(LaunchRowsTest, GridsNeedTheirFillWhereOneOfBothNeedsIt) {
  LaunchChoice Low = choice(128, 64, 8), High = choice(256, 64, 8);
  Low.Build.LoneCycles = High.Build.LoneCycles = 10;
  Low.Stock.LoneCycles = High.Stock.LoneCycles = 20;
  EXPECT_EQ(rowsBetween(Low, High, limits()).front().FillBlocks, 0u);
  High.Stock.LoneCycles = 5;
  EXPECT_NE(rowsBetween(Low, High, limits()).front().FillBlocks, 0u);
}

TEST(LaunchRowsTest, SizesBetweenNeedABuildForAnySize) {
  LaunchChoice Low = choice(128, 40), High = choice(256, 40);
  EXPECT_FALSE(rowsBetween(Low, High, limits()).empty());
  Low.Build.SmemSpilling = High.Build.SmemSpilling = true;
  EXPECT_TRUE(rowsBetween(Low, High, limits()).empty());
  // Two warps, three warps: nothing lies between.
  EXPECT_TRUE(rowsBetween(choice(64, 40), choice(96, 40), limits()).empty());
}

TEST(LaunchRowsTest, SizesAtWhichTheBuildLosesBlocksAreLeftOut) {
  unsigned NumLeftOut = 0;
  for (unsigned Bytes = 0; Bytes != 220; Bytes += 4) {
    LaunchChoice Low = choice(256, 32, Bytes), High = choice(512, 32, Bytes);
    if (!Low.Build.BlocksPerSM || !High.Build.BlocksPerSM)
      continue;
    auto Rows = rowsBetween(Low, High, limits());
    for (unsigned Threads = 288; Threads != 512; Threads += 32) {
      LaunchChoice C = choice(Threads, 32, Bytes);
      auto IsFewerThan = [&](const LaunchChoice &B) {
        return C.Build.BlocksPerSM * B.Stock.BlocksPerSM <
               B.Build.BlocksPerSM * C.Stock.BlocksPerSM;
      };
      bool IsTaken = false;
      for (const LaunchRow &R : Rows)
        IsTaken |= Threads >= R.FromThreads && Threads <= R.Threads;
      EXPECT_EQ(IsTaken, !(IsFewerThan(Low) && IsFewerThan(High)))
          << Bytes << " bytes, " << Threads << " threads";
      NumLeftOut += !IsTaken;
    }
  }
  EXPECT_NE(NumLeftOut, 0u);
}

} // namespace
