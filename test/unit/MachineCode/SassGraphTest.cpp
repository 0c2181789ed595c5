//===- SassGraphTest.cpp - control flow of machine code -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassTexts.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

SassKernel parse(ArrayRef<StringRef> Lines) {
  return mustParse(writeSass(Lines));
}

std::vector<double> frequencies(const SassKernel &K) {
  std::vector<double> Result;
  for (const SassBlock &B : K.Blocks)
    Result.push_back(B.Frequency);
  return Result;
}

TEST(SassGraph, PredicatedExitsDoNotEndABlock) {
  SassKernel K = parse({"S2R R0, SR_TID.X", "@P0 EXIT", "NOP", "EXIT", "NOP"});
  ASSERT_EQ(K.Blocks.size(), 1u);
  EXPECT_EQ(K.Blocks[0].Instructions.size(), 4u);
  EXPECT_TRUE(K.Blocks[0].Successors.empty());
}

TEST(SassGraph, CodeThatCannotBeReachedIsLeftOut) {
  SassKernel K = parse({"BRA `(L1)", "NOP", "L1:", "EXIT", "L2:", "BRA `(L2)"});
  ASSERT_EQ(K.Blocks.size(), 2u);
  EXPECT_EQ(K.Blocks[1].Instructions[0].Address, 0x20u);
}

TEST(SassGraph, ConvergenceEndsABlockAndGoesOn) {
  SassKernel K =
      parse({"BSSY B3, `(L2)", "@P0 BRA `(L1)", "STG.E [R2], R4",
             "L1:", "BSYNC.RECONVERGENT B3", "L2:", "STG.E [R2], R5", "EXIT"});
  ASSERT_EQ(K.Blocks.size(), 4u);
  EXPECT_EQ(K.Blocks[2].Instructions.size(), 1u);
  EXPECT_EQ(K.Blocks[2].Successors, (SmallVector<unsigned, 2>{3}));
}

TEST(SassGraph, BranchesWithAnotherConditionFallThrough) {
  SassKernel K =
      parse({"BRA P1, `(L1)", "STG.E [R2], R5", "L1:", "BRA.U !UP0, `(L2)",
             "STG.E [R2], R5", "L2:", "EXIT"});
  EXPECT_EQ(K.Blocks[0].Successors.size(), 2u);
  EXPECT_EQ(K.Blocks[2].Successors.size(), 2u);
}

TEST(SassGraph, BlocksRunAsOftenAsTheirLoops) {
  // A loop with an unknown count, and a way around it.
  SassKernel K = parse({"@P1 BRA `(L2)", "L1:", "STG.E [R2], R5",
                        "@P0 BRA `(L1)", "L2:", "STG.E [R2], R6", "EXIT"});
  EXPECT_EQ(frequencies(K), (std::vector<double>{1, 10, 1}));
  // One with two ways back and two ways out.
  K = parse({"L1:", "@P0 BRA `(L2)", "@P1 BRA `(L3)", "BRA `(L1)",
             "L2:", "STG.E [R2], R5", "@P2 BRA `(L1)", "EXIT", "L3:", "EXIT"});
  ASSERT_EQ(K.Loops.size(), 1u);
  EXPECT_EQ(frequencies(K), (std::vector<double>{10, 10, 10, 10, 1, 1}));
}

TEST(SassGraph, IrreducibleLoopsAreLoops) {
  // L1 and L2 lead to each other, and each is entered from outside.
  SassKernel K =
      parse({"@P0 BRA `(L2)", "L1:", "STG.E [R2], R5", "@P1 BRA `(L3)",
             "L2:", "STG.E [R2], R6", "@P2 BRA `(L1)", "L3:", "EXIT"});
  ASSERT_EQ(K.Loops.size(), 1u);
  EXPECT_EQ(K.Blocks[0].LoopDepth, 0u);
  EXPECT_EQ(K.Blocks[1].LoopDepth, 1u);
  EXPECT_EQ(K.Blocks[2].LoopDepth, 1u);
  EXPECT_GT(K.Blocks[1].Frequency, 1);
  EXPECT_GT(K.Blocks[2].Frequency, 1);
}

TEST(SassGraph, DeepNestsKeepFiniteFrequencies) {
  std::vector<std::string> Lines;
  for (unsigned N = 0; N != 400; ++N)
    Lines.push_back("L" + std::to_string(N) + ":"), Lines.push_back("NOP");
  for (unsigned N = 400; N--;)
    Lines.push_back("@P0 BRA `(L" + std::to_string(N) + ")");
  Lines.push_back("EXIT");
  SassKernel K = parse(std::vector<StringRef>(Lines.begin(), Lines.end()));
  EXPECT_EQ(K.Loops.size(), 400u);
  EXPECT_EQ(K.Loops.back().Depth, 400u);
  for (const SassBlock &B : K.Blocks)
    EXPECT_LE(B.Frequency, 1e15);
}

TEST(SassGraph, RecursionEnds) {
  SassKernel K = parse({"CALL.REL.NOINC `(f)", "EXIT", "f:", "STG.E [R2], R5",
                        "CALL.REL.NOINC `(f)", "CALL.REL.NOINC `(k)",
                        "RET.REL.NODEC R4 `(k)"});
  ASSERT_EQ(K.Functions.size(), 2u);
  EXPECT_EQ(K.Functions[1].Name, "f");
  EXPECT_EQ(K.Blocks[K.Functions[1].Entry].Frequency, 1);
}

TEST(SassGraph, CallsThatCannotBeSeenAreSaid) {
  EXPECT_TRUE(parse({"CALL.ABS.NOINC `(vprintf)", "EXIT"}).HasUnknownCallees);
  EXPECT_TRUE(parse({"CALL.REL.NOINC R8 `(k)", "EXIT"}).HasUnknownCallees);
  EXPECT_FALSE(parse({"EXIT"}).HasUnknownCallees);
}

/// Iterations of the only loop in Lines if they are known, else 0.
double trips(ArrayRef<StringRef> Lines) {
  SassKernel K = parse(Lines);
  return K.Loops.size() == 1 && K.Loops[0].TripsKnown ? K.Loops[0].Trips : 0;
}

TEST(SassGraph, CountersInOtherForms) {
  // Tested before the step.
  EXPECT_EQ(trips({"IMAD.MOV.U32 R5, RZ, RZ, 0x2",
                   "L:", "ISETP.LT.AND P0, PT, R5.reuse, 0x5, PT",
                   "IADD3 R5, PT, PT, R5, 0x1, RZ", "@P0 BRA `(L)", "EXIT"}),
            4);
  // Down from a constant that is loaded as two halves: 10.
  EXPECT_EQ(trips({"HFMA2.MMA R5, -RZ, RZ, 0, 5.9604644775390625e-07",
                   "L:", "VIADD R5, R5, 0xffffffff",
                   "ISETP.EQ.AND P0, PT, R5, RZ, PT", "@!P0 BRA `(L)", "EXIT"}),
            10);
}

TEST(SassGraph, CountersOfTheUniformDatapath) {
  StringRef Start = "UMOV UR5, URZ", Step = "UIADD3 UR5, UR5, 0x2, URZ",
            Test = "UISETP.NE.U32.AND UP0, UPT, UR5, 0x28, UPT",
            Copy = "PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0",
            Back = "@P0 BRA `(L)";
  EXPECT_EQ(trips({Start, "L:", Step, Test, Copy, Back, "EXIT"}), 20);
  // Of two predicates, of which one is not known, and of one that is written
  // anew after it was copied.
  EXPECT_EQ(trips({Start, "L:", Step, Test,
                   "PLOP3.LUT P0, PT, PT, P1, UP0, 0x80, 0x0", Back, "EXIT"}),
            0);
  EXPECT_EQ(trips({Start, "L:", Step, Test,
                   "PLOP3.LUT P0, PT, PT, PT, UP0, 0x8, 0x0", Back, "EXIT"}),
            1);
  EXPECT_EQ(trips({Start, "L:", Step, Test, Copy,
                   "UISETP.NE.U32.AND UP0, UPT, UR5, 0x10, UPT", Back, "EXIT"}),
            20);
}

TEST(SassGraph, CountersThatAreShifted) {
  StringRef Start = "MOV R5, 0x20", Test = "ISETP.GT.AND P0, PT, R5, 0x1, PT",
            Back = "@P0 BRA `(L)";
  EXPECT_EQ(
      trips({Start, "L:", "SHF.R.U32.HI R5, RZ, 0x1, R5", Test, Back, "EXIT"}),
      5);
  // As signed integers are halved: R5 is tested before it.
  EXPECT_EQ(trips({Start, "L:", "LEA.HI R6, R5, R5, RZ, 0x1", Test,
                   "SHF.R.S32.HI R5, RZ, 0x1, R6", Back, "EXIT"}),
            6);
  StringRef Below = "ISETP.LT.U32.AND P0, PT, R5, 0x200, PT";
  EXPECT_EQ(
      trips({Start, "L:", "SHF.L.U32 R5, R5, 0x1, RZ", Below, Back, "EXIT"}),
      4);
  EXPECT_EQ(
      trips({Start, "L:", "IMAD.SHL.U32 R5, R5, 0x2, RZ", Below, Back, "EXIT"}),
      4);
  // Around, into the other word, and by what is not known.
  for (StringRef Shift :
       {"SHF.R.W.U32 R5, R5, 0x1, R5", "SHF.R.U64 R5, R5, 0x1, RZ",
        "SHF.R.U32.HI R5, RZ, R7, R5", "LEA.HI.SX32 R5, R5, R5, 0x1f"})
    EXPECT_EQ(trips({Start, "L:", Shift, Test, Back, "EXIT"}), 0);
}

TEST(SassGraph, CountersOfLoopsWithCalls) {
  auto Lines = [](StringRef Callee) {
    return std::vector<StringRef>{"CS2R R4, SRZ",
                                  "L:",
                                  "@P1 BRA `(M)",
                                  "CALL.REL.NOINC `(f)",
                                  "M:",
                                  "IADD3 R5, R5, 0x1, RZ",
                                  "ISETP.NE.AND P0, PT, R5, 0x9, PT",
                                  "@P0 BRA `(L)",
                                  "EXIT",
                                  "f:",
                                  Callee,
                                  "RET.REL.NODEC R20 `(k)"};
  };
  EXPECT_EQ(trips(Lines("IADD3 R6, R6, 0x1, RZ")), 9);
  EXPECT_EQ(trips(Lines("IADD3 R5, R5, 0x1, RZ")), 0);
  EXPECT_EQ(trips(Lines("CALL.REL.NOINC R8 `(k)")), 0);
}

TEST(SassGraph, CountersOfLoopsThatAreLeftInTheMiddle) {
  StringRef Start = "MOV R5, 0x8",
            Test = "ISETP.NE.U32.AND P0, PT, R5, 0x78, PT",
            Leave = "@!P0 BRA `(M)", Step = "VIADD R5, R5, 0x10",
            Back = "BRA `(L)";
  EXPECT_EQ(trips({Start, "L:", Test, Leave, Step, Back, "M:", "EXIT"}), 8);
  // What is tested is stepped before that.
  EXPECT_EQ(trips({Start, "L:", Step, Test, Leave, Back, "M:", "EXIT"}), 7);
  // The way out is the one without a jump.
  EXPECT_EQ(trips({Start, "BRA `(L)", "N:", Step, "BRA `(L)", "L:", Test,
                   "@P0 BRA `(N)", "EXIT"}),
            8);
  // The way out is an EXIT, behind which the counter is copied.
  EXPECT_EQ(trips({Start, "L:", "VIADD R6, R5, 0x10",
                   "ISETP.NE.U32.AND P0, PT, R6, 0x78, PT", "@!P0 EXIT",
                   "MOV R5, R6", Back}),
            7);
  // The test is of the iteration before, or seldom made.
  EXPECT_EQ(trips({Start, "L:", Leave, Step, Test, Back, "M:", "EXIT"}), 0);
  EXPECT_EQ(trips({Start, "L:", "@P1 BRA `(N)", Test, Leave, "N:", Step, Back,
                   "M:", "EXIT"}),
            0);
}

TEST(SassGraph, CountsThatCannotBeSeenAreNotMadeUp) {
  StringRef Start = "MOV R5, RZ", Step = "IADD3 R5, R5, 0x1, RZ",
            Test = "ISETP.NE.AND P0, PT, R5, 0x9, PT", Back = "@P0 BRA `(L)";
  EXPECT_EQ(trips({Start, "L:", Step, Test, Back, "EXIT"}), 9);
  EXPECT_EQ(trips({"MOV R5, R6", "L:", Step, Test, Back, "EXIT"}), 0);
  EXPECT_EQ(trips({Start, "@P1 MOV R5, R6", "L:", Step, Test, Back, "EXIT"}),
            0);
  EXPECT_EQ(trips({Start, "L:", Step, Step, Test, Back, "EXIT"}), 0);
  EXPECT_EQ(
      trips({Start, "L:", "@P1 IADD3 R5, R5, 0x1, RZ", Test, Back, "EXIT"}), 0);
  EXPECT_EQ(trips({Start, "L:", "IADD3 R5, R5, R6, RZ", Test, Back, "EXIT"}),
            0);
  EXPECT_EQ(trips({Start, "L:", Step, "ISETP.NE.AND P0, PT, R5, R6, PT", Back,
                   "EXIT"}),
            0);
  EXPECT_EQ(trips({Start, "L:", Step, "ISETP.NE.AND P0, PT, R5, 0x9, P1", Back,
                   "EXIT"}),
            0);
  EXPECT_EQ(trips({Start, "L:", "IADD3 R5, R5, -0x1, RZ", Test, Back, "EXIT"}),
            0);
  // Another way out.
  EXPECT_EQ(
      trips({Start, "L:", Step, "@P3 BRA `(M)", Test, Back, "M:", "EXIT"}), 0);
}

TEST(SassGraph, WhatALoopCountsByIsSeenWithoutItsCount) {
  auto CountsBy = [](StringRef Step, StringRef Test) {
    return parse({"L:", Step, Test, "@P0 BRA `(L)", "EXIT"}).Loops[0].CountsBy;
  };
  StringRef ToRegister = "ISETP.NE.AND P0, PT, R5, R6, PT";
  EXPECT_EQ(CountsBy("IADD3 R5, R5, 0x1, RZ", ToRegister), 1u);
  EXPECT_EQ(
      CountsBy("VIADD R5, R5, 0xfffffffc", "ISETP.NE.AND P0, PT, R5, RZ, PT"),
      4u);
  EXPECT_EQ(CountsBy("IADD3 R5, R5, R7, RZ", ToRegister), 0u);
  EXPECT_EQ(CountsBy("SHF.L.U32 R5, R5, 0x1, RZ", ToRegister), 0u);
  EXPECT_EQ(CountsBy("@P1 IADD3 R5, R5, 0x1, RZ", ToRegister), 0u);
  EXPECT_EQ(CountsBy("MOV R5, R8", ToRegister), 0u);
  // Of two counters neither is the loop's.
  EXPECT_EQ(parse({"L:", "IADD3 R5, R5, 0x1, RZ", "IADD3 R6, R6, 0x1, RZ",
                   ToRegister, "@P0 BRA `(L)", "EXIT"})
                .Loops[0]
                .CountsBy,
            0u);
}

TEST(SassGraph, ErrorsNameThePlace) {
  EXPECT_EQ(whyNot(""), "no kernel in the machine code");
  EXPECT_EQ(whyNot("hello"), "nvdisasm's text, line 1: neither an instruction "
                             "nor a label nor a directive");
  EXPECT_EQ(whyNot(writeSass({"BRA `(L9)"})),
            "instruction BRA at 0x0: no code at label 'L9'");
  EXPECT_EQ(whyNot(writeSass({"NOP", "BRX R4 -0x20"})),
            "instruction BRX at 0x10: targets are not shown");
  EXPECT_EQ(whyNot(writeSass({"BRA 0x780"})),
            "instruction BRA at 0x0: target is not shown");
  EXPECT_EQ(whyNot(writeSass({"NOP"})),
            "control runs past the code behind 0x0");
  EXPECT_EQ(whyNot(writeSass({"L:", "L:", "EXIT"})),
            "nvdisasm's text, line 7: second label 'L'");
  EXPECT_EQ(whyNot(writeSass({"EXIT"}) + "/* 0x1 */\n"),
            "nvdisasm's text, line 8: encoding without an instruction");
}

} // namespace
