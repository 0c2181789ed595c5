//===- InstructionCacheTest.cpp - when warps have their code --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Model/InstructionCache.h"
#include "Decision/Model/PartitionSimulator.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

constexpr unsigned StepsOfLine = 8;
constexpr double LineTime = 17.5, L2LineTime = 47;

/// Sums on a straight way through so many lines of code, that often.
std::vector<TraceStep> way(unsigned Lines, unsigned Times = 1) {
  std::vector<TraceStep> Steps;
  for (unsigned Time = 0; Time != Times; ++Time)
    for (unsigned I = 0; I != Lines * StepsOfLine; ++I) {
      TraceStep S;
      S.Unit = TraceUnit::FMA;
      S.CodeLine = I / StepsOfLine;
      Steps.push_back(S);
    }
  return Steps;
}

/// Cycles that a warp which does nothing but wait for code takes for a way.
double walk(InstructionCache &Cache, size_t Steps) {
  double Time = 0;
  for (size_t I = 0; I != Steps; ++I)
    Time = Cache.arrive(I, Time);
  return Time;
}

/// Cycles of a partition for an instruction.
double simulate(const std::vector<TraceStep> &Steps, unsigned Warps) {
  return simulatePartition(Steps, {Warps, 1, 0}, timingsOf(90),
                           {500, 128, false}) /
         Warps / Steps.size();
}

TEST(InstructionCache, CodeThatFitsIsThere) {
  auto Steps = way(256);
  InstructionCache Cache(Steps, timingsOf(90));
  EXPECT_EQ(walk(Cache, Steps.size()), 0);
}

TEST(InstructionCache, LongerCodeComesALineAtATime) {
  auto Steps = way(300);
  InstructionCache Cache(Steps, timingsOf(90));
  EXPECT_DOUBLE_EQ(walk(Cache, Steps.size()), 300 * L2LineTime);
  // The near cache has thrown out what came first, the far one has not.
  EXPECT_DOUBLE_EQ(walk(Cache, Steps.size()) - 300 * L2LineTime,
                   300 * LineTime);
}

TEST(InstructionCache, WhatAnotherWarpFetchedLatelyIsThere) {
  auto Steps = way(300);
  InstructionCache Cache(Steps, timingsOf(90));
  for (size_t I = 0; I != 200 * StepsOfLine; ++I)
    Cache.arrive(I, 0);
  double Late = 1000 * L2LineTime;
  EXPECT_EQ(Cache.arrive(100 * StepsOfLine, Late), Late);
}

TEST(InstructionCache, LoopsFindTheirCode) {
  auto Steps = way(300, 2);
  InstructionCache Cache(Steps, timingsOf(90));
  double Once = 0, Time = 0;
  for (size_t I = 0; I != Steps.size(); ++I) {
    Time = Cache.arrive(I, Time);
    if (I == Steps.size() / 2)
      Once = Time;
  }
  EXPECT_EQ(Time, Once);
}

// A line of eight instructions at a time; warps in step fetch for each other.
TEST(InstructionCache, LongCodeHoldsWarpsUp) {
  EXPECT_NEAR(simulate(way(250), 1), 1, 0.01);
  EXPECT_NEAR(simulate(way(900), 1), LineTime / StepsOfLine, 0.02);
  EXPECT_NEAR(simulate(way(900), 4), 1, 0.07);
}

} // namespace
