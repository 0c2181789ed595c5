//===- FrameFlowTest.cpp - uses of a frame that may and may not be --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FollowedFrame.h"

#include "Finish/Checker/FrameInstructions.h"
#include "SassTexts.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::framecheck;

namespace {

/// What is wrong with a kernel that consists of Lines after the instruction
/// that fetches the stack pointer, in frames of FrameBytes; "" if nothing is.
std::string problem(std::vector<StringRef> Lines, uint32_t FrameBytes = 64,
                    ArrayRef<SassRegister> Written = {}) {
  Lines.insert(Lines.begin(), "LDC R1, c[0x0][0x28]");
  CodeChanges Changes;
  uint64_t Count = 0;
  for (StringRef Line : Lines) {
    if (Line.ends_with(":"))
      continue;
    if (Line.contains("LDL") || Line.contains("STL"))
      Changes.Accesses[Count] = {};
    ++Count;
  }
  StackSetUp SetUp;
  SetUp.FrameBytes = FrameBytes;
  SetUp.Written = Written.vec();
  return followed(Lines, Changes, SetUp);
}

TEST(FrameFlow, AcceptsSpillCode) {
  EXPECT_EQ(problem({"VIADD R1, R1, 0xfffffff0", "STL [R1+0x8], R4",
                     "STL.64 [R1], R4", "LDL.LU R5, [R1+0xc]", "EXIT"}),
            "");
  EXPECT_EQ(problem({"IADD3 R1, R1, -0x10, RZ", "STL.128 [R1], R4", "EXIT"}),
            "");
}

TEST(FrameFlow, RefusesAccessesOutsideOfTheFrame) {
  for (StringRef Access : {"STL [R1+-0x4], R4", "STL [R1+0x10], R4",
                           "LDL.64 R4, [R1+0x10]", "STL [R1+0xffc], R4"})
    EXPECT_EQ(problem({"VIADD R1, R1, 0xfffffff0", Access, "EXIT"}),
              "offset 0x20: an access is outside of the thread's frame");
}

TEST(FrameFlow, RefusesAccessesThatAreNotAligned) {
  for (StringRef Access : {"STL [R1+0x2], R4", "LDL.64 R4, [R1+0x4]",
                           "STL.128 [R1+0x8], R4", "LDL.U16 R4, [R1+0x1]"})
    EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", Access, "EXIT"}),
              "offset 0x20: an access is not aligned");
}

TEST(FrameFlow, RefusesFramesThatAreTooSmall) {
  EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", "STL [R1], R4", "EXIT"}, 28),
            "offset 0x10: R1 leaves the thread's frame");
  EXPECT_EQ(problem({"VIADD R1, R1, 0x10", "STL [R1], R4", "EXIT"}),
            "offset 0x10: R1 leaves the thread's frame");
}

TEST(FrameFlow, FollowsSumsThatGiveAddresses) {
  for (StringRef Sum : {"IMAD.IADD R6, R1, 0x1, R5", "IADD3 R6, R1, 0x4, R5",
                        "LEA R6, R5, R1, 0x2", "IMAD R6, R5, 0x4, R1",
                        "IADD3 R6, R1, UR4, RZ", "LEA R6, R5, R1.reuse, 0x2"})
    EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", Sum, "MOV R7, R6",
                       "LDL R4, [R7+0x8]", "EXIT"}),
              "")
        << Sum.str();
}

TEST(FrameFlow, KnowsSumsOfConstants) {
  std::vector<StringRef> Lines = {"VIADD R1, R1, 0xffffffe0",
                                  "VIADD R6, R1, 0x1c", "LDL R4, [R6]",
                                  "LDL R4, [R6+0x4]", "EXIT"};
  EXPECT_EQ(problem(Lines),
            "offset 0x40: an access is outside of the thread's frame");
  Lines[3] = "LDL R4, [R6+-0x1c]";
  EXPECT_EQ(problem(Lines), "");
}

TEST(FrameFlow, RefusesOtherArithmeticOnAddresses) {
  for (StringRef Use :
       {"IMAD R6, R1, 0x4, R5", "LEA R6, R1, R5, 0x2", "IADD3 R6, -R1, R5, RZ",
        "LOP3.LUT R6, R1, 0x4, RZ, 0xfc, !PT", "R2UR UR4, R1",
        "IADD3.X R6, R1, 0x4, RZ, P0, !PT", "SHF.L.U32 R6, R1, 0x2, RZ",
        "IMAD.WIDE R6, R1, 0x4, R8", "IADD3 R6, R1, R1, RZ",
        "SHFL.IDX PT, R6, R1, RZ, 0x1f", "PRMT R6, R1, 0x5410, R5"}) {
    std::string Opcode = Use.split(' ').first.str();
    EXPECT_EQ(
        problem({"VIADD R1, R1, 0xffffffe0", Use, "STL [R1], R4", "EXIT"}),
        "offset 0x20: an address in the frame is used by " + Opcode);
  }
}

TEST(FrameFlow, CarriesOfSumsInTheFrameAreKnown) {
  auto With = [](StringRef Sum) {
    return problem({"VIADD R1, R1, 0xffffffe0", Sum, "STL [R6+0x4], R4",
                    "IADD3.X R7, RZ, R8, RZ, P0, !PT", "EXIT"});
  };
  EXPECT_EQ(With("IADD3 R6, P0, R1, 0x8, RZ"), "");
  for (StringRef Other :
       {"IADD3 R6, P0, R1, c[0x0][0x210], RZ", "IADD3 R6, P0, R1, R5, RZ",
        "IADD3 R6, P0, R1, 0x24, RZ", "IADD3 R6, P0, R1, -0x24, RZ"})
    EXPECT_EQ(With(Other), "offset 0x20: the carry of an address may depend on "
                           "the frame")
        << Other.str();
}

TEST(FrameFlow, RefusesToStoreAnAddress) {
  EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", "IMAD R6, R5, 0x4, R1",
                     "STL [R6], R1", "EXIT"}),
            "offset 0x30: an address in the frame is stored");
  EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", "VIADD R6, R1, 0x4",
                     "STS [R5], R6", "STL [R1], R4", "EXIT"}),
            "offset 0x30: an address in the frame is used by STS");
  EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", "VIADD R7, R1, 0x4",
                     "STG.E.64 desc[UR4][R2.64], R6", "STL [R1], R4", "EXIT"}),
            "offset 0x30: an address in the frame is used by STG.E.64");
}

TEST(FrameFlow, ComparesAddressesWithEachOtherOnly) {
  auto With = [](StringRef Comparison) {
    return problem({"VIADD R1, R1, 0xffffffe0", "VIADD R6, R1, 0x4", Comparison,
                    "STL [R1], R4", "EXIT"});
  };
  EXPECT_EQ(With("ISETP.NE.AND P0, PT, R6, R1, PT"), "");
  for (StringRef Other :
       {"ISETP.NE.AND P0, PT, R6, R5, PT", "ISETP.NE.AND P0, PT, R6, RZ, PT",
        "ISETP.NE.AND P0, PT, R6, 0x4, PT", "ISETP.NE.AND P0, PT, R6, UR4, PT"})
    EXPECT_EQ(With(Other), "offset 0x30: an address in the frame is compared "
                           "with another number");
}

TEST(FrameFlow, RefusesTheWindowOfLocalMemory) {
  for (StringRef Use :
       {"LDC R6, c[0x0][0x20]", "LDC.64 R6, c[0x0][0x20]",
        "ULDC UR4, c[0x0][0x24]", "IADD3 R6, P0, R5, c[0x0][0x20], RZ",
        "LDC R6, c[0x0][0x28]", "S2R R6, SR_LMEMHIOFF"})
    EXPECT_EQ(
        problem({"VIADD R1, R1, 0xffffffe0", Use, "STL [R1], R4", "EXIT"}),
        "offset 0x20: the address of local memory is read")
        << Use.str();
}

TEST(FrameFlow, RefusesAddressesFromElsewhere) {
  EXPECT_EQ(problem({"LDC R6, c[0x0][0x210]", "STL [R6], R4", "EXIT"}),
            "offset 0x20: the address of an access is not derived from R1");
  EXPECT_EQ(problem({"STL [0x10], R4", "EXIT"}),
            "offset 0x10: an access of the frame in a form that is not known");
}

TEST(FrameFlow, RefusesAddressesThatSomePathsLack) {
  EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", "@P0 BRA `(L1)",
                     "VIADD R6, R1, 0x4", "L1:", "LDL R4, [R6]", "EXIT"}),
            "offset 0x40: the address of an access is not derived from R1");
}

TEST(FrameFlow, GuardsThatMatchAreAsGoodAsPaths) {
  EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", "@P0 VIADD R6, R1, 0x4",
                     "@!P0 MOV R6, R5", "@P0 LDL R4, [R6]", "EXIT"}),
            "");
  EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", "@P0 VIADD R6, R1, 0x4",
                     "@!P0 LDL R4, [R6]", "EXIT"}),
            "offset 0x30: the address of an access is not derived from R1");
  EXPECT_EQ(
      problem({"VIADD R1, R1, 0xffffffe0", "@P0 VIADD R6, R1, 0x4",
               "ISETP.NE.AND P0, PT, R5, RZ, PT", "@P0 LDL R4, [R6]", "EXIT"}),
      "offset 0x40: the address of an access is not derived from R1")
      << "the guard has another value by then";
}

TEST(FrameFlow, PathsWithoutAnAddressKeepWhatGuardsTell) {
  auto With = [](StringRef Use) {
    return problem({"MOV R2, R5", "@P1 BRA `(L1)", "VIADD R2, R1, -0x8",
                    "@P0 MOV R2, R6", "L1:", Use, "EXIT"});
  };
  EXPECT_EQ(With("@P0 LOP3.LUT R3, R2, 0x3f, RZ, 0x3c, !PT"), "");
  for (StringRef Guard : {"@!P0 ", "@P1 ", ""})
    EXPECT_EQ(With((Guard + "LOP3.LUT R3, R2, 0x3f, RZ, 0x3c, !PT").str()),
              "offset 0x50: an address in the frame is used by LOP3.LUT")
        << Guard.str();
}

TEST(FrameFlow, WritesUnderBothGuardsLeaveNothing) {
  // R6 is an address on one of the paths that meet at L1.
  std::vector<StringRef> Lines = {"VIADD R1, R1, 0xffffffe0",
                                  "STL [R1], R4",
                                  "@P1 BRA `(L1)",
                                  "VIADD R6, R1, 0x4",
                                  "L1:",
                                  "@P0 MOV R6, R5",
                                  "@!P0 MOV R6, RZ",
                                  "SHF.L.U32 R7, R6, 0x2, RZ",
                                  "EXIT"};
  EXPECT_EQ(problem(Lines), "");
  Lines[6] = "@!P2 MOV R6, RZ";
  EXPECT_EQ(problem(Lines),
            "offset 0x70: an address in the frame is used by SHF.L.U32");
}

TEST(FrameFlow, BranchesTellWhatTheirGuardsHold) {
  // R6 is an address where P0 holds, which it does not at L1.
  std::vector<StringRef> Lines = {"VIADD R1, R1, 0xffffffe0",
                                  "STL [R1], R4",
                                  "@P0 VIADD R6, R1, 0x4",
                                  "@!P0 MOV R6, R5",
                                  "@!P0 BRA `(L1)",
                                  "LDL R7, [R6]",
                                  "EXIT",
                                  "L1:",
                                  "SHF.L.U32 R7, R6, 0x2, RZ",
                                  "EXIT"};
  EXPECT_EQ(problem(Lines), "");
  // BRA.U.ANY: also for threads where P0 holds, if it does not for others.
  for (StringRef Branch : {"@P0 BRA `(L1)", "@!P0 BRA.U.ANY `(L1)"}) {
    Lines[4] = Branch;
    EXPECT_NE(problem(Lines), "") << Branch.str();
  }
  // Both ways lead to the next instruction.
  Lines = {
      "VIADD R1, R1, 0xffffffe0",  "STL [R1], R4",  "@P0 VIADD R6, R1, 0x4",
      "@!P0 MOV R6, R5",           "@P0 BRA `(L1)", "L1:",
      "SHF.L.U32 R7, R6, 0x2, RZ", "EXIT"};
  EXPECT_EQ(problem(Lines),
            "offset 0x60: an address in the frame is used by SHF.L.U32");
}

TEST(FrameFlow, RefusesAnR1ThatDependsOnThePath) {
  EXPECT_EQ(
      problem({"VIADD R1, R1, 0xffffffe0", "L1:", "VIADD R1, R1, 0xfffffffc",
               "STL [R1], R4", "@P0 BRA `(L1)", "EXIT"}),
      "offset 0x20: R1 is not a known number of bytes below its start");
  EXPECT_EQ(
      problem({"@P0 VIADD R1, R1, 0xffffffe0", "@P0 STL [R1], R4", "EXIT"}),
      "offset 0x10: R1 is not a known number of bytes below its start");
}

TEST(FrameFlow, FollowsLoops) {
  EXPECT_EQ(
      problem({"VIADD R1, R1, 0xffffffe0", "MOV R6, R1", "L1:", "STL [R6], R4",
               "VIADD R6, R6, 0x4", "@P0 BRA `(L1)", "EXIT"}),
      "");
}

TEST(FrameFlow, ThreadsMeetWhereTheirBarrierSays) {
  // Both meetings use B0; R6 is an address at the first one only.
  EXPECT_EQ(problem({"VIADD R1, R1, 0xffffffe0", "BSSY B0, `(L1)",
                     "VIADD R6, R1, 0x4", "LDL R4, [R6]", "BSYNC B0",
                     "L1:", "MOV R6, R5", "BSSY B0, `(L2)", "FADD R7, R6, R6",
                     "BSYNC B0", "L2:", "FADD R7, R6, R6", "EXIT"}),
            "");
  EXPECT_EQ(problem({"STL [R1+-0x4], R4", "BSYNC B0", "EXIT"}),
            "offset 0x10: an access is outside of the thread's frame");
}

TEST(FrameFlow, FollowsCallsAndTheirFrames) {
  std::vector<StringRef> Lines = {"VIADD R1, R1, 0xfffffff0",
                                  "STL [R1], R4",
                                  "CALL.REL.NOINC `(function)",
                                  "LDL R4, [R1]",
                                  "EXIT",
                                  "function:",
                                  "VIADD R1, R1, 0xffffffe0",
                                  "STL [R1+0x1c], R4",
                                  "VIADD R1, R1, 0x20",
                                  "RET.REL.NODEC R2 `(k)"};
  EXPECT_EQ(problem(Lines, 48), "");
  EXPECT_EQ(problem(Lines, 44), "offset 0x60: R1 leaves the thread's frame");
  Lines[8] = "VIADD R1, R1, 0x10";
  EXPECT_EQ(problem(Lines, 48),
            "offset 0x90: a function returns with another R1");
}

TEST(FrameFlow, NothingComesAfterWhatDoesNotReturn) {
  auto Ends = [](StringRef End) {
    return problem({"VIADD R1, R1, 0xfffffff0", "STL [R1], R4", "@P0 BRA `(L1)",
                    "EXIT", "L1:", "CALL.REL.NOINC `(function)",
                    "function:", "MOV R4, R5", End});
  };
  EXPECT_EQ(Ends("BPT.TRAP 0x1"), "");
  EXPECT_EQ(Ends("EXIT"), "");
  EXPECT_EQ(Ends("RET.REL.NODEC R2 `(k)"),
            "offset 0x50: control leaves the function");
  for (StringRef End : {"@P1 BPT.TRAP 0x1", "BPT.PAUSE 0x1", "@P1 EXIT"})
    EXPECT_EQ(Ends(End), "offset 0x70: control leaves the function");
}

TEST(FrameFlow, RefusesRecursion) {
  EXPECT_EQ(problem({"VIADD R1, R1, 0xfffffff0", "STL [R1], R4",
                     "CALL.REL.NOINC `(function)", "EXIT",
                     "function:", "@P0 BRA `(L1)", "CALL.REL.NOINC `(function)",
                     "L1:", "RET.REL.NODEC R2 `(k)"}),
            "offset 0x50: recursion");
}

TEST(FrameFlow, RefusesTargetsThatAreNotShown) {
  for (StringRef Call : {"CALL.REL.NOINC R4 `(L1)", "CALL.ABS.NOINC R4"})
    EXPECT_EQ(problem({"STL [R1+-0x4], R4", Call, "L1:", "EXIT"}),
              "offset 0x20: a call does not show what it calls");
}

TEST(FrameFlow, RefusesBranchesWithoutTargets) {
  for (StringRef Branch : {"BRX R4 -0x20", "JMX R4 0x0", "BRA 0x40"}) {
    auto Flow = readFlow(cantFail(readListing(writeSass({Branch, "EXIT"}))));
    EXPECT_FALSE(bool(Flow)) << Branch.str();
    consumeError(Flow.takeError());
  }
}

TEST(FrameFlow, FollowsTables) {
  std::vector<StringRef> Lines = {
      "VIADD R1, R1, 0xfffffff0",
      "@P0 BRX R4 -0x20 (*\"BRANCH_TARGETS .L_1,.L_2\"*)",
      "VIADD R6, R1, 0x4",
      ".L_1:",
      "LDL R4, [R1]",
      ".L_2:",
      "EXIT"};
  EXPECT_EQ(problem(Lines), "");
  Lines[4] = "LDL R4, [R6]";
  EXPECT_EQ(problem(Lines),
            "offset 0x40: the address of an access is not derived from R1");
}

TEST(FrameFlow, RefusesRegistersThatAreReadFirst) {
  std::vector<StringRef> Lines = {"VIADD R1, R1, 0xfffffff0", "STL [R1], R4",
                                  "EXIT"};
  SassRegister R4 = {SassFile::General, 4}, R5 = {SassFile::General, 5},
               UR4 = {SassFile::Uniform, 4};
  EXPECT_EQ(problem(Lines, 64, {R4}),
            "offset 0x20: a register that set-up code writes is read first");
  EXPECT_EQ(problem(Lines, 64, {R5, UR4}), "");
  Lines.insert(Lines.begin(), "S2R R4, SR_TID.X");
  EXPECT_EQ(problem(Lines, 64, {R4}), "");
  Lines.insert(Lines.begin(), "IADD3 R6, R7, UR4, RZ");
  EXPECT_EQ(problem(Lines, 64, {UR4}),
            "offset 0x10: a register that set-up code writes is read first");
}

TEST(FrameFlow, RefusesAccessesThatNothingComesTo) {
  EXPECT_EQ(problem({"EXIT", "STL [R1], R4", "EXIT"}),
            "offset 0x20: an access that nothing comes to");
}

TEST(FrameFlow, RefusesScoreboardsThatAreCounted) {
  // All instructions of writeSass have the same control bits: no scoreboard.
  std::vector<StringRef> Lines = {"VIADD R1, R1, 0xfffffff0", "STL [R1], R4",
                                  "DEPBAR.LE SB7, 0x1", "EXIT"};
  EXPECT_EQ(problem(Lines), "offset 0x20: its scoreboard is counted");
  for (StringRef Other : {"DEPBAR.LE SB7, 0x0", "DEPBAR.LE SB0, 0x1"}) {
    Lines[2] = Other;
    EXPECT_EQ(problem(Lines), "");
  }
}

TEST(FrameFlow, ThreadsThatAreGatheredMayGoOnElsewhere) {
  std::vector<StringRef> Lines = {"VIADD R1, R1, 0xfffffff0",
                                  "WARPSYNC.COLLECTIVE R4, `(L1)",
                                  "VIADD R6, R1, 0x4",
                                  "L1:",
                                  "LDL R7, [R6]",
                                  "EXIT"};
  EXPECT_EQ(problem(Lines),
            "offset 0x40: the address of an access is not derived from R1");
  Lines[1] = "WARPSYNC.ALL";
  EXPECT_EQ(problem(Lines), "");
}

} // namespace
