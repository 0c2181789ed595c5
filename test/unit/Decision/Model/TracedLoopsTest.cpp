//===- TracedLoopsTest.cpp - how often a trace goes round a loop ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CostModel.h"

#include "SassTexts.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

using namespace regdem;
using llvm::ArrayRef;
using llvm::StringRef;

namespace traced {

/// A loop with a label of its own that does Iterations at once: of each a sum
/// and a copy.
void addLoop(std::vector<std::string> &Lines, const std::string &Label,
             unsigned Iterations) {
  Lines.push_back(Label + ":");
  for (unsigned I = 0; I != Iterations; ++I) {
    Lines.push_back("FADD R1, R1, R2");
    Lines.push_back("IMAD.MOV.U32 R3, RZ, RZ, R4");
  }
  Lines.push_back("@P0 BRA `(" + Label + ")");
}

/// One loop that does so many iterations at once and, if any are left over, one
/// after it that does these.
CodeSummary loops(unsigned AtOnce, bool LeavesSome,
                  ArrayRef<LoopWork> Rolled = {}) {
  std::vector<std::string> Lines;
  addLoop(Lines, "L1", AtOnce);
  if (LeavesSome)
    addLoop(Lines, "L2", 1);
  Lines.push_back("EXIT");
  return codeOf(refs(Lines), {Rolled});
}

TEST(TracedLoops, FourIterationsAtOnceAreDoneAFourthAsOften) {
  CodeSummary Rolled = loops(1, false);
  ASSERT_EQ(Rolled.InnermostLoops.size(), 1u);
  EXPECT_EQ(Rolled.InnermostLoops[0].Own, 1u);
  EXPECT_EQ(Rolled.InnermostLoops[0].Steps, 3u);
  EXPECT_EQ(numSteps(Rolled, TraceUnit::Control), 8u + 1);

  CodeSummary Unrolled = loops(4, false, Rolled.InnermostLoops);
  EXPECT_EQ(numSteps(Unrolled, TraceUnit::Control), 2u + 1);
  EXPECT_EQ(numSteps(Unrolled, TraceUnit::FMA),
            numSteps(Rolled, TraceUnit::FMA));
  EXPECT_EQ(Unrolled.Work.Own, Rolled.Work.Own);
  EXPECT_FALSE(Unrolled.Work.RunsLonger);
}

/// A loop around one of six iterations; or all of its work six times.
std::vector<std::string> nested(bool IsUnrolled, StringRef Compared = "0x6") {
  std::vector<std::string> Lines = {"L1:"};
  if (!IsUnrolled)
    Lines.insert(Lines.end(), {"MOV R5, RZ", "L2:"});
  for (unsigned I = 0; I != (IsUnrolled ? 6 : 1); ++I)
    Lines.push_back("FADD R1, R1, R2");
  if (!IsUnrolled)
    Lines.insert(Lines.end(),
                 {"IADD3 R5, R5, 0x1, RZ",
                  "ISETP.NE.AND P0, PT, R5, " + Compared.str() + ", PT",
                  "@P0 BRA `(L2)"});
  Lines.insert(Lines.end(), {"@P1 BRA `(L1)", "EXIT"});
  return Lines;
}

TEST(TracedLoops, ByCountALoopDoesAsMuchAsWhereItIsUnrolled) {
  using Counts = LoopCounts;
  auto Sums = [](const std::vector<std::string> &Lines, Counts Are) {
    return numSteps(codeOf(refs(Lines), {{}, Are}), TraceUnit::FMA);
  };
  EXPECT_EQ(Sums(nested(true), Counts::All), 8u * 6);
  EXPECT_EQ(Sums(nested(false), Counts::All), 8u * 6);
  EXPECT_EQ(Sums(nested(false), Counts::Shown), 8u * 6);
  EXPECT_EQ(Sums(nested(false), Counts::Assumed), 8u * 4);
  // One that does not show its count must not look the faster.
  EXPECT_EQ(Sums(nested(false, "R6"), Counts::All), 8u * 64);
  EXPECT_EQ(Sums(nested(false, "R6"), Counts::Shown), 8u * 4);
}

/// Three loops of 64 iterations in each other around a sum; the innermost may
/// be unrolled.
std::vector<std::string> nestOfThree(bool IsUnrolled) {
  std::vector<std::string> Head, Tail;
  for (unsigned Loop = 0; Loop != (IsUnrolled ? 2 : 3); ++Loop) {
    std::string Label = "L" + std::to_string(Loop);
    std::string Counter = "R" + std::to_string(10 + Loop);
    Head.insert(Head.end(), {"MOV " + Counter + ", RZ", Label + ":"});
    Tail.insert(Tail.begin(),
                {"IADD3 " + Counter + ", " + Counter + ", 0x1, RZ",
                 "ISETP.NE.AND P0, PT, " + Counter + ", 0x40, PT",
                 "@P0 BRA `(" + Label + ")"});
  }
  Head.insert(Head.end(), IsUnrolled ? 64 : 1, "FADD R1, R1, R2");
  Head.insert(Head.end(), Tail.begin(), Tail.end());
  Head.push_back("EXIT");
  return Head;
}

// All iterations are 262,144 sums. What a shorter trace has is told.
TEST(TracedLoops, NestsThatShowAllCountsAreCutShort) {
  for (bool IsUnrolled : {false, true}) {
    CodeSummary Code =
        codeOf(refs(nestOfThree(IsUnrolled)), {{}, LoopCounts::All});
    EXPECT_LE(Code.Trace.size(), 8000u);
    EXPECT_GE(Code.Trace.size(), 2000u);
    EXPECT_NEAR(Code.WorkScale * numSteps(Code, TraceUnit::FMA), 64 * 64 * 64,
                3000);
    EXPECT_EQ(Code.Work.Own, 64 * 64 * 64);
    EXPECT_TRUE(Code.Work.IsCounted);
  }
}

TEST(TracedLoops, CodeShowsTheCountsOfInnerLoops) {
  EXPECT_TRUE(showsInnerCounts(mustParse(writeSass(refs(nested(false))))));
  EXPECT_FALSE(
      showsInnerCounts(mustParse(writeSass(refs(nested(false, "R6"))))));
  EXPECT_FALSE(
      showsInnerCounts(mustParse(writeSass(refs(nested(false, "0x80"))))));
  // So are those of functions, which are called in loops.
  EXPECT_FALSE(showsInnerCounts(mustParse(
      writeSass({"CALL.REL.NOINC `(f)", "EXIT", "f:", "L2:", "FADD R4, R4, R5",
                 "@P1 BRA `(L2)", "RET.REL.NODEC R20 `(k)"}))));
  // But not of those that only unusual operands come to.
  EXPECT_TRUE(showsInnerCounts(mustParse(writeSass(
      {"CALL.REL.NOINC `(f_slowpath)", "EXIT", "f_slowpath:", "NOP",
       "L2:", "FADD R4, R4, R5", "@P1 BRA `(L2)", "RET.REL.NODEC R20 `(k)"}))));
}

TEST(TracedLoops, WorkIsCountedWhereNoLoopIsAssumed) {
  auto IsCounted = [](ArrayRef<StringRef> Lines, LoopCounts Counts) {
    return codeOf(Lines, {{}, Counts}).Work.IsCounted;
  };
  std::vector<StringRef> Counted = {"MOV R5, RZ",
                                    "L:",
                                    "FADD R1, R1, R2",
                                    "IADD3 R5, R5, 0x1, RZ",
                                    "ISETP.NE.AND P0, PT, R5, 0x8, PT",
                                    "@P0 BRA `(L)",
                                    "EXIT"};
  EXPECT_TRUE(IsCounted(Counted, LoopCounts::Shown));
  EXPECT_FALSE(IsCounted(Counted, LoopCounts::Assumed));
  EXPECT_TRUE(IsCounted({"FADD R1, R1, R2", "EXIT"}, LoopCounts::Assumed));
  // The outer loop's count is not known.
  EXPECT_FALSE(IsCounted(refs(nested(false)), LoopCounts::All));
}

TEST(TracedLoops, WhatIsLeftOverIsLeftOut) {
  CodeSummary Rolled = loops(1, false);
  CodeSummary Unrolled = loops(4, true, Rolled.InnermostLoops);
  EXPECT_EQ(Unrolled.Work.Own, Rolled.Work.Own);
  EXPECT_EQ(numSteps(Unrolled, TraceUnit::Control), 2u + 1);
  // ptxas has unrolled stock's loop four times, and the main one further.
  CodeSummary ByPtxas = loops(4, false);
  CodeSummary Both = loops(16, true, ByPtxas.InnermostLoops);
  EXPECT_EQ(Both.Work.Own, ByPtxas.Work.Own);
  EXPECT_EQ(numSteps(Both, TraceUnit::Control), 2u + 1);
}

/// A loop that counts down to 0 by AtOnce and does so many sums; where it
/// leaves some over, a load ahead of one that does these.
CodeSummary counted(unsigned AtOnce, unsigned Sums, bool LeavesSome,
                    ArrayRef<LoopWork> Rolled = {}) {
  std::vector<std::string> Lines;
  auto AddLoop = [&Lines](const std::string &Label, unsigned By,
                          unsigned Sums) {
    Lines.push_back(Label + ":");
    Lines.insert(Lines.end(), Sums, "FADD R1, R1, R2");
    Lines.push_back("IADD3 R5, R5, -0x" + std::to_string(By) + ", RZ");
    Lines.push_back("ISETP.NE.AND P0, PT, R5, RZ, PT");
    Lines.push_back("@P0 BRA `(" + Label + ")");
  };
  AddLoop("L1", AtOnce, Sums);
  if (LeavesSome) {
    Lines.push_back("@P1 BRA `(End)");
    Lines.push_back("LDG.E R2, [R8.64]");
    AddLoop("L2", 1, 1);
    Lines.push_back("End:");
  }
  Lines.push_back("EXIT");
  return codeOf(refs(Lines), {Rolled});
}

TEST(TracedLoops, WhatCountsByFourIsUnrolledHoweverMuchItSaves) {
  CodeSummary Rolled = counted(1, 2, false);
  ASSERT_EQ(Rolled.InnermostLoops.size(), 1u);
  EXPECT_EQ(Rolled.InnermostLoops[0].CountsBy, 1u);
  CodeSummary Unrolled = counted(4, 5, true, Rolled.InnermostLoops);
  EXPECT_EQ(numSteps(Unrolled, TraceUnit::FMA), 2u * 5);
  // Nor is what is ahead of the loop that does the rest on the way.
  EXPECT_EQ(numSteps(Unrolled, TraceUnit::GlobalLoad), 0u);
  // A loop that does less than one iteration is another one.
  EXPECT_EQ(
      numSteps(counted(4, 1, false, Rolled.InnermostLoops), TraceUnit::FMA),
      8u);
  // So is one that counts by two.
  EXPECT_EQ(
      numSteps(counted(2, 5, false, Rolled.InnermostLoops), TraceUnit::FMA),
      8u * 5);
}

TEST(TracedLoops, LoopsThatAreAsTheyWereRunAsOften) {
  CodeSummary Rolled = loops(1, false);
  CodeSummary Same = loops(1, false, Rolled.InnermostLoops);
  EXPECT_EQ(Same.Trace.size(), Rolled.Trace.size());
  // Twice the work is no unrolling by four.
  EXPECT_EQ(loops(2, false, Rolled.InnermostLoops).Work.Own,
            2 * Rolled.Work.Own);
}

TEST(TracedLoops, WithoutTheRolledBuildAllLoopsRunAsOften) {
  EXPECT_EQ(loops(4, false).Work.Own, 4 * loops(1, false).Work.Own);
}

TEST(TracedLoops, IntegerLoopsAreKnownByTheirLength) {
  std::vector<StringRef> Once = {"L1:", "IADD3 R1, R1, R2, RZ",
                                 "LOP3.LUT R1, R1, R3, RZ, 0x3c, !PT",
                                 "@P0 BRA `(L1)", "EXIT"};
  std::vector<StringRef> Four = {"L1:"};
  for (unsigned I = 0; I != 4; ++I)
    Four.insert(Four.end(), Once.begin() + 1, Once.begin() + 3);
  Four.insert(Four.end(), {"@P0 BRA `(L1)", "EXIT"});
  CodeSummary Rolled = codeOf(Once);
  EXPECT_EQ(numSteps(codeOf(Four, {Rolled.InnermostLoops}), TraceUnit::ALU),
            numSteps(Rolled, TraceUnit::ALU));
}

/// A loop in two others that does so many iterations at once.
CodeSummary deepLoop(unsigned AtOnce, ArrayRef<LoopWork> Rolled = {}) {
  std::vector<std::string> Lines = {"L1:", "DADD R8, R8, R10",
                                    "L2:", "DADD R12, R12, R10"};
  addLoop(Lines, "L3", AtOnce);
  for (const char *Line : {"@P1 BRA `(L2)", "@P2 BRA `(L1)", "EXIT"})
    Lines.push_back(Line);
  return codeOf(refs(Lines), {Rolled});
}

// A loop that is given two iterations is given four where it does as many at
// once, and the time is for twice the work.
TEST(TracedLoops, MoreIterationsThanElsewhereAreMadeUpFor) {
  CodeSummary Rolled = deepLoop(1);
  CodeSummary Unrolled = deepLoop(4, Rolled.InnermostLoops);
  EXPECT_TRUE(Unrolled.Work.RunsLonger);
  EXPECT_GT(Unrolled.Work.Own, Rolled.Work.Own);
  EXPECT_DOUBLE_EQ(forSameWork(100, Unrolled.Work, Rolled.Work),
                   100 * Rolled.Work.Own / Unrolled.Work.Own);
  EXPECT_DOUBLE_EQ(forSameWork(100, Rolled.Work, Rolled.Work), 100);
}

// As where wide accesses take the place of narrow ones in one of the builds.
TEST(TracedLoops, FewerAccessesForTheSameArithmeticAreNoLessWork) {
  WayWork Narrow;
  Narrow.Words = 800;
  Narrow.Instructions = 1000;
  Narrow.Arithmetic = 100;
  WayWork Wide = Narrow;
  Wide.Words = 200;
  Wide.Instructions = 400;
  EXPECT_DOUBLE_EQ(forSameWork(100, Wide, Narrow), 100);
  WayWork Less = Wide;
  Less.Arithmetic = 25;
  EXPECT_DOUBLE_EQ(forSameWork(100, Less, Narrow), 400);
  Narrow.Arithmetic = Less.Arithmetic = 0;
  EXPECT_DOUBLE_EQ(forSameWork(100, Less, Narrow), 400);
}

} // namespace traced
