//===- TouchedLinesTest.cpp - loads next to earlier ones ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CodeSummary.h"

#include "Decision/Model/TouchedLines.h"
#include "SassTexts.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <string>
#include <vector>

using namespace regdem;
using llvm::StringRef;

namespace touched {

/// One letter for each load from global memory, in order: 's' for one from
/// sectors that were loaded before, 'l' for one from such lines, 'n' for
/// others.
std::string loadsOf(llvm::ArrayRef<StringRef> Lines) {
  std::string Result;
  for (const TraceStep &S : stepsOf(TraceUnit::GlobalLoad, Lines))
    Result += S.IsInSectors ? 's' : S.IsInLines ? 'l' : 'n';
  return Result;
}

TEST(TouchedLines, NeighboursInARow) {
  EXPECT_EQ(
      loadsOf({"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0xc]",
               "LDG.E R6, desc[UR4][R2.64+-0x20]",
               "LDG.E R7, desc[UR4][R2.64+0x100]", "EXIT"}),
      "nsln");
}

TEST(TouchedLines, TheNearestCounts) {
  EXPECT_EQ(loadsOf({"LDG.E R4, [R2.64+0x200]", "LDG.E R5, [R2.64]",
                     "LDG.E R6, [R2.64+0x204]", "EXIT"}),
            "nns");
}

TEST(TouchedLines, WideLoadsTakeMoreLines) {
  EXPECT_EQ(loadsOf({"LDG.E.128 R4, [R2.64]", "LDG.E.128 R8, [R2.64+0x80]",
                     "LDG.E R12, [R2.64+0x40]", "EXIT"}),
            "nln");
}

TEST(TouchedLines, OtherBasesAreElsewhere) {
  EXPECT_EQ(
      loadsOf({"LDG.E R4, [R2.64]", "LDG.E R5, [R6.64]",
               "LDG.E R7, [R2.64+UR4]", "LDG.E R8, [R2.64+UR4+0x4]", "EXIT"}),
      "nnns");
}

TEST(TouchedLines, ABaseThatIsWrittenIsAnother) {
  EXPECT_EQ(
      loadsOf({"LDG.E R4, [R2.64]", "IADD3 R2, R2, R8, RZ", "LDG.E R5, [R2.64]",
               "LDG.E R2, [R2.64]", "LDG.E R6, [R2.64]", "EXIT"}),
      "nnsn");
}

/// How many of the loads at Offsets from an address that was loaded are from
/// sectors that were loaded before.
long scatteredHits(std::initializer_list<const char *> Offsets) {
  std::vector<std::string> Texts = {"LDG.E.64 R2, [R4.64]"};
  for (const char *Offset : Offsets)
    Texts.push_back(std::string("LDG.E.64 R6, [R2.64") + Offset + "]");
  Texts.push_back("EXIT");
  std::vector<StringRef> Lines(Texts.begin(), Texts.end());
  std::string Loads = loadsOf(Lines);
  return std::count(Loads.begin(), Loads.end(), 's');
}

// 64 bytes are in three sectors in three of four cases.
TEST(TouchedLines, ScatteredLoadsHitAsOftenInAnyOrder) {
  EXPECT_EQ(scatteredHits({"", "+0x8", "+0x10", "+0x18", "+0x20", "+0x28",
                           "+0x30", "+0x38"}),
            5);
  EXPECT_EQ(scatteredHits({"+0x10", "", "+0x30", "+0x20", "+0x38", "+0x8",
                           "+0x28", "+0x18"}),
            5);
}

TEST(TouchedLines, NeighboursOnBothSidesLeaveNoOtherSector) {
  EXPECT_DOUBLE_EQ((LoadNeighbours{8, LoadNeighbours::None}).newSectors(),
                   0.25);
  EXPECT_DOUBLE_EQ((LoadNeighbours{16, 16}).newSectors(), 0);
  EXPECT_DOUBLE_EQ((LoadNeighbours{24, 16}).newSectors(), 0.25);
  EXPECT_DOUBLE_EQ(LoadNeighbours().newSectors(), 1);
}

} // namespace touched
