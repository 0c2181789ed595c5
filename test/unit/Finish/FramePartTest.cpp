//===- FramePartTest.cpp - frames of which a part was moved ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FollowedFrame.h"
#include "HandFinished.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::framecheck;

namespace part {

/// A frame of 32 bytes, of which 16 have places in shared memory. R1 is lowered
/// by so much there.
constexpr int64_t FrameBytes = 32, PartBytes = 16;

/// What is wrong with a kernel of Lines after those that set R1; "" if nothing
/// is. "N LDL R2, [R1+0x8]" is at N in the part now, "* LDL R2, [R1]" stays.
std::string problem(std::vector<StringRef> Lines,
                    std::optional<unsigned> Register = 62,
                    int64_t LocalOffset = -FrameBytes) {
  Lines.insert(Lines.begin(), {"LDC R1, c[0x0][0x28]", "VIADD R1, R1, -0x20"});
  CodeChanges Changes;
  Changes.Part = PartChanges{1, -FrameBytes, -PartBytes};
  uint64_t Count = 0;
  for (StringRef &Line : Lines) {
    if (Line.ends_with(":"))
      continue;
    AccessChange Change;
    if (Line.consume_front("* "))
      Change.Stays = 62;
    else if (!Line.consumeInteger(10, Change.Offset))
      Line = Line.ltrim();
    if (Line.contains("LDL") || Line.contains("STL"))
      Changes.Accesses[Count] = Change;
    ++Count;
  }
  StackSetUp SetUp;
  SetUp.FrameBytes = PartBytes;
  SetUp.LocalStack = Register;
  SetUp.LocalOffset = LocalOffset;
  return followed(Lines, Changes, SetUp);
}

TEST(FramePart, EachPlaceIsInOneOfTheMemories) {
  EXPECT_EQ(problem({"0 STL.64 [R1+0x8], R4", "* STL [R1+0x10], R4",
                     "4 LDL R5, [R1+0xc]", "* LDL R6, [R1+0x10]",
                     "8 STL [R1], R4", "8 LDL.U8 R5, [R1]", "EXIT"}),
            "");
  EXPECT_EQ(problem({"0 STL.64 [R1+0x8], R4", "* LDL R5, [R1+0xc]", "EXIT"}),
            "offset 0x30: an access is elsewhere than others of its place");
  EXPECT_EQ(problem({"0 STL.64 [R1+0x8], R4", "0 LDL R5, [R1+0xc]", "EXIT"}),
            "offset 0x30: an access is elsewhere than others of its place");
  EXPECT_EQ(problem({"0 STL [R1+0x8], R4", "0 STL [R1+0xc], R5", "EXIT"}),
            "offset 0x30: an access meets another place of the frame");
  EXPECT_EQ(problem({"* LDL.128 R4, [R1]", "0 STL [R1+0xc], R5", "EXIT"}),
            "offset 0x30: an access is elsewhere than others of its place");
}

TEST(FramePart, AccessesStayInTheThreadsPart) {
  EXPECT_EQ(problem({"12 STL [R1+0x8], R4", "EXIT"}), "");
  for (StringRef Access : {"16 STL [R1+0x8], R4", "-4 STL [R1+0x8], R4",
                           "12 STL.64 [R1+0x8], R4", "4 STL.64 [R1+0x8], R4"})
    EXPECT_EQ(problem({Access, "EXIT"}),
              "offset 0x20: an access is outside of the thread's part")
        << Access.str();
}

TEST(FramePart, WhatStaysIsSeenFromTheOldStackPointer) {
  for (auto [Register, Offset] :
       {std::pair<std::optional<unsigned>, int64_t>(61, -FrameBytes),
        {std::nullopt, -FrameBytes},
        {62, -PartBytes}})
    EXPECT_EQ(problem({"* STL [R1+0x8], R4", "EXIT"}, Register, Offset),
              "offset 0x20: set-up code leaves no old R1 in the register");
  EXPECT_EQ(problem({"UMOV UR62, 0x4", "* STL [R1+0x8], R4", "EXIT"}),
            "offset 0x20: a register that set-up code leaves may be written");
}

TEST(FramePart, NoAddressIsComputed) {
  for (StringRef Line : {"VIADD R2, R1, 0x8", "IMAD R2, R5, 0x4, R1",
                         "MOV R2, R1", "0 STL [R1], R1"})
    EXPECT_EQ(problem({Line, "EXIT"}),
              "offset 0x20: an address in a frame of two parts is computed")
        << Line.str();
  EXPECT_EQ(problem({"ULDC UR4, c[0x0][0x20]", "EXIT"}),
            "offset 0x20: the address of local memory is read");
}

TEST(FramePart, R1IsLoweredOnce) {
  EXPECT_EQ(problem({"CALL.REL.NOINC `(function)", "EXIT",
                     "function:", "VIADD R1, R1, -0x8", "VIADD R1, R1, 0x8",
                     "RET.REL.NODEC R2 `(k)"}),
            "offset 0x40: R1 is changed otherwise than once");
}

using FramePartOnCubin = OnHandFinished;

TEST_P(FramePartOnCubin, IsAccepted) {
  EXPECT_EQ(H->judge(H->Finished), "");
  EXPECT_EQ(H->judgeDecoded(H->Finished), "");
}

TEST_P(FramePartOnCubin, HasItsSizes) {
  for (uint32_t Bytes : {4u, 12u})
    EXPECT_NE(H->judge(H->withFrames(H->Base, Bytes)), "") << Bytes;
  for (uint32_t Base : {H->Base - 16, H->Base + 4})
    EXPECT_NE(H->judge(H->withFrames(Base, H->FrameBytes)), "") << Base;
  EXPECT_NE(H->judge(H->with64(H->SharedSize,
                               H->read64(H->Finished, H->SharedSize) - 8)),
            "");
}

INSTANTIATE_TEST_SUITE_P(, FramePartOnCubin, testing::Values("part"),
                         [](const auto &Info) {
                           return std::string(Info.param);
                         });

} // namespace part
