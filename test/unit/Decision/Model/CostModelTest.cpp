//===- CostModelTest.cpp - predicting times -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CostModel.h"

#include "BuildSamples.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace regdem;

namespace {

/// One load and a sum that waits for it.
CodeSummary waiting() {
  CodeSummary Code;
  Code.Trace.resize(2);
  Code.Trace[0].Unit = TraceUnit::GlobalLoad;
  Code.Trace[0].WriteBarrier = 0;
  Code.Trace[1].Unit = TraceUnit::FMA;
  Code.Trace[1].WaitMask = 1;
  return Code;
}

/// The same with a load from local memory.
CodeSummary waitingForLocal() {
  CodeSummary Code = waiting();
  Code.Trace[0].Unit = TraceUnit::LocalLoad;
  return Code;
}

/// A thousand sums that wait for nothing.
CodeSummary issuing() {
  CodeSummary Code;
  Code.Trace.resize(1000);
  for (TraceStep &S : Code.Trace)
    S.Unit = TraceUnit::FMA;
  return Code;
}

const Predictor SM90{*lookupSMLimits(90)};

/// At a launch that fills an SM with V's blocks.
double predict(const Build &V, const CodeSummary &Code,
               unsigned Threads = 128) {
  return SM90.predict(V, Code, {Threads, 0, V.BlocksPerSM});
}

// One warp on each of four partitions: 200, 400 and twice 600 cycles for the
// load, and 10 between blocks.
TEST(CostModel, MeanOverWhatMemoryMayDo) {
  CodeSummary Code = waiting();
  EXPECT_NEAR(predict(buildOf(64, 1), Code),
              std::pow(210.0 * 410 * 610 * 610, 0.25), 1e-9);
}

TEST(CostModel, WarpsHideWaits) {
  CodeSummary Code = waiting();
  double One = predict(buildOf(64, 1), Code);
  EXPECT_NEAR(predict(buildOf(64, 2), Code), One / 2, 1e-9);
}

TEST(CostModel, LastRoundHasTheBlocksThatAreLeft) {
  CodeSummary Code = waiting();
  Build V = buildOf(64, 8);
  auto CyclesOf = [&](unsigned Blocks) {
    llvm::SmallVector<double, 4> Of;
    SM90.predict(V, Code, {128, 0, Blocks}, &Of);
    for (double &Cycles : Of)
      Cycles *= Blocks;
    return Of;
  };
  auto Full = CyclesOf(8), Three = CyclesOf(3), All = CyclesOf(19);
  ASSERT_EQ(All.size(), 4u);
  for (auto [OfFull, OfThree, OfAll] : llvm::zip_equal(Full, Three, All))
    EXPECT_DOUBLE_EQ(OfAll, 2 * OfFull + OfThree);
}

TEST(CostModel, WarpsDoNotSpeedUpWhatIssuesAllTheTime) {
  CodeSummary Code = issuing();
  EXPECT_NEAR(predict(buildOf(64, 2), Code), 1000, 1);
  EXPECT_NEAR(predict(buildOf(64, 4), Code), 1000, 1);
}

TEST(CostModel, WhatWasSimulatedIsNotSimulatedAgain) {
  CodeSummary Code = issuing();
  Code.Trace.front().Stall = 7; // No other test's.
  CodeSummary Same = Code;
  size_t Before = numSimulated();
  double First = predict(buildOf(64, 4), Code);
  EXPECT_DOUBLE_EQ(predict(buildOf(64, 4), Same), First);
  EXPECT_EQ(numSimulated() - Before, 1u);
  predict(buildOf(64, 2), Same);
  EXPECT_EQ(numSimulated() - Before, 2u);
  Same.Trace.front().Stall = 8;
  predict(buildOf(64, 4), Same);
  EXPECT_EQ(numSimulated() - Before, 3u);
}

// Six warps are two on each partition by rounding, so that three blocks stand
// for four; the time of a block still is 1.5 times that of a block of four.
TEST(CostModel, BlocksThatDoNotFillThePartitionsCountByTheirWarps) {
  CodeSummary Code = issuing();
  EXPECT_NEAR(predict(buildOf(64, 4), Code, 192), 1500, 1);
  EXPECT_NEAR(predict(buildOf(64, 8), Code, 64), 500, 1);
}

// Two warps have two of four partitions to themselves, and nobody has the
// others.
TEST(CostModel, ABlockThatIsTooSmallForAnSMLeavesPartitionsIdle) {
  CodeSummary Code = issuing();
  EXPECT_NEAR(predict(buildOf(64, 1), Code, 64), 1010, 2);
  EXPECT_NEAR(predict(buildOf(64, 2), Code, 64), 505, 2);
}

TEST(CostModel, CutLoopsAreScaled) {
  CodeSummary Code = issuing();
  double Whole = predict(buildOf(64, 1), Code);
  Code.WorkScale = 3;
  EXPECT_NEAR(predict(buildOf(64, 1), Code), 3 * Whole, 1e-9);
}

/// L1 beside the shared memory that the driver carves out for the eight blocks
/// of 64 registers that an SM has room for, each of which has 1 KB reserved.
constexpr unsigned L1Bytes = (256 - 8) * 1024;

// 40 cycles in L1 and 260 in L2: a quarter of the accesses miss while spill
// code fits half of L1, two thirds where it is one and a half of L1.
TEST(CostModel, SpillCodeThatDoesNotFitL1IsSlower) {
  CodeSummary Code = waitingForLocal();
  Build V = buildOf(64, 1);
  V.SpillStoreBytes = 1024 / 128;
  EXPECT_NEAR(predict(V, Code), 10 + 40 + 0.25 * 220, 1e-9);
  V.SpillStoreBytes = L1Bytes * 3 / 2 / 128;
  EXPECT_NEAR(predict(V, Code), 10 + 40 + 2 / 3.0 * 220, 1e-9);
}

// Seven eighths miss L1 where it is four times of L1. Half of it, 496 KB, lies
// between a store and its reload; what does not find a place in 388 KB of L2
// goes to memory, which takes 340 cycles more.
TEST(CostModel, SpillCodeThatDoesNotFitL2GoesToMemory) {
  CodeSummary Code = waitingForLocal();
  Build V = buildOf(64, 1);
  V.SpillStoreBytes = 4 * L1Bytes / 128;
  EXPECT_NEAR(predict(V, Code),
              10 + 40 + 0.875 * (220 + (1 - 388 / 496.0) * 340), 1e-9);
}

// A frame for each of 128 threads, one and a half of L1, spilled or not.
TEST(CostModel, ArraysInLocalMemoryNeedL1Too) {
  CodeSummary Code = waitingForLocal();
  Build V = buildOf(64, 1);
  V.FrameBytes = L1Bytes * 3 / 2 / 128;
  EXPECT_NEAR(predict(V, Code), 10 + 40 + 2 / 3.0 * 220, 1e-9);
}

// Half of the accesses miss then, so that at least a quarter more wait for L2,
// in which the load itself takes its turn.
TEST(CostModel, ScatteredLoadsThrowLocalMemoryOutOfL1) {
  CodeSummary Code = waitingForLocal();
  Code.Trace.push_back(waiting().Trace[0]);
  Code.Trace.back().Stall = 1;
  auto Cycles = [&](bool IsScattered) {
    Code.Trace.back().IsScattered = IsScattered;
    return predict(buildOf(64, 1), Code);
  };
  EXPECT_GE(Cycles(true), Cycles(false) + 0.25 * 220);
}

TEST(CostModel, BuildsArePredictedTogetherForTheWorkOfTheFirst) {
  CodeSummary Code = waiting(), Twice = waiting();
  Code.Work = {100, 1000, 100, false};
  Twice.Work = {200, 2000, 200, false};
  std::vector<Build> Builds = predictTogether(
      {{buildOf(64, 1), Code}, {buildOf(64, 1), Twice}}, {128, 0, 1}, SM90);
  EXPECT_NEAR(Builds[0].Cycles, predict(buildOf(64, 1), Code), 1e-9);
  EXPECT_NEAR(Builds[1].Cycles, Builds[0].Cycles / 2, 1e-9);
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

// A loop unrolled before ptxas saves instructions for the same work.
TEST(CostModel, UnrolledBuildsAreComparedByWhatIsTheirOwn) {
  WayWork Stock = {40, 200, 80}, Unrolled = {50, 200, 100};
  EXPECT_EQ(forSameWork(100, Unrolled, Stock), 100);
  Unrolled.Rewrites = Rewrite::UnrollLoops;
  EXPECT_EQ(forSameWork(100, Unrolled, Stock), 80);
  Unrolled.Own = 80; // It loads again.
  EXPECT_EQ(forSameWork(100, Unrolled, Stock), 100);
}

TEST(CostModel, WhatIsCountedIsNotAdjusted) {
  WayWork Rolled, Unrolled;
  Rolled.Words = Rolled.Instructions = Rolled.Arithmetic = 400;
  Unrolled.Words = Unrolled.Instructions = Unrolled.Arithmetic = 100;
  Unrolled.IsCounted = true;
  EXPECT_EQ(forSameWork(100, Unrolled, Rolled), 400);
  Rolled.IsCounted = true;
  EXPECT_EQ(forSameWork(100, Unrolled, Rolled), 100);
}

// ptxas unrolls an inner loop of one of two builds alone, which have loads and
// stores in the outer one.
TEST(CostModel, ArithmeticThatNoRewriteTakesAwayIsTheSame) {
  WayWork Stock, Other;
  Stock.Words = Other.Words = 43;
  Stock.Instructions = 300, Stock.Arithmetic = 200;
  Other.Instructions = 170, Other.Arithmetic = 80;
  Other.Rewrites = Rewrite::LowerArrays;
  EXPECT_EQ(forSameWork(100, Other, Stock), 100);
  Other.Rewrites = Rewrite::SkipLoopReduce;
  EXPECT_EQ(forSameWork(100, Other, Stock), 250);
  // ptxas does some of it twice.
  Other.Arithmetic = 190;
  EXPECT_EQ(forSameWork(100, Other, Stock), 100);
  // What leaves a loop is done less often.
  Other.Arithmetic = 80;
  Other.Rewrites = Rewrite::HoistBranches;
  EXPECT_EQ(forSameWork(100, Other, Stock), 100);
  Other.Rewrites = Rewrite::SkipLoopReduce;
  // Among integers some says nothing.
  Stock.Arithmetic = 20, Other.Arithmetic = 8;
  EXPECT_EQ(forSameWork(100, Other, Stock), 100);
}

TEST(CostModel, LoadingAgainIsNoMoreWork) {
  EXPECT_EQ(forSameWork(100, {8, 100}, {5, 97}), 100);
  EXPECT_EQ(forSameWork(100, {8, 100}, {5, 103}), 100);
}

// Behind a call a loop is given iterations that its code may count otherwise.
TEST(CostModel, InlinedCallsAreComparedForTheSameWork) {
  WayWork Called = {8, 400, 100};
  Called.Calls = 4;
  auto Inlined = [](double Instructions, double Own) {
    WayWork Work = {8, Instructions, Own};
    Work.Rewrites = Rewrite::InlineCalls;
    return Work;
  };
  EXPECT_DOUBLE_EQ(forSameWork(100, Inlined(1200, 300), Called), 100 / 3.0);
  EXPECT_EQ(forSameWork(100, Inlined(200, 50), Called), 200);
  // What calls cost may be saved.
  EXPECT_EQ(forSameWork(100, Inlined(310, 100), Called), 100);
  // Integers have loops, too.
  EXPECT_EQ(forSameWork(100, Inlined(200, 100), Called), 200);
}

} // namespace
