//===- CostModelJobsTest.cpp - predictions by several threads -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CostModel.h"

#include "gtest/gtest.h"

using namespace regdem;

namespace {

/// A trace that is worth threads, another one for each Number: what was
/// simulated before is not simulated again.
double cyclesWith(unsigned Jobs, uint8_t Number) {
  CodeSummary Code;
  Code.Trace.resize(20000);
  for (TraceStep &S : Code.Trace)
    S.Unit = TraceUnit::FMA;
  Code.Trace.back().Words = Number; // No matter of sums.
  Build V;
  V.Regs = 64;
  return Predictor{*lookupSMLimits(90), Jobs}.predict(V, Code, {128});
}

TEST(CostModelJobs, PredictionsAreTheSame) {
  size_t Before = numSimulated();
  EXPECT_EQ(cyclesWith(1, 1), cyclesWith(4, 2));
  EXPECT_EQ(numSimulated(), Before + 2);
}

} // namespace
