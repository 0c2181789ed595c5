//===- PartitionSimulatorTest.cpp - warps that share a scheduler ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cycles counted by hand. A block ends with the issue of its last instruction,
// and the next one starts 10 cycles later; warps start 15 cycles apart.
//
//===----------------------------------------------------------------------===//

#include "Decision/Model/PartitionSimulator.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace partition {

using Trace = std::vector<TraceStep>;

TraceStep step(TraceUnit Unit, unsigned Words = 1) {
  TraceStep S;
  S.Unit = Unit;
  S.Words = static_cast<uint8_t>(Words);
  return S;
}

/// Something that loads, and a sum that waits for it.
Trace loadAndUse(TraceUnit Unit, unsigned Words = 1) {
  Trace Steps = {step(Unit, Words), step(TraceUnit::FMA)};
  Steps[0].WriteBarrier = 0;
  Steps[1].WaitMask = 1;
  return Steps;
}

double simulate(const Trace &Steps, unsigned Groups, unsigned Warps = 1,
                const MemoryScenario &Memory = {500, 128, false},
                double LocalMisses = 0) {
  return simulatePartition(Steps, {Groups, Warps, LocalMisses}, timingsOf(90),
                           Memory);
}

// Issued in cycles 0 to 9, again in 19 to 28.
TEST(PartitionSimulator, OneInstructionACycle) {
  EXPECT_DOUBLE_EQ(simulate(Trace(10, step(TraceUnit::FMA)), 1), 19);
}

TEST(PartitionSimulator, StallKeepsTheWarpFromIssuing) {
  Trace Steps(10, step(TraceUnit::FMA));
  Steps[3].Stall = 6;
  EXPECT_DOUBLE_EQ(simulate(Steps, 1), 24);
}

TEST(PartitionSimulator, WaitsForTheScoreboard) {
  EXPECT_DOUBLE_EQ(simulate(loadAndUse(TraceUnit::GlobalLoad), 1), 510);
  EXPECT_DOUBLE_EQ(simulate(loadAndUse(TraceUnit::SharedLoad), 1), 39);
  EXPECT_DOUBLE_EQ(simulate(loadAndUse(TraceUnit::Constant), 1), 40);
}

// Eight stores of a word; each of 32 sectors takes L2 32 * 2.2 cycles, and all
// four partitions share it. The last round's stores are after them.
TEST(PartitionSimulator, PartsOfSectorsTakeL2Long) {
  Trace Steps(8, step(TraceUnit::GlobalStore));
  Steps.push_back(loadAndUse(TraceUnit::GlobalLoad)[0]);
  Steps.push_back(loadAndUse(TraceUnit::GlobalLoad)[1]);
  double Whole = simulate(Steps, 1);
  for (unsigned I = 0; I != 8; ++I)
    Steps[I].Sectors = 32;
  EXPECT_NEAR(simulate(Steps, 1) - Whole, 8 * 32 * 2.2 * 4, 60);
}

// What is stored to scattered places of local memory goes on to L2 in parts of
// sectors, what all threads store to one place in lines.
TEST(PartitionSimulator, ScatteredLocalStoresTakeL2Long) {
  Trace Steps(8, step(TraceUnit::LocalStore));
  Steps.push_back(loadAndUse(TraceUnit::GlobalLoad)[0]);
  Steps.push_back(loadAndUse(TraceUnit::GlobalLoad)[1]);
  double Whole = simulate(Steps, 1);
  for (unsigned I = 0; I != 8; ++I) {
    Steps[I].IsScattered = true;
    Steps[I].Sectors = 20;
  }
  EXPECT_NEAR(simulate(Steps, 1) - Whole, 8 * 20 * 2.2 * 4, 60);
}

// The second load is on its way while the first is waited for.
TEST(PartitionSimulator, LoadsInFlightOverlap) {
  Trace Steps = loadAndUse(TraceUnit::GlobalLoad);
  Trace Serial = Steps;
  Serial.insert(Serial.end(), Steps.begin(), Steps.end());
  Steps.insert(Steps.begin(), Steps.front());
  EXPECT_DOUBLE_EQ(simulate(Serial, 1), 500 + 1 + 500 + 10);
  EXPECT_DOUBLE_EQ(simulate(Steps, 1), 4 + 500 + 10);
}

TEST(PartitionSimulator, OtherWarpsHideTheWait) {
  EXPECT_DOUBLE_EQ(simulate(loadAndUse(TraceUnit::GlobalLoad), 8), 510);
}

// 128 bytes at a quarter of 4 bytes a cycle are 128 cycles for each of 16.
TEST(PartitionSimulator, MemoryBandwidthLimitsManyWarps) {
  EXPECT_DOUBLE_EQ(
      simulate(loadAndUse(TraceUnit::GlobalLoad), 16, 1, {500, 4, false}),
      16 * 128);
}

// Another warp has fetched what all threads load, wherever others load from.
TEST(PartitionSimulator, WhatIsSharedHitsL1) {
  Trace Steps = loadAndUse(TraceUnit::GlobalLoad);
  Steps.front().IsShared = true;
  for (bool AllScattered : {false, true})
    EXPECT_DOUBLE_EQ(simulate(Steps, 1, 1, {500, 16, AllScattered}), 40 + 10);
}

// Eight lines of 128 bytes at a quarter of 16 bytes a cycle are 256 cycles.
TEST(PartitionSimulator, ScatteredLoadsMoveWholeLines) {
  EXPECT_DOUBLE_EQ(
      simulate(loadAndUse(TraceUnit::GlobalLoad), 16, 1, {500, 16, true}),
      16 * 256);
}

// Integer instructions take two cycles each; while one warp starts again the
// other issues.
// As from shared memory, but for the latency, and never waiting for others.
TEST(PartitionSimulator, LoadsFromLinesOrSectorsAtHandHitL1) {
  Trace Steps = loadAndUse(TraceUnit::GlobalLoad);
  Steps[0].IsInLines = true;
  EXPECT_DOUBLE_EQ(simulate(Steps, 1), 50);
  MemoryScenario Scattered = {500, 128, true};
  EXPECT_DOUBLE_EQ(simulate(Steps, 1, 1, Scattered), 510);
  Steps[0].IsInSectors = true;
  EXPECT_DOUBLE_EQ(simulate(Steps, 1, 1, Scattered), 50);
}

TEST(PartitionSimulator, UnitsLimitTheRate) {
  EXPECT_DOUBLE_EQ(simulate(Trace(8, step(TraceUnit::ALU)), 2), 32);
  EXPECT_DOUBLE_EQ(simulate(Trace(16, step(TraceUnit::FMA)), 2), 32);
}

// Eight warps issue 64 instructions of three registers each. Of a bank that is
// three cycles for each; two of one and one of the other by turns are one and a
// half.
TEST(PartitionSimulator, BanksOfRegistersLimitTheRate) {
  auto Rate = [](Trace Steps) { return simulate(Steps, 8) / 8 / Steps.size(); };
  Trace Steps(64, step(TraceUnit::FMA));
  for (size_t I = 0; I != Steps.size(); ++I) {
    Steps[I].BankReads[0] = I % 2 ? 1 : 2;
    Steps[I].BankReads[1] = I % 2 ? 2 : 1;
  }
  EXPECT_NEAR(Rate(Steps), 1.5, 0.05);
  for (TraceStep &S : Steps) {
    S.BankReads[0] = 3;
    S.BankReads[1] = 0;
  }
  EXPECT_NEAR(Rate(Steps), 3, 0.05);
  for (TraceStep &S : Steps)
    S.BankReads[0] = S.BankReads[1] = 1;
  EXPECT_NEAR(Rate(Steps), 1, 0.05);
}

// Some warps always come to the tensor unit when it is taken. It takes 8 cycles
// for each of 15 blocks.
TEST(PartitionSimulator, WarpsThatNeverGetAUnitAreNotWaitedFor) {
  Trace Steps = {step(TraceUnit::Uniform), step(TraceUnit::Special),
                 step(TraceUnit::ALU), step(TraceUnit::Tensor)};
  Steps[0].Stall = 12;
  double Cycles = simulate(Steps, 15);
  EXPECT_GE(Cycles, 120);
  EXPECT_LE(Cycles, 180);
}

// Four words take 16 cycles, of which 12 are after the first; the second load
// begins when the first has passed.
TEST(PartitionSimulator, WideAccessesTakeATurnForEachWord) {
  Trace Steps = loadAndUse(TraceUnit::SharedLoad, 4);
  EXPECT_DOUBLE_EQ(simulate(Steps, 1), 29 + 12 + 10);
  Steps.insert(Steps.begin(), Steps.front());
  EXPECT_DOUBLE_EQ(simulate(Steps, 1), 16 + 29 + 12 + 10);
}

// Both arrive at cycle 35 of the second block and go on 8 cycles later, one
// after the other; the third block ends 20 cycles after the second.
TEST(PartitionSimulator, BarrierWaitsForAllWarpsOfTheBlock) {
  Trace Steps = {step(TraceUnit::Barrier), step(TraceUnit::FMA)};
  EXPECT_DOUBLE_EQ(simulate(Steps, 1, 2), 20);
}

TEST(PartitionSimulator, LocalLoadsMissAsOftenAsTold) {
  Trace Steps = loadAndUse(TraceUnit::LocalLoad);
  EXPECT_DOUBLE_EQ(simulate(Steps, 1), 40 + 10);
  EXPECT_DOUBLE_EQ(simulate(Steps, 1, 1, {500, 128, false}, 0.5),
                   (40 + 260) / 2.0 + 10);
}

TEST(PartitionSimulator, LocalLoadsThatMissL2ComeFromMemory) {
  Trace Steps = loadAndUse(TraceUnit::LocalLoad);
  PartitionLoad Load;
  Load.LocalMisses = Load.LocalBeyondL2 = 0.5;
  auto Cycles = [&] {
    return simulatePartition(Steps, Load, timingsOf(90), {500, 128, false});
  };
  EXPECT_DOUBLE_EQ(Cycles(), 40 * 0.5 + 260 * 0.25 + 600 * 0.25 + 10);
  // A quarter of 128 bytes at a quarter of 16 bytes a cycle, a quarter at 128.
  Load.Groups = 64;
  EXPECT_NEAR(Cycles(), 64 * (8 + 1), 64);
}

// Eight words of which the part that misses L1 is written back: 128 bytes at a
// quarter of 16 bytes a cycle instead of one of 128. The load after them waits
// for that. Words that are stored again are not.
TEST(PartitionSimulator, WordsOfLocalMemoryAreWrittenBackOnce) {
  auto Cycles = [](bool IsFirst, double WrittenBack) {
    Trace Steps(8, step(TraceUnit::LocalStore));
    for (TraceStep &S : Steps)
      S.IsFirst = IsFirst;
    Steps.push_back(loadAndUse(TraceUnit::GlobalLoad)[0]);
    Steps.push_back(loadAndUse(TraceUnit::GlobalLoad)[1]);
    PartitionLoad Load;
    Load.LocalMisses = 0.5;
    Load.LocalWrittenBack = WrittenBack;
    return simulatePartition(Steps, Load, timingsOf(90), {500, 128, false});
  };
  EXPECT_NEAR(Cycles(true, 0.25) - Cycles(true, 0), 8 * 0.25 * (32 - 4), 30);
  EXPECT_NEAR(Cycles(true, 0.5) - Cycles(true, 0), 8 * 0.5 * (32 - 4), 30);
  EXPECT_DOUBLE_EQ(Cycles(true, 1), Cycles(true, 0.5)); // No more than misses.
  EXPECT_DOUBLE_EQ(Cycles(false, 0.5), Cycles(true, 0));
}

// A store's operands are read 12 cycles after it is issued.
TEST(PartitionSimulator, OverwritingAnOperandWaitsForItsRead) {
  Trace Steps = {step(TraceUnit::GlobalStore), step(TraceUnit::FMA)};
  Steps[0].ReadBarrier = 2;
  Steps[1].WaitMask = 1 << 2;
  EXPECT_DOUBLE_EQ(simulate(Steps, 1), 12 + 10);
}

// 50 words of each of 16 warps: a turn of four cycles in shared memory, eight
// for 128 bytes of four partitions at 64 bytes a cycle.
TEST(PartitionSimulator, ManyWarpsComeNearTheLimitOfTheBusiestUnit) {
  for (auto [Unit, Busy] : {std::make_pair(TraceUnit::SharedLoad, 4),
                            std::make_pair(TraceUnit::GlobalLoad, 8)}) {
    Trace Steps;
    for (unsigned I = 0; I != 50; ++I)
      for (const TraceStep &S : loadAndUse(Unit))
        Steps.push_back(S);
    MemoryScenario Memory{100, 64, false};
    double Limit = 50 * 16 * Busy;
    double Cycles = simulate(Steps, 16, 1, Memory);
    EXPECT_GE(Cycles, Limit * 0.97);
    EXPECT_LE(Cycles, Limit * 1.03);
  }
}

TEST(PartitionSimulator, OlderArchitecturesHaveFewerUnits) {
  Trace Steps(8, step(TraceUnit::FMA));
  EXPECT_DOUBLE_EQ(
      simulatePartition(Steps, {2, 1, 0}, timingsOf(80), {500, 128, false}),
      32);
  // 8.9 is not listed and has the units of 8.6: two FP64 results a cycle.
  EXPECT_DOUBLE_EQ(timingsOf(89).FP64Busy, 64);
  EXPECT_DOUBLE_EQ(timingsOf(90).FP64Busy, 2);
  // 10.1 is 11.0 by its old name.
  EXPECT_DOUBLE_EQ(timingsOf(101).FP64Busy, timingsOf(110).FP64Busy);
}

} // namespace partition
