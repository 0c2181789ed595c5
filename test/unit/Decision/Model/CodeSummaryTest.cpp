//===- CodeSummaryTest.cpp - one warp's way through a build ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CodeSummary.h"

#include "SassTexts.h"
#include "gtest/gtest.h"
#include <array>
#include <utility>
#include <vector>

using namespace regdem;
using llvm::StringRef;

namespace summary {

TraceUnit unitOfOpcode(StringRef Instruction) {
  std::string Text = (Instruction + " R0, R2").str();
  return codeOf({Text, "EXIT"}).Trace.front().Unit;
}

TEST(CodeSummary, StraightCodeIsItsOwnTrace) {
  CodeSummary Code = codeOf(
      {"LDG.E.64 R2, [R4.64]", "FADD R2, R2, R3", "STG.E [R4.64], R2", "EXIT"});
  ASSERT_EQ(Code.Trace.size(), 4u);
  EXPECT_EQ(Code.Trace[0].Unit, TraceUnit::GlobalLoad);
  EXPECT_EQ(Code.Trace[0].Words, 2u);
  EXPECT_EQ(Code.Trace[1].Unit, TraceUnit::FMA);
  EXPECT_EQ(Code.Trace[2].Unit, TraceUnit::GlobalStore);
  EXPECT_EQ(Code.Trace[2].Words, 1u);
  EXPECT_EQ(Code.Trace[3].Unit, TraceUnit::Control);
  EXPECT_DOUBLE_EQ(Code.WorkScale, 1);
}

// Where generic addresses of local memory are made, what has one is there.
TEST(CodeSummary, GenericAddressesAreTheFrames) {
  auto UnitsOf = [](StringRef Window) {
    std::string Made = ("IADD3 R4, P0, R1, c[0x0][" + Window + "], RZ").str();
    CodeSummary Code = codeOf({Made, "LD.E R2, [R4.64]", "ST.E [R4.64], R2",
                               "LDG.E R2, [R6.64]", "EXIT"});
    return std::array{Code.Trace[1].Unit, Code.Trace[2].Unit,
                      Code.Trace[3].Unit};
  };
  using U = TraceUnit;
  EXPECT_EQ(UnitsOf("0x20"),
            (std::array{U::LocalLoad, U::LocalStore, U::GlobalLoad}));
  EXPECT_EQ(UnitsOf("0x210"),
            (std::array{U::GlobalLoad, U::GlobalStore, U::GlobalLoad}));
}

TEST(CodeSummary, WordsAreStoredForTheFirstTimeOnce) {
  CodeSummary Code = codeOf({"STL [R1+0x8], R2", "STL [R1+0xc], R2",
                             "STL [R1+0x8], R3", "STS [R1+0x10], R3", "EXIT"});
  std::vector<bool> First;
  for (const TraceStep &S : Code.Trace)
    First.push_back(S.IsFirst);
  EXPECT_EQ(First, (std::vector<bool>{true, true, false, false, false}));
}

// Registers count by bank, once each; what the last instruction has kept does
// not, nor do uniform ones and predicates.
TEST(CodeSummary, RegistersAreReadFromBanks) {
  CodeSummary Code =
      codeOf({"FFMA R2, R4.reuse, R6, R7", "FFMA R3, R4, R5, R5",
              "DFMA R8, R10, R12, R14", "@P0 IADD3 R2, R4, UR4, RZ", "EXIT"});
  auto Reads = [&](size_t I) {
    const TraceStep &S = Code.Trace[I];
    return std::pair<unsigned, unsigned>(S.BankReads[0], S.BankReads[1]);
  };
  using Pair = std::pair<unsigned, unsigned>;
  EXPECT_EQ(Reads(0), Pair(2, 1));
  EXPECT_EQ(Reads(1), Pair(0, 1));
  EXPECT_EQ(Reads(2), Pair(3, 3));
  EXPECT_EQ(Reads(3), Pair(1, 0));
}

// MD5's report of a hash that was found: four words must be equal.
TEST(CodeSummary, SeldomAccessesAreIssuedOnly) {
  std::vector<StringRef> Lines = {"ISETP.NE.U32.AND P0, PT, R13, R2, PT",
                                  "ISETP.NE.U32.OR P0, PT, R9, R0, P0",
                                  "ISETP.NE.U32.OR P0, PT, R10, R3, P0",
                                  "@!P0 STG.E [R4.64], R6", "EXIT"};
  CodeSummary Code = codeOf(Lines);
  ASSERT_EQ(Code.Trace.size(), 5u);
  EXPECT_EQ(Code.Trace[3].Unit, TraceUnit::Control);
  EXPECT_EQ(Code.Work.Words, 0);
  Lines[3] = "@P0 STG.E [R4.64], R6";
  EXPECT_EQ(codeOf(Lines).Trace[3].Unit, TraceUnit::GlobalStore);
  Lines[2] = "NOP";
  Lines[3] = "@!P0 STG.E [R4.64], R6";
  EXPECT_EQ(codeOf(Lines).Trace[3].Unit, TraceUnit::GlobalStore);
}

TEST(CodeSummary, LoopsRunEightTimes) {
  CodeSummary Code = codeOf(
      {"MUFU.RCP R0, R0", "L1:", "FADD R1, R1, R2", "@P0 BRA `(L1)", "EXIT"});
  EXPECT_EQ(numSteps(Code, TraceUnit::Special), 1u);
  EXPECT_EQ(numSteps(Code, TraceUnit::FMA), 8u);
}

TEST(CodeSummary, InnerLoopsRunFourTimesEach) {
  CodeSummary Code = codeOf({"L1:", "DADD R0, R0, R2", "L2:", "FADD R1, R1, R2",
                             "@P0 BRA `(L2)", "@P1 BRA `(L1)", "EXIT"});
  EXPECT_EQ(numSteps(Code, TraceUnit::FP64), 8u);
  EXPECT_EQ(numSteps(Code, TraceUnit::FMA), 32u);
}

TEST(CodeSummary, BothSidesOfABranchAreOnTheWay) {
  CodeSummary Code = codeOf({"@P0 BRA `(L1)", "FADD R1, R1, R2", "BRA `(L2)",
                             "L1:", "DADD R0, R0, R2", "L2:", "EXIT"});
  EXPECT_EQ(numSteps(Code, TraceUnit::FMA), 1u);
  EXPECT_EQ(numSteps(Code, TraceUnit::FP64), 1u);
}

// 8 * 1000 steps and more are too many; half of them stand for all.
TEST(CodeSummary, LongLoopsAreCutShortAndScaled) {
  std::vector<StringRef> Lines = {"L1:", "LDG.E R2, [R4.64]"};
  Lines.insert(Lines.end(), 900, "FADD R1, R1, R2");
  Lines.insert(Lines.end(), {"@P0 BRA `(L1)", "EXIT"});
  CodeSummary Code = codeOf(Lines);
  EXPECT_EQ(numSteps(Code, TraceUnit::FMA), 3600u);
  EXPECT_DOUBLE_EQ(Code.WorkScale, 2);
}

// What ptxas adds to a build must not change how often its loops run.
TEST(CodeSummary, SpillCodeDoesNotCutLoopsShort) {
  std::vector<StringRef> Lines = {"L1:", "LDG.E R2, [R4.64]", "@P0 BRA `(L1)",
                                  "EXIT"};
  Summarizer Summaries;
  EXPECT_EQ(Summaries.summarize(mustParse(writeSass(Lines))).Cut, 0u);
  Lines.insert(Lines.begin() + 2, 2000, "LDL R1, [R1]");
  CodeSummary Code = Summaries.summarize(mustParse(writeSass(Lines)));
  EXPECT_EQ(numSteps(Code, TraceUnit::LocalLoad), 16000u);
  EXPECT_DOUBLE_EQ(Code.WorkScale, 1);
}

TEST(CodeSummary, EightInstructionsAreALineOfCode) {
  std::vector<StringRef> Lines(9, "FADD R1, R1, R2");
  Lines.push_back("EXIT");
  CodeSummary Code = codeOf(Lines);
  EXPECT_EQ(Code.Trace[7].CodeLine, 0u);
  EXPECT_EQ(Code.Trace[8].CodeLine, 1u);
}

TEST(CodeSummary, UnitsByOpcode) {
  EXPECT_EQ(unitOfOpcode("IMAD"), TraceUnit::IntegerMultiply);
  EXPECT_EQ(unitOfOpcode("IMAD.MOV.U32"), TraceUnit::FMA);
  EXPECT_EQ(unitOfOpcode("VIADD"), TraceUnit::IntegerMultiply);
  EXPECT_EQ(unitOfOpcode("VIADDMNMX"), TraceUnit::ALU);
  EXPECT_EQ(unitOfOpcode("MOV"), TraceUnit::ALU);
  EXPECT_EQ(unitOfOpcode("UMOV"), TraceUnit::Uniform);
  EXPECT_EQ(unitOfOpcode("FSETP.GT.AND"), TraceUnit::ALU);
  EXPECT_EQ(unitOfOpcode("HFMA2.MMA"), TraceUnit::FMA);
  EXPECT_EQ(unitOfOpcode("POPC"), TraceUnit::Special);
  EXPECT_EQ(unitOfOpcode("I2F.S8"), TraceUnit::Special);
  EXPECT_EQ(unitOfOpcode("I2FP.F32.S32"), TraceUnit::ALU);
  EXPECT_EQ(unitOfOpcode("S2R"), TraceUnit::SystemRegister);
  EXPECT_EQ(unitOfOpcode("CS2R"), TraceUnit::ALU);
  EXPECT_EQ(unitOfOpcode("LDC"), TraceUnit::Constant);
  EXPECT_EQ(unitOfOpcode("ULDC"), TraceUnit::Uniform);
  EXPECT_EQ(unitOfOpcode("ATOMS.ADD"), TraceUnit::SharedLoad);
  EXPECT_EQ(unitOfOpcode("ATOMG.ADD"), TraceUnit::GlobalLoad);
  EXPECT_EQ(unitOfOpcode("RED.ADD"), TraceUnit::GlobalStore);
  EXPECT_EQ(unitOfOpcode("SHFL.BFLY"), TraceUnit::SharedLoad);
  EXPECT_EQ(unitOfOpcode("HMMA.16816.F32"), TraceUnit::Tensor);
  EXPECT_EQ(unitOfOpcode("BAR.SYNC"), TraceUnit::Barrier);
  EXPECT_EQ(unitOfOpcode("MEMBAR.SC.GPU"), TraceUnit::Control);
}

TEST(CodeSummary, FencesBeyondTheBlockAreWaits) {
  auto Stall = [](StringRef Fence) {
    return codeOf({Fence.str(), "EXIT"}).Trace.front().Stall;
  };
  EXPECT_LT(Stall("MEMBAR.SC.CTA"), 20);
  EXPECT_GT(Stall("MEMBAR.SC.GPU"), 200);
  EXPECT_GT(Stall("MEMBAR.ALL.SYS"), 4 * Stall("MEMBAR.ALL.GPU"));
}

} // namespace summary
