//===- CostModelTest.cpp - predicting times and choosing by them ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/CostModel.h"

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

/// A thousand sums that wait for nothing.
VariantCode issuing() {
  VariantCode Code;
  Code.Trace.resize(1000);
  for (TraceStep &S : Code.Trace)
    S.Unit = TraceUnit::FMA;
  return Code;
}

const SMLimits &SM90 = *lookupSMLimits(90);

Variant variant(unsigned Regs, unsigned Blocks) {
  Variant V;
  V.Regs = Regs;
  V.BlocksPerSM = Blocks;
  V.L1Bytes = 256 * 1024;
  return V;
}

Variant capped(unsigned Regs, unsigned Blocks, unsigned SharedBytes = 0) {
  Variant V = variant(Regs, Blocks);
  V.What = SharedBytes ? Decision::Demote : Decision::Cap;
  V.MaxRegs = Regs;
  V.StaticShared = SharedBytes;
  return V;
}

/// The stock build without the limit that ptxas derives by itself.
Variant lifted(unsigned Regs, unsigned Blocks) {
  Variant V = variant(Regs, Blocks);
  V.What = Decision::Cap;
  V.MinBlocks = 1;
  return V;
}

Variant spilling(Variant V, unsigned Bytes) {
  V.SpillStoreBytes = V.SpillLoadBytes = Bytes;
  return V;
}

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

// 40 cycles in L1 and 260 in L2: half of the accesses miss while spill code
// fits half of L1, three quarters where it is twice of L1.
TEST(CostModel, SpillCodeThatDoesNotFitL1IsSlower) {
  VariantCode Code = waiting();
  Code.Trace[0].Unit = TraceUnit::LocalLoad;
  Variant V = variant(64, 1);
  V.SpillFootprint = 1024;
  EXPECT_NEAR(predict(V, &Code), 10 + 150, 1e-9);
  V.SpillFootprint = 2 * V.L1Bytes;
  EXPECT_NEAR(predict(V, &Code), 10 + 40 + 0.75 * 220, 1e-9);
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
  VariantCode Code = waiting();
  Code.Trace[0].Unit = TraceUnit::LocalLoad;
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
  EXPECT_NEAR(predict(V, &Code), 10 + 150, 1e-9);
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
  VariantCode Code;
  EXPECT_EQ(forSameWork(100, Code, 8), 100);
  Code.Work = 2;
  EXPECT_EQ(forSameWork(100, Code, 8), 400);
  EXPECT_EQ(forSameWork(100, Code, 0), 100);
}

TEST(CostModel, EstimateKnowsSpillCodeOnly) {
  double Stock = predict(variant(64, 4), nullptr);
  EXPECT_DOUBLE_EQ(predict(capped(32, 8), nullptr), Stock);
  EXPECT_DOUBLE_EQ(predict(spilling(capped(32, 8), 40), nullptr) - Stock,
                   20 * 2);
}

TEST(ChooseVariant, StockStaysWithinTheMargin) {
  EXPECT_EQ(chooseVariant({variant(64, 4), capped(96, 3)}, {100, 99.5}, true),
            0u);
  EXPECT_EQ(chooseVariant({variant(64, 4), capped(96, 3)}, {100, 98.5}, true),
            1u);
  EXPECT_EQ(chooseVariant({variant(64, 4), capped(96, 3)}, {100, 120}, true),
            0u);
}

TEST(ChooseVariant, MoreBlocksByACapNeedAGreaterMargin) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(marginOf(capped(48, 5), Stock, true), 0.04);
  EXPECT_EQ(marginOf(capped(48, 4), Stock, true), decisionMargin(true));
  EXPECT_EQ(marginOf(capped(48, 5), Stock, false), decisionMargin(false));
  Variant Spilling = variant(48, 5); // To shared memory, without a cap.
  Spilling.SmemSpilling = true;
  EXPECT_EQ(marginOf(Spilling, Stock, true), 0.04);
  EXPECT_EQ(marginOf(variant(48, 5), Stock, true), decisionMargin(true));
  for (auto [What, Cycles] : {std::pair(1u, 95.5), std::pair(0u, 96.5)})
    EXPECT_EQ(chooseVariant({Stock, capped(48, 5)}, {100, Cycles}, true), What);
  // One that is not fast enough hides none that has to gain less.
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5), capped(96, 3)},
                          {100, 96.5, 98.5}, true),
            2u);
}

TEST(ChooseVariant, MuchSpillCodeIsNotForWhatSpillsNothing) {
  Variant Stock = variant(64, 4), Spilling = spilling(capped(32, 8), 400);
  Spilling.SpillFootprint = Spilling.L1Bytes;
  EXPECT_EQ(chooseVariant({Stock, Spilling}, {100, 80}, true), 1u);
  ++Spilling.SpillFootprint;
  EXPECT_EQ(chooseVariant({Stock, Spilling}, {100, 80}, true), 0u);
  EXPECT_EQ(chooseVariant({spilling(Stock, 4), Spilling}, {100, 80}, true), 1u);
}

TEST(ChooseVariant, LiftingTheLimitNeedsNoMargin) {
  Variant Stock = variant(64, 4), Lifted = lifted(72, 3);
  EXPECT_EQ(chooseVariant({Stock, Lifted}, {100, 99.9}, true), 1u);
  EXPECT_EQ(chooseVariant({Stock, Lifted}, {100, 100}, true), 0u);
  EXPECT_EQ(marginOf(Lifted, Stock, true), 0);
  // Estimates do not know what lost warps cost.
  EXPECT_EQ(chooseVariant({Stock, lifted(64, 4)}, {100, 99}, false), 0u);
}

TEST(ChooseVariant, OthersNeedTheMarginOverTheLiftedLimit) {
  Variant Stock = variant(64, 4), Lifted = lifted(72, 3);
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5, 4096), Lifted}, {100, 97.5, 98},
                          true),
            2u);
  EXPECT_EQ(
      chooseVariant({Stock, capped(48, 5, 4096), Lifted}, {100, 90, 98}, true),
      1u);
}

TEST(ChooseVariant, LeastChangeAmongEquals) {
  Variant Stock = variant(64, 4);
  // Least shared memory first, although another is predicted to be faster.
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), capped(40, 6, 4096),
                           capped(48, 5)},
                          {100, 80, 81, 82}, true),
            3u);
  // No spill code before some, no cap before one, then most registers.
  EXPECT_EQ(chooseVariant({Stock, spilling(capped(48, 5), 8), capped(40, 6)},
                          {100, 80, 81}, true),
            2u);
  EXPECT_EQ(chooseVariant({Stock, capped(80, 3), variant(72, 3)}, {100, 80, 81},
                          true),
            2u);
  EXPECT_EQ(
      chooseVariant({Stock, capped(40, 6), capped(48, 5)}, {100, 80, 81}, true),
      2u);
}

TEST(ChooseVariant, LeastChangeHasToGainTheMarginToo) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), capped(48, 5)},
                          {100, 96, 98}, true),
            1u);
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), capped(48, 5)},
                          {100, 93, 95.9}, true),
            2u);
  // On the build with the limit lifted, which may itself be the least change.
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), capped(48, 5, 4096),
                           lifted(72, 3)},
                          {100, 90, 94.5, 95}, true),
            1u);
  EXPECT_EQ(chooseVariant({Stock, capped(32, 8, 8192), lifted(72, 3)},
                          {100, 94, 97}, true),
            2u);
}

TEST(ChooseVariant, FarFasterBeatsLessChange) {
  EXPECT_EQ(chooseVariant({variant(64, 4), capped(32, 8, 8192), capped(48, 5)},
                          {100, 80, 90}, true),
            1u);
}

TEST(ChooseVariant, EstimatesNeedMoreAndCostNoBlocks) {
  Variant Stock = variant(64, 4);
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5)}, {100, 92}, false), 0u);
  EXPECT_EQ(chooseVariant({Stock, capped(48, 5)}, {100, 85}, false), 1u);
  EXPECT_EQ(chooseVariant({Stock, capped(80, 3)}, {100, 50}, false), 0u);
}

} // namespace
