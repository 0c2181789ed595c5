//===- CostModelJobsTest.cpp - threads that a prediction takes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a prediction runs shows in the time that this thread has been at work,
// of all the time of the process.
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CostModel.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace regdem;

namespace {

double secondsOf(clockid_t Clock) {
  timespec Now = {};
  clock_gettime(Clock, &Now);
  return static_cast<double>(Now.tv_sec) + 1e-9 * Now.tv_nsec;
}

/// The share of what Work takes that this thread does itself.
double shareOfThisThread(llvm::function_ref<void()> Work) {
  double Own = secondsOf(CLOCK_THREAD_CPUTIME_ID);
  double All = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
  Work();
  Own = secondsOf(CLOCK_THREAD_CPUTIME_ID) - Own;
  All = secondsOf(CLOCK_PROCESS_CPUTIME_ID) - All;
  return Own / All;
}

/// A trace that is worth threads, another one each time: what was simulated
/// before is not simulated again.
CodeSummary longCode() {
  static uint8_t Number = 0;
  CodeSummary Code;
  Code.Trace.resize(20000);
  for (TraceStep &S : Code.Trace)
    S.Unit = TraceUnit::FMA;
  Code.Trace.back().Words = ++Number; // No matter of sums.
  return Code;
}

struct CostModelJobs : testing::Test {
  Build V;
  CostModelJobs() { V.Regs = 64; }

  double cyclesWith(unsigned Jobs) const {
    CodeSummary Code = longCode();
    return Predictor{*lookupSMLimits(90), Jobs}.predict(V, &Code, {128});
  }
  double shareWith(unsigned Jobs) const {
    return shareOfThisThread([&] { cyclesWith(Jobs); });
  }
};

TEST_F(CostModelJobs, OneJobIsThisThread) { EXPECT_GT(shareWith(1), 0.9); }

TEST_F(CostModelJobs, SeveralAreOthers) { EXPECT_LT(shareWith(4), 0.5); }

TEST_F(CostModelJobs, PredictionsAreTheSame) {
  EXPECT_EQ(cyclesWith(1), cyclesWith(4));
}

} // namespace
