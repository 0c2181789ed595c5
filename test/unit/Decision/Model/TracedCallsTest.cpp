//===- TracedCallsTest.cpp - which functions a trace goes into ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CodeSummary.h"

#include "SassTexts.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

using namespace regdem;
using llvm::StringRef;

namespace {

/// A kernel that calls Function, which computes a sum, twice.
unsigned sumsOf(const std::string &Function) {
  std::string Call = "CALL.REL.NOINC `(" + Function + ")";
  return numSteps(codeOf(refs({Call, Call, "EXIT", Function + ":",
                               "FADD R4, R4, R5", "RET.REL.NODEC R20 `(k)"})),
                  TraceUnit::FMA);
}

TEST(TracedCalls, FunctionsAreOnTheWayAtEachCall) {
  EXPECT_EQ(sumsOf("function"), 2u);
}

TEST(TracedCalls, WhatIsCalledForUnusualOperandsIsNot) {
  EXPECT_EQ(sumsOf("$__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath"), 0u);
  EXPECT_EQ(sumsOf("$__internal_0_$__cuda_sm20_dsqrt_rn_f64_mediumpath_v1"),
            0u);
  EXPECT_EQ(sumsOf("$k$__internal_trig_reduction_slowpathd"), 0u);
}

TEST(TracedCalls, CallAndReturnAreInstructions) {
  CodeSummary Code =
      codeOf({"CALL.REL.NOINC `(f)", "EXIT", "f:", "FADD R4, R4, R5",
              "RET.REL.NODEC R20 `(k)"});
  ASSERT_EQ(Code.Trace.size(), 4u);
  EXPECT_EQ(Code.Trace[0].Unit, TraceUnit::Control);
  EXPECT_EQ(Code.Trace[1].Unit, TraceUnit::FMA);
  EXPECT_EQ(Code.Trace[2].Unit, TraceUnit::Control);
}

// As in one that is around the call: eight iterations, and four of each.
TEST(TracedCalls, LoopsOfFunctionsLieInThoseAroundTheCall) {
  CodeSummary Code = codeOf({"L1:", "CALL.REL.NOINC `(f)", "@P0 BRA `(L1)",
                             "EXIT", "f:", "L2:", "FADD R4, R4, R5",
                             "@P1 BRA `(L2)", "RET.REL.NODEC R20 `(k)"});
  EXPECT_EQ(numSteps(Code, TraceUnit::FMA), 8u * 4);
  EXPECT_EQ(Code.Work.Own, 8 * 4);
  EXPECT_EQ(Code.Work.Calls, 8);
}

// Its loop does what one iteration of the kernel's did before that was
// unrolled.
TEST(TracedCalls, LoopsOfFunctionsAreNotWhatIsLeftOverOfOthers) {
  auto Sums = [](std::vector<std::string> Lines, unsigned AtOnce,
                 llvm::ArrayRef<LoopWork> Rolled) {
    for (unsigned I = 0; I != AtOnce; ++I)
      Lines.push_back("FADD R1, R1, R2");
    for (StringRef Line : {"@P0 BRA `(L1)", "CALL.REL.NOINC `(f)", "EXIT",
                           "f:", "L2:", "FADD R4, R4, R5", "@P1 BRA `(L2)",
                           "RET.REL.NODEC R20 `(k)"})
      Lines.push_back(Line.str());
    return codeOf(refs(Lines), {Rolled});
  };
  CodeSummary Rolled = Sums({"L1:"}, 1, {});
  CodeSummary Unrolled = Sums({"L1:"}, 4, Rolled.InnermostLoops);
  EXPECT_EQ(numSteps(Rolled, TraceUnit::FMA), 8u + 8);
  EXPECT_EQ(numSteps(Unrolled, TraceUnit::FMA), 8u + 8);
}

/// A kernel with N sums of its own that calls a function with 19,900.
CodeSummary withLongFunction(unsigned N, Summarizer &Summaries) {
  std::vector<std::string> Lines(N, "FADD R1, R1, R2");
  Lines.insert(Lines.end(), {"CALL.REL.NOINC `(f)", "EXIT", "f:"});
  Lines.insert(Lines.end(), 19900, "IADD3 R4, R4, R5, RZ");
  Lines.push_back("RET.REL.NODEC R20 `(k)");
  return Summaries.summarize(mustParse(writeSass(refs(Lines))));
}

// One build is just short enough for its functions to be on the way, another
// just too long.
TEST(TracedCalls, FunctionsAreOnTheWayOfAllBuildsOrOfNone) {
  Summarizer FromShort, FromLong;
  EXPECT_TRUE(withLongFunction(10, FromShort).EntersCalls);
  EXPECT_EQ(withLongFunction(200, FromShort).Trace.size(), 200u + 2 + 19901);
  EXPECT_EQ(withLongFunction(200, FromLong).Trace.size(), 200u + 2);
  EXPECT_EQ(withLongFunction(10, FromLong).Trace.size(), 10u + 2);
}

TEST(TracedCalls, FunctionsThatMayCallThemselvesAreNotOnTheWay) {
  CodeSummary Code =
      codeOf({"CALL.REL.NOINC `(f)", "FADD R4, R4, R5", "CALL.REL.NOINC `(h)",
              "EXIT", "f:", "DADD R4, R4, R6", "CALL.REL.NOINC `(g)",
              "RET.REL.NODEC R20 `(k)", "g:", "DADD R4, R4, R6",
              "@P0 CALL.REL.NOINC `(f)", "RET.REL.NODEC R20 `(f)",
              "h:", "FADD R4, R4, R5", "RET.REL.NODEC R20 `(k)"});
  EXPECT_EQ(numSteps(Code, TraceUnit::FMA), 2u);
  EXPECT_EQ(numSteps(Code, TraceUnit::FP64), 0u);
}

// Each of thirty functions calls the next one twice.
TEST(TracedCalls, WaysThatGetTooLongGoIntoNoFunction) {
  std::vector<std::string> Lines = {"FADD R4, R4, R5", "CALL.REL.NOINC `(f0)",
                                    "EXIT"};
  for (unsigned F = 0; F != 30; ++F) {
    Lines.push_back("f" + std::to_string(F) + ":");
    Lines.push_back("FADD R4, R4, R5");
    if (F != 29)
      Lines.insert(Lines.end(), 2,
                   "CALL.REL.NOINC `(f" + std::to_string(F + 1) + ")");
    Lines.push_back("RET.REL.NODEC R20 `(k)");
  }
  EXPECT_EQ(codeOf(refs(Lines)).Trace.size(), 3u);
}

} // namespace
