//===- FrameWindowTest.cpp - uniform and generic addresses in a frame -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FollowedWindow.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::framecheck;

namespace window {

TEST(FrameWindow, FollowsGenericAddresses) {
  EXPECT_EQ(problem(generic({"ST.E.64 desc[UR8][R2.64+0x10], R8",
                             "LD.E R9, desc[UR8][R6.64]"})),
            "");
}

TEST(FrameWindow, PointersAreNotLookedForInAnArray) {
  // The array is at R9; a pointer is R2 and R3.
  auto With = [](StringRef Stored, StringRef Access) {
    return problem(generic({"IMAD R9, R5, 0x8, R1", Stored, Access}));
  };
  const std::string Refused =
      "offset 0xa0: an access may be to an address in the frame";
  for (StringRef Access : {"LDL R10, [R9]", "LDL.64 R10, [R9]",
                           "LDL.U8 R10, [R9]", "STL [R9], R10"}) {
    for (StringRef Stored :
         {"STL.64 [R1], R2", "STL [R1+0x4], R3", "@P3 STL [R1+0x1c], R2"})
      EXPECT_EQ(With(Stored, Access), Refused) << Access.str();
    EXPECT_EQ(With("STL.64 [R1], R10", Access), "") << Access.str();
    // ptxas spills addresses, too.
    EXPECT_EQ(With("~STL.64 [R1], R2", Access), "") << Access.str();
  }
}

TEST(FrameWindow, FollowsWindowsInGeneralRegisters) {
  EXPECT_EQ(problem({"*LDC R4, c[0x0][0x20]", "*LDC R5, c[0x0][0x24]",
                     "IADD3 R6, P0, R1, R4, RZ", "IMAD.X R7, RZ, RZ, R5, P0",
                     "ST.E desc[UR8][R6.64+0x4], R9", "EXIT"},
                    std::nullopt),
            "");
  for (StringRef Read : {"LDC R4, c[0x0][0x20]", "LDC R5, c[0x0][0x24]"})
    EXPECT_EQ(problem({Read, "EXIT"}),
              "offset 0x20: the address of local memory is read");
}

TEST(FrameWindow, FollowsSumsWithTwoCarries) {
  // The window, R1 and a place in the frame are added at once.
  auto With = [](StringRef Lower, StringRef Upper, StringRef Access) {
    return problem({"*LDC R4, c[0x0][0x20]", "*ULDC UR4, c[0x0][0x24]", Lower,
                    Upper, Access, "EXIT"});
  };
  StringRef Lower = "IADD3 R6, P1, P2, R1, 0x8, R4",
            Upper = "IADD3.X R7, RZ, UR4, RZ, P1, P2",
            Access = "LD.E R9, desc[UR8][R6.64]";
  EXPECT_EQ(With(Lower, Upper, Access), "");
  EXPECT_EQ(With(Lower, Upper, "LD.E R9, desc[UR8][R6.64+0x18]"),
            "offset 0x60: an access is outside of the thread's frame");
  for (StringRef Other :
       {"IADD3.X R7, RZ, UR4, RZ, P1, !PT", "IADD3.X R7, RZ, UR4, RZ, P2, P3",
        "IADD3.X R7, RZ, UR4, UR4, P1, P2", "IMAD.X R7, RZ, RZ, UR4, P1"})
    EXPECT_NE(With(Lower, Other, Access), "") << Other.str();
  for (StringRef Other :
       {"IADD3 R6, P1, P2, R1, 0x48, R4", "IADD3 R6, P1, P2, R1, -0x48, R4",
        "IADD3 R6, P1, P2, R1, R5, R4", "IADD3 R6, P1, P2, R1, 0x8, R5"})
    EXPECT_EQ(With(Other, Upper, Access),
              "offset 0x40: the carry of an address may depend on the frame")
        << Other.str();
}

TEST(FrameWindow, FollowsGenericAddressesBack) {
  auto With = [](StringRef Back) {
    return problem({"*ULDC UR4, c[0x0][0x20]", "IADD3 R6, R1, UR4, RZ", Back,
                    "LDL R9, [R8+0x4]", "EXIT"});
  };
  for (StringRef Back : {"IADD3 R8, R6, -UR4, RZ", "VIADD R8, R6, -UR4"})
    EXPECT_EQ(With(Back), "");
  for (StringRef Back : {"IADD3 R8, R1, -UR4, RZ", "IADD3 R8, P0, R6, -UR4, RZ",
                         "IADD3 R8, R6, -UR4, -UR4", "IADD3 R8, R6, -UR4, UR4",
                         "IADD3 R8, R6, -UR5, R6", "IADD3 R8, R5, -UR4, RZ"})
    EXPECT_EQ(With(Back),
              "offset 0x40: an address in the frame is used by IADD3")
        << Back.str();
  EXPECT_EQ(With("IADD3 R8, R6, -UR5, RZ"),
            "offset 0x50: the address of an access is not derived from R1");
}

TEST(FrameWindow, RefusesGenericAccessesOutsideOfTheFrame) {
  EXPECT_EQ(problem(generic({"ST.E desc[UR8][R2.64+0x18], R8"})),
            "offset 0x80: an access is outside of the thread's frame");
  EXPECT_EQ(problem(generic({"LD.E R8, desc[UR8][R2.64+-0xc]"})),
            "offset 0x80: an access is outside of the thread's frame");
  EXPECT_EQ(problem(generic({"LD.E.64 R8, desc[UR8][R2.64+0x4]"})),
            "offset 0x80: an access is not aligned");
}

TEST(FrameWindow, RefusesHalvesThatAreNotOfOneAddress) {
  for (StringRef Access :
       {"LD.E R9, desc[UR8][R6.64+0x8]", "LD.E R9, desc[UR8][R2.64]"})
    EXPECT_EQ(
        problem({"*ULDC UR4, c[0x0][0x20]", "IADD3 R6, P0, R1, UR4, RZ",
                 "IADD3 R2, P0, R6, 0x8, RZ", "MOV R7, R5", "MOV R3, R5",
                 Access, "EXIT"}),
        "offset 0x70: the generic address of an access is not derived from R1")
        << "its upper half is not the window's";
  // R1 itself is no generic address, and a generic one is no local one.
  EXPECT_EQ(problem({"MOV R2, R1", "LD.E R9, desc[UR8][R2.64]", "EXIT"}),
            "offset 0x30: the generic address of an access is not derived from "
            "R1");
  EXPECT_EQ(problem(generic({"LDL R9, [R2]"})),
            "offset 0x80: the address of an access is not derived from R1");
}

TEST(FrameWindow, RefusesOtherUsesOfGenericAddresses) {
  for (StringRef Use :
       {"LOP3.LUT R8, R2, 0xf, RZ, 0xc0, !PT", "SHF.R.U32.HI R8, RZ, 0x2, R3",
        "IADD3 R8, -R2, R5, RZ", "IMAD.WIDE R8, R5, 0x4, R2",
        "SEL R8, R5, R4, P1", "@P1 MOV R8, R5",
        "IADD3.X R8, R5, RZ, RZ, P1, !PT", "IADD3 R8, R3, 0x1, RZ",
        "IADD3 R8, R2, UR6, R6", "ATOM.E.ADD PT, R8, desc[UR8][R2.64], R5"})
    EXPECT_EQ(
        problem(generic({Use})),
        "offset 0x80: an address in the frame is used by " +
            Use.drop_front(Use.starts_with("@") ? 4 : 0).split(' ').first.str())
        << Use.str();
  EXPECT_EQ(problem(generic({"ST.E desc[UR8][R4.64], R2"})),
            "offset 0x80: the generic address of an access is not derived from "
            "R1");
  EXPECT_EQ(problem(generic({"ST.E desc[UR8][R2.64], R2"})),
            "offset 0x80: an address in the frame is stored");
  EXPECT_EQ(problem(generic({"ISETP.NE.U32.AND P0, PT, R2, R1, PT"})),
            "offset 0x80: an address in the frame is compared with another "
            "number");
}

TEST(FrameWindow, WindowsAreReadWhereThatWasChanged) {
  for (StringRef Read : {"ULDC UR4, c[0x0][0x20]", "ULDC UR4, c[0x0][0x24]"})
    EXPECT_EQ(problem({Read, "EXIT"}),
              "offset 0x20: the address of local memory is read");
  EXPECT_EQ(problem({"*ULDC UR4, c[0x0][0x24]", "EXIT"}, std::nullopt),
            "offset 0x20: set-up code leaves no window in the register");
  EXPECT_EQ(problem({"*ULDC UR4, c[0x0][0x24]", "EXIT"}, 61),
            "offset 0x20: set-up code leaves no window in the register");
  for (StringRef Write : {"UMOV UR62, 0x4", "ULDC.64 UR60, c[0x0][0x210]"})
    EXPECT_EQ(problem({Write, "EXIT"}),
              "offset 0x20: a register that set-up code leaves may be written");
  EXPECT_EQ(problem({"UMOV UR62, 0x4", "EXIT"}, std::nullopt), "");
}

TEST(FrameWindow, FollowsUniformAddressesToGeneralRegisters) {
  EXPECT_EQ(
      problem({"*R2UR UR6, R1", "UIADD3 UR7, UR6, 0x8, URZ", "UMOV UR9, UR7",
               "*MOV R2, UR9", "*IMAD.U32 R3, RZ, RZ, UR6", "STL [R2+0x14], R4",
               "STL [R3+-0x4], R4", "EXIT"}),
      "offset 0x80: an access is outside of the thread's frame");
  EXPECT_EQ(problem({"*R2UR UR6, R1", "UIADD3 UR7, UR6, 0x8, URZ",
                     "*MOV R2, UR7", "STL [R2+0x14], R4", "EXIT"}),
            "");
}

TEST(FrameWindow, FollowsUniformGenericAddresses) {
  auto With = [](StringRef Added) {
    return problem({"*ULDC UR4, c[0x0][0x20]", "*R2UR UR5, R1",
                    "*ULDC UR8, c[0x0][0x24]", "UIADD3 UR6, UP0, UR5, UR4, URZ",
                    "UIADD3.X UR7, URZ, UR8, URZ, UP0, !UPT", Added,
                    "*MOV R2, UR6", "MOV R3, UR7",
                    "LD.E R4, desc[UR10][R2.64+0x1c]", "EXIT"});
  };
  EXPECT_EQ(With("NOP"), "");
  EXPECT_EQ(With("UIADD3 UR9, UP0, UR6, 0x4, URZ"), "");
  for (StringRef Added :
       {"UIADD3 UR9, UP0, UR6, -0x4, URZ", "UIADD3 UR9, UR6, 0x24, URZ",
        "UIADD3 UR9, UP0, UR6, UR11, URZ"})
    EXPECT_EQ(With(Added),
              "offset 0x70: the carry of an address may depend on the frame")
        << Added.str();
}

TEST(FrameWindow, UniformAddressesAreReadWhereThatWasChanged) {
  for (StringRef Read : {"MOV R2, UR6", "IMAD.U32 R2, RZ, RZ, UR6",
                         "VIADD R2, R5, UR6", "LEA R2, R5, UR6, 0x3"})
    EXPECT_EQ(problem({"*R2UR UR6, R1", Read, "EXIT"}),
              "offset 0x30: an address in the frame is used by " +
                  Read.split(' ').first.str());
  EXPECT_EQ(problem({"R2UR UR6, R1", "EXIT"}),
            "offset 0x20: an address in the frame is used by R2UR");
  EXPECT_EQ(problem({"UMOV UR6, 0x8", "*MOV R2, UR6", "EXIT"}),
            "offset 0x30: no address in the frame is read where R1 was added");
  EXPECT_EQ(
      problem({"*R2UR UR6, R1",
               "UISETP.NE.U32.AND UP0, UPT, UR6, UR4, "
               "UPT",
               "EXIT"}),
      "offset 0x30: an address in the frame is used by UISETP.NE.U32.AND");
}

TEST(FrameWindow, UniformAddressesAreSeenFromOneR1) {
  EXPECT_EQ(problem({"*R2UR UR6, R1", "CALL.REL.NOINC `(function)", "EXIT",
                     "function:", "VIADD R1, R1, -0x8", "*MOV R2, UR6",
                     "VIADD R1, R1, 0x8", "RET.REL.NODEC R2 `(k)"}),
            "offset 0x60: an address in the frame is seen from another R1");
}

TEST(FrameWindow, AccessesAddWhatSumsLack) {
  const std::string Other = "offset 0x50: an offset does not compensate "
                            "for the rebased address";
  for (StringRef Sum : {"*LEA R2, R5, UR7, 0x3", "*IMAD R2, R5, R8, UR7"}) {
    auto With = [&](StringRef Access) {
      return problem(
          {"*R2UR UR6, R1", "UIADD3 UR7, UR6, 0x8, URZ", Sum, Access, "EXIT"});
    };
    EXPECT_EQ(With("8 LDL R4, [R2+0x4]"), "");
    for (StringRef Access : {"LDL R4, [R2+0x4]", "4 LDL R4, [R2+0x4]",
                             "-8 STL [R2], R4", "8 STL [R1], R4"})
      EXPECT_EQ(With(Access), Other) << Access.str();
  }
  // Through sums, copies and the frame.
  EXPECT_EQ(problem({"*R2UR UR6, R1", "UIADD3 UR7, UR6, 0x8, URZ",
                     "*LEA R2, R5, UR7, 0x3", "VIADD R3, R2, 0x4", "MOV R9, R3",
                     "~STL [R1+0x4], R9", "LDL R10, [R1+0x4]",
                     "8 LDL R4, [R10]", "EXIT"}),
            "");
  EXPECT_EQ(problem({"*R2UR UR6, R1", "UIADD3 UR7, UR6, 0x8, URZ",
                     "*LEA R2, R5, UR7, 0x3", "STL [R1+0x4], R2",
                     "LDL R10, [R1+0x4]", "LDL R4, [R10]", "EXIT"}),
            "offset 0x70: an offset does not compensate for the "
            "rebased address");
}

TEST(FrameWindow, RefusesOtherUsesOfWhatLacksADistance) {
  auto With = [](std::vector<StringRef> Lines) {
    Lines.insert(Lines.begin(), {"*R2UR UR6, R1", "UIADD3 UR7, UR6, 0x8, URZ",
                                 "*LEA R2, R5, UR7, 0x3"});
    Lines.push_back("EXIT");
    return problem(Lines);
  };
  EXPECT_EQ(With({"ISETP.NE.U32.AND P0, PT, R2, R1, PT"}),
            "offset 0x50: an address in the frame is compared with another "
            "number");
  EXPECT_EQ(With({"*ULDC UR4, c[0x0][0x20]", "IADD3 R6, P0, R2, UR4, RZ"}),
            "offset 0x60: an address in the frame is used by IADD3");
  EXPECT_EQ(With({"IADD3 R6, P0, R2, 0x8, RZ"}),
            "offset 0x50: the carry of an address may depend on the frame");
  // Another distance, or none, on another path.
  for (StringRef Sum : {"*LEA R2, R5, UR6, 0x3", "VIADD R2, R1, 0x8"})
    EXPECT_EQ(With({"@P0 BRA `(L1)", Sum, "L1:", "8 LDL R4, [R2]"}),
              "offset 0x70: the address of an access is not derived from R1")
        << Sum.str();
}

TEST(FrameWindow, RefusesSumsOfUnknownDistance) {
  EXPECT_EQ(problem({"*R2UR UR6, R1", "UIADD3 UR7, UR6, UR9, URZ",
                     "*LEA R2, R5, UR7, 0x3", "EXIT"}),
            "offset 0x40: how far an address is from R1 is not known");
  EXPECT_EQ(problem({"*R2UR UR6, R1", "*LEA R2, R1, UR6, 0x3", "EXIT"}),
            "offset 0x30: an address in the frame is a factor");
  EXPECT_EQ(problem({"*R2UR UR6, R1", "*IMAD R2, R3, R1, UR6", "EXIT"}),
            "offset 0x30: an address in the frame is a factor");
  EXPECT_EQ(problem({"UMOV UR6, 0x8", "*LEA R2, R5, UR6, 0x3", "EXIT"}),
            "offset 0x30: no address in the frame is read where R1 was added");
}

TEST(FrameWindow, AccessesByUniformAddresses) {
  auto With = [](StringRef Access,
                 StringRef Sum = "UIADD3 UR7, UR6, 0x8, URZ") {
    return problem({"*R2UR UR6, R1", Sum, Access, "EXIT"});
  };
  EXPECT_EQ(With("STL [UR7+0x14], R4"), "");
  EXPECT_EQ(With("LDL.64 R4, [UR7+-0x8]"), "");
  EXPECT_EQ(With("STL [UR7+0x14], R4", "UIADD3 UR7, UR6, UR9, URZ"), "");
  EXPECT_EQ(With("STL [UR7+0x18], R4"),
            "offset 0x40: an access is outside of the thread's frame");
  EXPECT_EQ(With("LDL.64 R4, [UR7+0x4]"),
            "offset 0x40: an access is not aligned");
  EXPECT_EQ(With("STL [UR7], R1"),
            "offset 0x40: an address in the frame is stored");
  EXPECT_EQ(With("4 STL [UR7], R4"),
            "offset 0x40: an offset does not compensate for the "
            "rebased address");
  EXPECT_EQ(With("STL [UR7], R4", "UMOV UR7, 0x8"),
            "offset 0x40: the address of an access is not derived from R1");
  EXPECT_EQ(problem({"*R2UR UR6, R1", "CALL.REL.NOINC `(function)", "EXIT",
                     "function:", "VIADD R1, R1, -0x8", "STL [UR6], R4",
                     "VIADD R1, R1, 0x8", "RET.REL.NODEC R2 `(k)"}),
            "offset 0x60: an address in the frame is seen from another R1");
}

TEST(FrameWindow, AddressesOfUniformAccessesAreKnownByTheirBits) {
  // STL.64 [UR9+-0x10], R56 and LDL.64 R6, [UR4+0x8] as STS.64 and LDS.64 with
  // R1.
  const std::pair<Word, Word> Pairs[] = {
      {{0xfffff038ff007987, 0x000fe80008100a09},
       {0xfffff03801007988, 0x000fe80008000a09}},
      {{0x00000804ff067983, 0x000e280008100a00},
       {0x0000080401067984, 0x000e280008000a00}}};
  for (auto [Local, Shared] : Pairs) {
    EXPECT_TRUE(uniformBase(Local));
    EXPECT_EQ(sharedAccess(Local), Shared);
    for (unsigned Bit = 0; Bit != 128; ++Bit) {
      uint64_t Mask = 1ull << Bit % 64;
      Word Mutant = Local;
      (Bit < 64 ? Mutant.Low : Mutant.High) ^= Mask;
      // How the cache keeps the line.
      bool IsCache = Bit >= 84 && Bit < 87;
      EXPECT_FALSE(!IsCache && uniformBase(Mutant) &&
                   sharedAccess(Mutant) == Shared)
          << Bit;
    }
  }
}

TEST(FrameWindow, RefusesPathsWithoutTheAddress) {
  EXPECT_EQ(problem({"UMOV UR6, 0x8", "@P0 BRA `(L1)", "*R2UR UR6, R1",
                     "L1:", "*MOV R2, UR6", "EXIT"}),
            "offset 0x50: no address in the frame is read where R1 was added");
}

TEST(FrameWindow, RefusesChangesThatNothingComesTo) {
  EXPECT_EQ(problem({"EXIT", "*R2UR UR6, R1", "EXIT"}),
            "offset 0x30: a change that nothing comes to");
}

TEST(FrameWindow, FollowsAddressesThroughTheFrame) {
  EXPECT_EQ(problem({"VIADD R6, R1, 0x8", "STL [R1+0x4], R6",
                     "LDL R7, [R1+0x4]", "STL [R7+0x14], R4", "EXIT"}),
            "");
  EXPECT_EQ(problem({"VIADD R6, R1, 0x8", "STL [R1+0x4], R6",
                     "LDL R7, [R1+0x4]", "STL [R7+0x18], R4", "EXIT"}),
            "offset 0x50: an access is outside of the thread's frame");
  // Both words of a pair, of which one is overwritten.
  EXPECT_EQ(problem({"VIADD R6, R1, 0x8", "MOV R7, R6", "STL.64 [R1+0x8], R6",
                     "STL [R1+0xc], R4", "LDL.64 R8, [R1+0x8]", "STL [R8], R4",
                     "STL [R9], R4", "EXIT"}),
            "offset 0x80: the address of an access is not derived from R1");
  // Generic ones, of which both halves come back.
  EXPECT_EQ(problem(generic({"STL.64 [R1+0x10], R2", "LDL.64 R8, [R1+0x10]",
                             "LD.E R4, desc[UR8][R8.64]"})),
            "");
}

TEST(FrameWindow, RefusesPartsOfAddressesInTheFrame) {
  for (StringRef Access : {"STL.U8 [R1+0x5], R4", "LDL.U16 R7, [R1+0x6]"})
    EXPECT_EQ(problem({"STL [R1+0x4], R1", Access, "EXIT"}),
              "offset 0x30: a part of an address in the frame is accessed");
  EXPECT_EQ(problem({"STL.U8 [R1+0x4], R1", "EXIT"}),
            "offset 0x20: an address in the frame is stored");
}

TEST(FrameWindow, RefusesToStoreAnAddressWhereItIsNotKnown) {
  EXPECT_EQ(problem({"IMAD R6, R5, 0x4, R1", "STL [R6], R1", "EXIT"}),
            "offset 0x30: an address in the frame is stored");
  EXPECT_EQ(problem({"IMAD R6, R5, 0x4, R1", "STL [R6], R6", "EXIT"}),
            "offset 0x30: an address in the frame is stored");
}

TEST(FrameWindow, RefusesWordsThatHoldAnAddressOnSomePaths) {
  EXPECT_EQ(problem({"STL [R1+0x4], R5", "@P0 BRA `(L1)", "STL [R1+0x4], R1",
                     "L1:", "LDL R6, [R1+0x4]", "LDL R7, [R6]", "EXIT"}),
            "offset 0x60: the address of an access is not derived from R1");
}

/// By ptxas 13.0 for sm_90, and what becomes of it.
struct Change {
  Word Before, After;
  Kind What;
  const char *Text;
};

const Change Changes[] = {{{0x00000000010672ca, 0x000fe200000e0000},
                           {0x00000000ff0672ca, 0x000fe200000e0000},
                           Kind::FromStackPointer,
                           "R2UR UR6, RZ"},
                          {{0x00000000010f72ca, 0x040fe200000e0000},
                           {0x00000000ff0f72ca, 0x000fe200000e0000},
                           Kind::FromStackPointer,
                           "R2UR UR15, RZ"},
                          {{0x0000000600027c02, 0x000fe20008000f00},
                           {0x0000000601027c10, 0x000fe2000fffe0ff},
                           Kind::ToGeneral,
                           "IADD3 R2, R1, UR6, RZ"},
                          {{0x00000007ff037e24, 0x000fe2000f8e00ff},
                           {0x0000000701037c36, 0x000fe20008000000},
                           Kind::ToGeneral,
                           "VIADD R3, R1, UR7"},
                          {{0x0000080000047ab9, 0x000fe20000000800},
                           {0x0000003f00047c82, 0x000fe20008000000},
                           Kind::WindowLow,
                           "UMOV UR4, URZ"},
                          {{0x0000090000047ab9, 0x000fe40000000800},
                           {0x0000003e00047c82, 0x000fe40008000000},
                           Kind::WindowHigh,
                           "UMOV UR4, UR62"},
                          {{0x0000000711127c11, 0x040fe2000f8e18ff},
                           {0x0000000111127211, 0x040fe200078e18ff},
                           Kind::Scaled,
                           "LEA R18, R17.reuse, R1, 0x3"},
                          {{0x0000000a07107e24, 0x000fca000f8e0210},
                           {0x0000001007107224, 0x000fca00078e0201},
                           Kind::Product,
                           "IMAD R16, R7, R16, R1"},
                          {{0x00000800ff077b82, 0x000e240000000800},
                           {0x0000000000077919, 0x000e24000000ff00},
                           Kind::WindowLow,
                           "S2R R7, SRZ"},
                          {{0x00000900ff157b82, 0x000e300000000800},
                           {0x0000000000157919, 0x000e300000002f00},
                           Kind::WindowHigh,
                           "S2R R21, SR_SWINHI"}};

TEST(Rewrites, AreRecognisedByTheirBits) {
  for (const Change &C : Changes) {
    std::optional<framecheck::Rewrite> R = findRewrite(C.Before, C.After);
    ASSERT_TRUE(R) << C.Text;
    EXPECT_EQ(R->What, C.What);
    auto [Opcode, Operands] = StringRef(C.Text).split(' ');
    SassInstruction I = decodeOne(C.After.Low, C.After.High);
    EXPECT_EQ(I.Opcode, Opcode);
    EXPECT_EQ(shown(I.Operands), readOperands(Opcode, Operands));
  }
}

TEST(Rewrites, NoChangedBitIsAccepted) {
  for (const Change &C : Changes)
    for (unsigned Bit = 0; Bit != 128; ++Bit) {
      uint64_t Mask = 1ull << Bit % 64;
      Word Mutant = C.After, Original = C.Before;
      (Bit < 64 ? Mutant.Low : Mutant.High) ^= Mask;
      (Bit < 64 ? Original.Low : Original.High) ^= Mask;
      // A sum's uniform register, in whose place R1 stands then.
      bool IsSum = C.What == Kind::Scaled || C.What == Kind::Product;
      bool IsAdded = IsSum && Bit >= 32 && Bit < 38;
      // Whether R1 is kept for the next instruction.
      bool IsKept = C.What == Kind::FromStackPointer && Bit == 122;
      EXPECT_EQ(findRewrite(Original, C.After).has_value(), IsAdded || IsKept)
          << C.Text << " " << Bit;
      std::optional<framecheck::Rewrite> R = findRewrite(C.Before, Mutant);
      // Another uniform register for the window, which set-up code does not
      // leave one in.
      bool IsUniform = StringRef(C.Text).starts_with("UMOV");
      bool IsWindow =
          C.What == Kind::WindowHigh && IsUniform && Bit > 32 && Bit < 38;
      EXPECT_EQ(R.has_value(), IsWindow) << C.Text << " " << Bit;
      EXPECT_FALSE(R && R->Source == 62) << C.Text << " " << Bit;
    }
}

} // namespace window
