//===- CostModelTest.cpp - predicting times -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CostModel.h"

#include "VariantSamples.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace regdem;

namespace {

/// One load and a sum that waits for it.
VariantCode waiting() {
  VariantCode Code;
  Code.Trace.resize(2);
  Code.Trace[0].Unit = TraceUnit::GlobalLoad;
  Code.Trace[0].WriteBarrier = 0;
  Code.Trace[1].Unit = TraceUnit::FMA;
  Code.Trace[1].WaitMask = 1;
  return Code;
}

/// The same with a load from local memory.
VariantCode waitingForLocal() {
  VariantCode Code = waiting();
  Code.Trace[0].Unit = TraceUnit::LocalLoad;
  return Code;
}

/// A thousand sums that wait for nothing.
VariantCode issuing() {
  VariantCode Code;
  Code.Trace.resize(1000);
  for (TraceStep &S : Code.Trace)
    S.Unit = TraceUnit::FMA;
  return Code;
}

const SMLimits &SM90 = *lookupSMLimits(90);

double predict(const Variant &V, const VariantCode *Code,
               unsigned Threads = 128) {
  return predictCycles(V, Code, Threads, SM90);
}

// One warp on each of four partitions: 200, 400 and twice 600 cycles for the
// load, and 10 between blocks.
TEST(CostModel, MeanOverWhatMemoryMayDo) {
  VariantCode Code = waiting();
  EXPECT_NEAR(predict(variant(64, 1), &Code),
              std::pow(210.0 * 410 * 610 * 610, 0.25), 1e-9);
}

TEST(CostModel, WarpsHideWaits) {
  VariantCode Code = waiting();
  double One = predict(variant(64, 1), &Code);
  EXPECT_NEAR(predict(variant(64, 2), &Code), One / 2, 1e-9);
}

TEST(CostModel, WarpsDoNotSpeedUpWhatIssuesAllTheTime) {
  VariantCode Code = issuing();
  EXPECT_NEAR(predict(variant(64, 2), &Code), 1000, 1);
  EXPECT_NEAR(predict(variant(64, 4), &Code), 1000, 1);
}

// Six warps are two on each partition by rounding, so that three blocks stand
// for four; the time of a block still is 1.5 times that of a block of four.
TEST(CostModel, BlocksThatDoNotFillThePartitionsCountByTheirWarps) {
  VariantCode Code = issuing();
  EXPECT_NEAR(predict(variant(64, 4), &Code, 192), 1500, 1);
  EXPECT_NEAR(predict(variant(64, 8), &Code, 64), 500, 1);
}

TEST(CostModel, CutLoopsAreScaled) {
  VariantCode Code = issuing();
  double Whole = predict(variant(64, 1), &Code);
  Code.WorkScale = 3;
  EXPECT_NEAR(predict(variant(64, 1), &Code), 3 * Whole, 1e-9);
}

// 40 cycles in L1 and 260 in L2: a quarter of the accesses miss while spill
// code fits half of L1, three quarters where it is twice of L1.
TEST(CostModel, SpillCodeThatDoesNotFitL1IsSlower) {
  VariantCode Code = waitingForLocal();
  Variant V = variant(64, 1);
  V.SpillFootprint = 1024;
  EXPECT_NEAR(predict(V, &Code), 10 + 40 + 0.25 * 220, 1e-9);
  V.SpillFootprint = 2 * V.L1Bytes;
  EXPECT_NEAR(predict(V, &Code), 10 + 40 + 0.75 * 220, 1e-9);
}

// 4 KB for each of 128 threads are twice of L1, spilled or not.
TEST(CostModel, ArraysInLocalMemoryNeedL1Too) {
  VariantCode Code = waitingForLocal();
  Variant V = variant(64, 1);
  V.FrameBytes = 4096;
  EXPECT_NEAR(predict(V, &Code), 10 + 40 + 0.75 * 220, 1e-9);
}

// Half of the accesses miss then, so that a quarter more wait for L2.
TEST(CostModel, ScatteredLoadsThrowLocalMemoryOutOfL1) {
  VariantCode Code = waitingForLocal();
  Code.Trace.push_back(waiting().Trace[0]);
  Code.Trace.back().Stall = 1;
  auto Cycles = [&](bool IsScattered) {
    Code.Trace.back().IsScattered = IsScattered;
    return predict(variant(64, 1), &Code);
  };
  EXPECT_NEAR(Cycles(true), Cycles(false) + 0.25 * 220, 5);
}

// 200, 400 and 600 cycles for the load: scattered ones are left out.
TEST(CostModel, UnderOneCapMemoryIsNotScattered) {
  VariantCode Code = waiting();
  EXPECT_NEAR(predictCyclesUnderCap(variant(64, 1), Code, 128, SM90),
              std::cbrt(210.0 * 410 * 610), 1e-9);
}

// Ten lines between two accesses, where half of L1 has 8 for each warp, or
// 8000: all but exp(-10/8) of them miss, or half.
TEST(CostModel, UnderOneCapSpillCodeMissesL1ByItsReuseDistance) {
  VariantCode Code = waitingForLocal();
  Code.Trace[0].ReuseDistance = 10;
  Variant V = variant(64, 1);
  for (bool IsSmall : {true, false}) {
    V.L1Bytes = 2 * 128 * 4 * (IsSmall ? 8 : 8000);
    double Share = IsSmall ? 1 - std::exp(-1.25) : 0.5;
    double Halvings = std::log2(256 * 1024.0 / V.L1Bytes);
    EXPECT_NEAR(predictCyclesUnderCap(V, Code, 128, SM90),
                (10 + 40 + Share * 220) * (1 + 0.015 * Halvings), 1e-3);
  }
  V.L1Bytes = 2 * 128 * 4 * 8;
  EXPECT_NEAR(predict(V, &Code), 10 + 40 + 0.25 * 220, 1e-9);
}

// A load moves 1024 bytes at 64, 32 or 16 bytes a cycle for the SM, and no more
// sectors are on the way than L1 has lines: with 32 KB, 8192 bytes in 200, 400
// or 600 cycles.
TEST(CostModel, ScatteredLoadsNeedLinesOfL1) {
  constexpr unsigned Loads = 1000;
  VariantCode Code;
  Code.Trace.assign(Loads, waiting().Trace[0]);
  for (TraceStep &S : Code.Trace)
    S.IsScattered = true;
  Code.Trace.push_back(waiting().Trace[1]);
  auto CyclesOfALoad = [&](unsigned L1Bytes) {
    Variant V = variant(64, 1);
    V.L1Bytes = L1Bytes;
    double Halvings = std::log2(256 * 1024.0 / L1Bytes);
    double Cost = 0.015 * Halvings + (L1Bytes < 248 * 1024 ? 0.07 : 0);
    return predictCyclesUnderCap(V, Code, 128, SM90) / (1 + Cost) / (4 * Loads);
  };
  EXPECT_NEAR(CyclesOfALoad(256 * 1024), std::cbrt(16.0 * 32 * 64), 0.3);
  EXPECT_NEAR(CyclesOfALoad(32 * 1024), std::cbrt(25.0 * 50 * 75), 0.3);
}

TEST(CostModel, UnderOneCapSlotsCostTheDataInL1) {
  VariantCode Code = issuing();
  Variant V = variant(64, 1);
  double Whole = predictCyclesUnderCap(V, Code, 128, SM90);
  EXPECT_NEAR(Whole, 1000, 15);
  V.L1Bytes /= 4;
  EXPECT_NEAR(predictCyclesUnderCap(V, Code, 128, SM90), 1.03 * Whole, 1e-9);
  EXPECT_NEAR(predict(V, &Code), predict(variant(64, 1), &Code), 1e-9);
}

// A little L1 costs next to nothing, and 7 % where two of three loads scatter.
TEST(CostModel, AnyL1IsDearWhereMostLoadsAreScattered) {
  VariantCode Code;
  Code.Trace = {waiting().Trace[0], waiting().Trace[0], waiting().Trace[0]};
  auto CostOfL1 = [&](unsigned Scattered) {
    for (unsigned I = 0; I != 3; ++I)
      Code.Trace[I].IsScattered = I < Scattered;
    Variant V = variant(64, 1);
    V.L1Bytes = 248 * 1024; // All that a kernel without shared memory has.
    double Whole = predictCyclesUnderCap(V, Code, 128, SM90);
    V.L1Bytes = 224 * 1024;
    return predictCyclesUnderCap(V, Code, 128, SM90) / Whole;
  };
  double Halvings = std::log2(256 / 248.0), More = std::log2(256 / 224.0);
  double Whole = 1 + 0.015 * Halvings;
  EXPECT_NEAR(CostOfL1(1), (1 + 0.015 * More) / Whole, 1e-3);
  EXPECT_NEAR(CostOfL1(2), (1.07 + 0.015 * More) / Whole, 1e-3);
}

// Four turns of a loop that loads once are as much work as one that is
// unrolled four times.
TEST(CostModel, ALoopUnrolledLessOftenIsNotFaster) {
  WayWork Unrolled = {8, 36}, Once = {2, 12}, Unknown;
  EXPECT_EQ(forSameWork(100, Once, Unrolled), 400);
  EXPECT_EQ(forSameWork(100, Unrolled, Once), 25);
  EXPECT_EQ(forSameWork(100, Unknown, Unrolled), 100);
  EXPECT_EQ(forSameWork(100, Once, Unknown), 100);
}

TEST(CostModel, LoadingAgainIsNoMoreWork) {
  EXPECT_EQ(forSameWork(100, {8, 100}, {5, 97}), 100);
  EXPECT_EQ(forSameWork(100, {8, 100}, {5, 103}), 100);
}

TEST(CostModel, EstimateKnowsSpillCodeOnly) {
  double Stock = predict(variant(64, 4), nullptr);
  EXPECT_DOUBLE_EQ(predict(capped(32, 8), nullptr), Stock);
  EXPECT_DOUBLE_EQ(predict(spilling(capped(32, 8), 40), nullptr) - Stock,
                   20 * 2);
}

} // namespace
