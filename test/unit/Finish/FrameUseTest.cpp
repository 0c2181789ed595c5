//===- FrameUseTest.cpp - what a kernel does with its frame ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finish/FrameUse.h"
#include "SassTexts.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// A kernel of Lines, after those that set R1. Lines that start with "~" are
/// spill code.
SassKernel kernelOf(std::vector<StringRef> Lines) {
  Lines.insert(Lines.begin(), {"LDC R1, c[0x0][0x28]", "VIADD R1, R1, -0x40"});
  std::set<uint64_t> Spills = takeSpills(Lines);
  SassKernel K = mustParse(writeSass(Lines));
  for (SassBlock &B : K.Blocks)
    for (SassInstruction &I : B.Instructions)
      I.IsSpill = Spills.count(I.Address) != 0;
  return K;
}

/// What keeps the frame of a kernel of Lines in local memory; "" if nothing
/// does.
std::string obstacle(std::vector<StringRef> Lines) {
  SassKernel K = kernelOf(std::move(Lines));
  return toString(readFrameUse(K, /*MayRewrite=*/true).takeError());
}

TEST(FrameUse, WhatAGuardReplacesIsNoAddressForItsThreads) {
  EXPECT_EQ(obstacle({"IMAD.U32 R3, R4, 0x8, R1", "STL [R3], R5",
                      "@P0 LOP3.LUT R3, R6, 0x3f, RZ, 0x3c, !PT",
                      "@P0 SHF.R.U32.HI R9, RZ, R3, R9", "EXIT"}),
            "");
  const std::string Used =
      "an address in the frame is used otherwise (SHF.R.U32.HI at 0x50)";
  for (StringRef Use :
       {"SHF.R.U32.HI R9, RZ, R3, R9", "@!P0 SHF.R.U32.HI R9, RZ, R3, R9",
        "@P1 SHF.R.U32.HI R9, RZ, R3, R9"})
    EXPECT_EQ(
        obstacle({"IMAD.U32 R3, R4, 0x8, R1", "STL [R3], R5",
                  "@P0 LOP3.LUT R3, R6, 0x3f, RZ, 0x3c, !PT", Use, "EXIT"}),
        Used)
        << Use.str();
  // P0 is another one then.
  EXPECT_EQ(obstacle({"VIADD R3, R1, 0x8", "@P0 MOV R3, R6",
                      "ISETP.NE.U32.AND P0, PT, R7, RZ, PT",
                      "@P0 SHF.R.U32.HI R9, RZ, R3, R9", "EXIT"}),
            Used);
  EXPECT_EQ(obstacle({"VIADD R3, R1, 0x8", "@P0 MOV R3, R6", "@!P0 MOV R3, R6",
                      "SHF.R.U32.HI R9, RZ, R3, R9", "EXIT"}),
            "");
  EXPECT_EQ(
      obstacle({"VIADD R3, R1, 0x8", "@P0 MOV R3, R6", "@P0 VIADD R3, R1, 0x4",
                "@P0 SHF.R.U32.HI R9, RZ, R3, R9", "EXIT"}),
      Used);
  EXPECT_EQ(obstacle({"MOV R3, R6", "@P0 VIADD R3, R1, 0x4", "NOP",
                      "@P0 SHF.R.U32.HI R9, RZ, R3, R9", "EXIT"}),
            Used);
}

TEST(FrameUse, BranchesTellWhatTheirGuardsHold) {
  auto With = [](StringRef Taken, StringRef Behind) {
    return obstacle({"VIADD R3, R1, 0x8", "@!P0 MOV R3, R6",
                     "@!P0 BRA `(.L_x_1)", Behind, "EXIT", ".L_x_1:", Taken,
                     "EXIT"});
  };
  StringRef Use = "SHF.R.U32.HI R9, RZ, R3, R9", Access = "STL [R3], R5";
  EXPECT_EQ(With(Use, Access), "");
  EXPECT_EQ(With("NOP", Use),
            "an address in the frame is used otherwise (SHF.R.U32.HI at 0x50)");
  EXPECT_EQ(With(Access, Access),
            "an access to local memory that is not known to be in the frame "
            "(STL at 0x70)");
}

/// What accesses of a kernel of Lines, after those that set R1, have to add; an
/// obstacle in its place where there is one.
std::string shifts(std::vector<StringRef> Lines) {
  SassKernel K = kernelOf(std::move(Lines));
  Expected<FrameUse> Use = readFrameUse(K, /*MayRewrite=*/true);
  if (!Use)
    return toString(Use.takeError());
  std::string Text;
  for (auto [At, Shift] : Use->Shifts)
    Text += std::to_string(At / 16) + ":" + std::to_string(Shift) + " ";
  for (uint64_t At : Use->Rewrites)
    Text += "*" + std::to_string(At / 16);
  return Text;
}

TEST(FrameUse, AccessesAddWhatSumsWithUniformAddressesLack) {
  EXPECT_EQ(shifts({"R2UR UR6, R1", "UIADD3 UR7, UR6, 0x18, URZ",
                    "LEA R2, R5, UR7, 0x3", "VIADD R3, R2, 0x8",
                    "~STL [R1+0x4], R3", "LDL R10, [R1+0x4]", "STL [R10], R4",
                    "IMAD R2, R5, R6, UR7", "LDL R4, [R2]", "EXIT"}),
            "8:24 10:24 *2*4*9");
  EXPECT_EQ(shifts({"R2UR UR6, R1", "LEA R2, R5, UR6, 0x3", "LDL R4, [R2]",
                    "STL [UR6+0x8], R4", "EXIT"}),
            "4:0 *2*3");
  EXPECT_EQ(shifts({"R2UR UR6, R1", "UIADD3 UR7, UR6, UR9, URZ",
                    "LEA R2, R5, UR7, 0x3", "EXIT"}),
            "an address in a uniform register is used otherwise (LEA at 0x40)");
  EXPECT_EQ(shifts({"R2UR UR6, R1", "LDL R4, [R2+UR6]", "EXIT"}),
            "an access to local memory that is not known to be in the frame "
            "(LDL at 0x30)");
}

TEST(FrameUse, PathsThatMeetKeepWhatBothKnow) {
  auto Meeting = [](StringRef Before, StringRef OnOneWay, StringRef Use) {
    return obstacle({Before, "@P0 MOV R3, R6", "@P1 BRA `(.L_x_1)", OnOneWay,
                     ".L_x_1:", Use, "EXIT"});
  };
  const std::string Used =
      "an address in the frame is used otherwise (SHF.R.U32.HI at 0x60)";
  StringRef Address = "VIADD R3, R1, 0x8",
            Use = "@P0 SHF.R.U32.HI R9, RZ, R3, R9";
  EXPECT_EQ(Meeting(Address, "NOP", Use), "");
  EXPECT_EQ(Meeting(Address, "MOV R3, R6", Use), "");
  EXPECT_EQ(Meeting(Address, Address, Use), Used);
  EXPECT_EQ(Meeting(Address, "@P2 VIADD R3, R1, 0x4", Use), Used);
}

TEST(FrameUse, AFunctionKeepsForEachCallerWhatItHad) {
  auto Calling = [](StringRef Use) {
    return obstacle({"VIADD R3, R1, 0x8", "CALL.REL.NOINC `(function)",
                     "STL [R3], R5", "MOV R3, R6", "CALL.REL.NOINC `(function)",
                     Use, "EXIT", "function:", "~STL [R1+0x20], R3",
                     "MOV R3, R7", "LDL R3, [R1+0x20]",
                     "RET.REL.NODEC R20 `(k)"});
  };
  EXPECT_EQ(Calling("SHF.R.U32.HI R9, RZ, R3, R9"), "");
  EXPECT_EQ(Calling("STL [R3], R5"),
            "an access to local memory that is not known to be in the frame "
            "(STL at 0x70)");
}

TEST(FrameUse, PointersAreNotLookedForInAnArray) {
  auto With = [](StringRef Stored, StringRef Access) {
    return obstacle(
        {"VIADD R6, R1, 0x10", "IMAD R7, R5, 0x4, R1", Stored, Access, "EXIT"});
  };
  for (StringRef Access :
       {"LDL R8, [R7]", "LDL.64 R8, [R7]", "LDL.U8 R8, [R7]", "STL [R7], R8"}) {
    EXPECT_EQ(With("STL [R1], R6", Access),
              "an access may be to an address in the frame's memory (" +
                  Access.split(' ').first.str() + " at 0x50)")
        << Access.str();
    EXPECT_EQ(With("STL [R1], R8", Access), "") << Access.str();
    // ptxas spills addresses, too.
    EXPECT_EQ(With("~STL [R1], R6", Access), "") << Access.str();
  }
  EXPECT_EQ(With("~STL [R1], R6", "LDL.U16 R8, [R1+0x2]"),
            "an access may be to an address in the frame's memory (LDL.U16 at "
            "0x50)");
  EXPECT_EQ(With("STL [R1], R6", "LDL.U16 R8, [R1+0x4]"), "");
}

TEST(FrameUse, TheReasonIsWhereAnAddressIsMisused) {
  EXPECT_EQ(
      obstacle({".L_x_1:", "SHF.R.U32.HI R9, RZ, R8, R9", "VIADD R3, R1, 0x8",
                "LOP3.LUT R8, R3, 0x1, RZ, 0xc0, !PT", "@P0 BRA `(.L_x_1)",
                "EXIT"}),
      "an address in the frame is used otherwise (LOP3.LUT at 0x40)");
}

} // namespace
