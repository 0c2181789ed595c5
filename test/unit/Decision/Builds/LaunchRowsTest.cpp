//===- LaunchRowsTest.cpp - the launches that a build is for ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchRows.h"
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
  C.Chosen.Regs = Regs;
  C.Chosen.What = Decision::Cap;
  C.Chosen.ThreadBytes = ThreadBytes;
  C.Chosen.StaticShared = OwnBytes + addedBytes(ThreadBytes, Threads);
  C.Stock.Regs = 64;
  C.Stock.StaticShared = OwnBytes;
  C.Chosen = residentAt(C.At, C.Chosen, limits());
  C.Stock = residentAt(C.At, C.Stock, limits());
  C.Chosen.Cycles = 10 * Threads;
  C.Chosen.LoneCycles = 25 * Threads;
  C.Stock.Cycles = 11 * Threads;
  C.Stock.LoneCycles = 20 * Threads;
  C.Gain = 0.1;
  return C;
}

LaunchRow firstRow(const LaunchChoice &C) {
  return rowsFor(C, limits()).front();
}

TEST(LaunchRowsTest, ABuildPaysIfFullSMsGainWhatLaunchesCountOnTop) {
  LaunchChoice C = choice(256, 40);
  C.Stock.Cycles = 1000;
  for (unsigned Cycles : {900u, 917u, 918u, 1000u}) {
    C.Chosen.Cycles = Cycles;
    LaunchRow Row = firstRow(C);
    EXPECT_EQ(paysAtLaunch(C.Chosen, C.Stock), Cycles < 918) << Cycles;
    EXPECT_EQ(double(Row.Own.Full) / Row.Own.Blocks < 1000, Cycles < 918);
  }
}

/// Builds of which an SM holds Own and 4 blocks.
LaunchChoice rounds(unsigned Own, double Full, double Alone) {
  LaunchChoice C = choice(256, 40);
  C.Chosen.BlocksPerSM = Own;
  C.Chosen.Cycles = Full / Own;
  C.Chosen.LoneCycles = Alone;
  C.Stock.BlocksPerSM = 4;
  C.Stock.Cycles = 1000 / 4;
  C.Stock.LoneCycles = 800;
  return C;
}

TEST(LaunchRowsTest, ABuildPaysInGridsThatItTakesARoundLessFor) {
  // Five blocks: 1250 cycles in one round, where stock takes 1000 and 800.
  LaunchChoice C = rounds(5, 1250, 800);
  SmallGrid Best = bestSmallGrid(C.Chosen, C.Stock);
  EXPECT_EQ(Best.OnSM, 5u);
  EXPECT_DOUBLE_EQ(Best.Gain, 1 - 1250.0 / 1800);
  EXPECT_FALSE(paysAtLaunch(C.Chosen, C.Stock));
  EXPECT_DOUBLE_EQ(gainAtLaunch(C.Chosen, C.Stock), Best.Gain);
  LaunchRow Row = firstRow(C); // As dispatched.
  EXPECT_LT(Row.Own.Full, Row.Stock.Full + Row.Stock.Alone);
  EXPECT_GT(Row.Own.Full / 5, Row.Stock.Full / 4);
}

TEST(LaunchRowsTest, ARoundLessHasToPay) {
  LaunchChoice C = rounds(5, 1450, 800);
  EXPECT_EQ(bestSmallGrid(C.Chosen, C.Stock).OnSM, 0u);
  C = rounds(4, 1000, 800); // There is none.
  EXPECT_EQ(bestSmallGrid(C.Chosen, C.Stock).OnSM, 0u);
  C = rounds(5, 1250, 0); // Nothing is known of a block by itself.
  EXPECT_EQ(bestSmallGrid(C.Chosen, C.Stock).OnSM, 0u);
}

TEST(LaunchRowsTest, OfSmallGridsTheOneThatGainsMostCounts) {
  LaunchChoice C = rounds(5, 1250, 200);
  EXPECT_EQ(bestSmallGrid(C.Chosen, C.Stock).OnSM, 1u);
}

/// What may stand in the place of which: the latter with a frame.
LaunchChoice inPlace(unsigned Regs) {
  LaunchChoice C = choice(256, Regs);
  C.Stock.FrameBytes = 64;
  C.Chosen.Cycles = C.Stock.Cycles / 4;
  C.Chosen.LoneCycles = C.Stock.LoneCycles / 2;
  return C;
}

TEST(LaunchRowsTest, WhatIsNeverSlowerMayStandInPlace) {
  LaunchChoice C = inPlace(64);
  EXPECT_TRUE(mayReplace(C.Chosen, C.Stock, limits()));
  C.Chosen.LoneCycles = 1.02 * C.Stock.LoneCycles; // In small grids.
  EXPECT_FALSE(mayReplace(C.Chosen, C.Stock, limits()));
  C.Chosen.LoneCycles = 0; // Not known.
  EXPECT_FALSE(mayReplace(C.Chosen, C.Stock, limits()));
  C = inPlace(64);
  C.Chosen.Cycles = 1.02 * C.Stock.Cycles;
  EXPECT_FALSE(mayReplace(C.Chosen, C.Stock, limits()));
}

TEST(LaunchRowsTest, WhatTakesMoreMayNotStandInPlace) {
  LaunchChoice C = inPlace(64);
  C.Chosen.StaticShared = C.Stock.StaticShared + 4;
  EXPECT_FALSE(mayReplace(C.Chosen, C.Stock, limits()));
  C = inPlace(64);
  C.Chosen.SpillLoadBytes = 4;
  EXPECT_TRUE(mayReplace(C.Chosen, C.Stock, limits()));
  C.Chosen.FrameBytes = C.Stock.FrameBytes;
  EXPECT_FALSE(mayReplace(C.Chosen, C.Stock, limits()));
  C = inPlace(72); // 1,024 threads could not be launched.
  EXPECT_FALSE(mayReplace(C.Chosen, C.Stock, limits()));
}

TEST(LaunchRowsTest, AsManyWarpsMayHaveMoreRegisters) {
  Build Stock;
  for (auto [Regs, Most] : {std::pair(24u, 64u),
                            {64u, 64u},
                            {65u, 72u},
                            {128u, 128u},
                            {129u, 168u},
                            {225u, 255u}}) {
    Stock.Regs = Regs;
    EXPECT_EQ(mostLaunchable(Stock, limits()), Most) << Regs;
  }
}

TEST(LaunchRowsTest, BlocksMayBeFewerForAFrameThatGoes) {
  LaunchChoice C = inPlace(64);
  C.Stock.Regs = 40;
  C.Stock = residentAt(C.At, C.Stock, limits());
  ASSERT_GT(C.Stock.BlocksPerSM, C.Chosen.BlocksPerSM);
  EXPECT_TRUE(mayReplace(C.Chosen, C.Stock, limits()));
  C.Chosen.FrameBytes = C.Stock.FrameBytes;
  EXPECT_FALSE(mayReplace(C.Chosen, C.Stock, limits()));
  // Faster alone and on a full SM, but its five blocks take two rounds, in
  // which stock takes one.
  C.Chosen.FrameBytes = 0;
  C.Chosen.Cycles = 0.7 * C.Stock.Cycles;
  EXPECT_FALSE(mayReplace(C.Chosen, C.Stock, limits()));
}

TEST(LaunchRowsTest, ARowIsForAllThatHaveAsManyWarps) {
  LaunchRow Row = firstRow(choice(256, 40));
  EXPECT_EQ(Row.FromThreads, 225u);
  EXPECT_EQ(Row.Threads, 256u);
}

TEST(LaunchRowsTest, WhereStockCannotBeLaunchedTheBuildIsTheOnlyOne) {
  EXPECT_FALSE(firstRow(choice(512, 40)).OnlyBuild);
  LaunchChoice C = choice(512, 128);
  C.Stock.Regs = 213;
  C.Stock = residentAt(C.At, C.Stock, limits());
  ASSERT_EQ(C.Stock.BlocksPerSM, 0u);
  LaunchRow Row = firstRow(C);
  EXPECT_TRUE(Row.OnlyBuild);
  EXPECT_EQ(Row.FromThreads, 257u) << "of 213 registers 256 threads fit";
  EXPECT_EQ(Row.Threads, 512u);
}

TEST(LaunchRowsTest, DynamicSharedMemoryLeavesTheBuildItsBlocks) {
  for (unsigned Bytes : {0u, 12u, 72u}) {
    LaunchChoice C = choice(256, 40, Bytes, /*OwnBytes=*/1000);
    LaunchRow Row = firstRow(C);
    EXPECT_EQ(Row.ThreadBytes, Bytes);
    ASSERT_GE(Row.MostDynamic, 16u);
    auto BlocksWith = [&](unsigned Dynamic) {
      return residencyAt({256, Dynamic}, C.Chosen, limits()).BlocksPerSM;
    };
    EXPECT_EQ(BlocksWith(Row.MostDynamic), C.Chosen.BlocksPerSM);
    EXPECT_LT(BlocksWith(Row.MostDynamic + 16 + 128), C.Chosen.BlocksPerSM);
  }
}

TEST(LaunchRowsTest, MoreDynamicSharedMemoryLeavesFewerBlocks) {
  LaunchChoice C = choice(256, 40);
  EXPECT_EQ(rowsFor(C, limits()).size(), 1u);
  C.HasDynamic = true;
  C.Chosen.Cycles = 0.8 * C.Stock.Cycles;
  C.Chosen.LoneCycles = 0.8 * C.Stock.LoneCycles;
  auto Rows = rowsFor(C, limits());
  ASSERT_GT(Rows.size(), 1u);
  unsigned Most = 0;
  for (const LaunchRow &Row : Rows) {
    // The least that a row is for leaves no more blocks than it says.
    Launch L{256, Most ? Most + 1 : 0};
    EXPECT_EQ(Row.Own.Blocks, residencyAt(L, C.Chosen, limits()).BlocksPerSM);
    EXPECT_EQ(Row.Stock.Blocks, residencyAt(L, C.Stock, limits()).BlocksPerSM);
    // The most leaves the build as many.
    L.DynamicShared = Row.MostDynamic;
    EXPECT_EQ(Row.Own.Blocks, residencyAt(L, C.Chosen, limits()).BlocksPerSM);
    EXPECT_GT(Row.MostDynamic, Most);
    Most = Row.MostDynamic;
  }
  EXPECT_LE(Most, limits().StaticSharedBytesPerBlock);
  // Where an SM takes as long for any number of them, only more blocks pay.
  for (Build *V : {&C.Chosen, &C.Stock})
    V->LoneCycles = 1000;
  C.Chosen.Cycles = 1000.0 / C.Chosen.BlocksPerSM;
  C.Stock.Cycles = 1000.0 / C.Stock.BlocksPerSM;
  for (const LaunchRow &Row : rowsFor(C, limits()))
    EXPECT_GT(Row.Own.Blocks, Row.Stock.Blocks);
}

TEST(LaunchRowsTest, DynamicSharedMemoryIsWhatTheKernelMayHave) {
  // One block on an SM leaves 227 KB, but the kernel has not opted in.
  LaunchRow Row = firstRow(choice(1024, 64, 0, /*OwnBytes=*/1024));
  EXPECT_EQ(Row.MostDynamic, 47u * 1024);
  LaunchChoice Pragma = choice(256, 40);
  Pragma.Chosen.SmemSpilling = true;
  EXPECT_EQ(firstRow(Pragma).MostDynamic, 0u);
}

TEST(LaunchRowsTest, ABuildTakesAnyLaunchIfItNeedsNoMoreThanStock) {
  auto TakesAny = [](const LaunchChoice &C) { return firstRow(C).AnyLaunch; };
  EXPECT_TRUE(TakesAny(choice(256, 40)));
  EXPECT_TRUE(TakesAny(choice(256, 64, 0, /*OwnBytes=*/1000)));
  EXPECT_FALSE(TakesAny(choice(256, 65)));
  EXPECT_FALSE(TakesAny(choice(256, 40, /*ThreadBytes=*/4)));
  LaunchChoice C = choice(256, 40);
  C.Chosen.StaticShared = 16;
  EXPECT_FALSE(TakesAny(C));
  C = choice(256, 40);
  C.Chosen.SmemSpilling = true;
  EXPECT_FALSE(TakesAny(C));
}

TEST(LaunchRowsTest, SizesBetweenTakeWhatAllOfThemTake) {
  auto Rows = rowsBetween(choice(128, 40, 8), choice(256, 40, 8), limits());
  ASSERT_EQ(Rows.size(), 3u);
  for (unsigned I = 0; I != 3; ++I) {
    LaunchRow One = firstRow(choice(32 * (5 + I), 40, 8));
    EXPECT_EQ(Rows[I].FromThreads, One.FromThreads);
    EXPECT_EQ(Rows[I].Threads, One.Threads);
    EXPECT_EQ(Rows[I].ThreadBytes, 8u);
    EXPECT_EQ(Rows[I].MostDynamic, One.MostDynamic);
    // What grows with the threads does so between the sizes, too.
    EXPECT_EQ(Rows[I].Own.Blocks, One.Own.Blocks);
    EXPECT_NEAR(Rows[I].Own.Alone, One.Own.Alone, 1);
    EXPECT_NEAR(Rows[I].Own.Full, One.Own.Full, 1);
    EXPECT_NEAR(Rows[I].Stock.Alone, One.Stock.Alone, 1);
    EXPECT_NEAR(Rows[I].Stock.Full, One.Stock.Full, 1);
  }
}

TEST(LaunchRowsTest, RowsHaveTheCyclesOfOneBlockAndOfAFullSM) {
  LaunchChoice C = choice(256, 40);
  LaunchRow Row = firstRow(C);
  EXPECT_EQ(Row.Stock.Blocks, C.Stock.BlocksPerSM);
  EXPECT_EQ(Row.Stock.Alone, 20u * 256);
  EXPECT_EQ(Row.Stock.Full, 11u * 256 * C.Stock.BlocksPerSM);
  // The build has to gain what counts.
  EXPECT_GT(Row.Own.Full, 10u * 256 * C.Chosen.BlocksPerSM);
  EXPECT_GT(Row.Own.Alone, 25u * 256);
  // Nothing known of a lone block: a round takes as long with any number.
  C.Chosen.LoneCycles = 0;
  Row = firstRow(C);
  EXPECT_EQ(Row.Own.Alone, Row.Own.Full);
}

TEST(LaunchRowsTest, SizesBetweenNeedABuildForAnySize) {
  LaunchChoice Low = choice(128, 40), High = choice(256, 40);
  EXPECT_FALSE(rowsBetween(Low, High, limits()).empty());
  Low.Chosen.SmemSpilling = High.Chosen.SmemSpilling = true;
  EXPECT_TRUE(rowsBetween(Low, High, limits()).empty());
  // Two warps, three warps: nothing lies between.
  EXPECT_TRUE(rowsBetween(choice(64, 40), choice(96, 40), limits()).empty());
}

TEST(LaunchRowsTest, SizesAtWhichTheBuildLosesBlocksAreLeftOut) {
  unsigned NumLeftOut = 0;
  for (unsigned Bytes = 0; Bytes != 220; Bytes += 4) {
    LaunchChoice Low = choice(256, 32, Bytes), High = choice(512, 32, Bytes);
    if (!Low.Chosen.BlocksPerSM || !High.Chosen.BlocksPerSM)
      continue;
    auto Rows = rowsBetween(Low, High, limits());
    for (unsigned Threads = 288; Threads != 512; Threads += 32) {
      LaunchChoice C = choice(Threads, 32, Bytes);
      auto IsFewerThan = [&](const LaunchChoice &B) {
        return C.Chosen.BlocksPerSM * B.Stock.BlocksPerSM <
               B.Chosen.BlocksPerSM * C.Stock.BlocksPerSM;
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
