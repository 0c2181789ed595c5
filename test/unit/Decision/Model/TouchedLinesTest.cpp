//===- TouchedLinesTest.cpp - loads next to earlier ones ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/VariantCode.h"

#include "SassTexts.h"
#include "gtest/gtest.h"
#include <string>

using namespace regdem;
using llvm::StringRef;

namespace {

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

} // namespace
