//===- SassEqualitiesTest.cpp - tests that seldom hold --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassTexts.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

using Counts = std::vector<unsigned>;

Counts equalities(ArrayRef<StringRef> Lines) {
  Counts Result;
  for (const SassBlock &B : mustParse(writeSass(Lines)).Blocks)
    Result.push_back(B.Equalities);
  return Result;
}

/// How many integers must be equal after a branch that is not taken, where
/// Tests compute its predicate.
unsigned behind(StringRef Tests, StringRef More = "NOP",
                StringRef Branch = "@P0 BRA `(L1)") {
  return equalities({Tests, More, Branch, "STG.E [R2], R3", "L1:", "EXIT"})[1];
}

TEST(SassEqualities, Comparisons) {
  EXPECT_EQ(behind("ISETP.NE.AND P0, PT, R2, R3, PT"), 1u);
  EXPECT_EQ(behind("ISETP.EQ.AND P0, PT, R2, R3, PT"), 0u);
  EXPECT_EQ(behind("ISETP.EQ.AND P0, PT, R2, R3, PT", "NOP", "@!P0 BRA `(L1)"),
            1u);
  EXPECT_EQ(behind("ISETP.GE.AND P0, PT, R2, R3, PT"), 0u);
  EXPECT_EQ(behind("FSETP.NEU.AND P0, PT, R2, R3, PT"), 0u);
  EXPECT_EQ(behind("ISETP.NE.AND P1, P0, R2, R3, PT"), 0u);
  EXPECT_EQ(behind("@P2 ISETP.NE.AND P0, PT, R2, R3, PT"), 0u);
}

TEST(SassEqualities, ComparisonsWithWhatWasFoundBefore) {
  StringRef First = "ISETP.NE.AND P1, PT, R4, R5, PT";
  EXPECT_EQ(behind(First, "ISETP.NE.OR P0, PT, R2, R3, P1"), 2u);
  EXPECT_EQ(behind(First, "ISETP.NE.AND P0, PT, R2, R3, P1"), 0u);
}

// The truth table 0x3c is the exclusive or of the first two, 0x48 that of the
// first and the last under a mask, 0xc0 whether both have a bit.
TEST(SassEqualities, BitsThatDiffer) {
  EXPECT_EQ(behind("LOP3.LUT P0, RZ, R2, R3, RZ, 0x3c, !PT"), 1u);
  EXPECT_EQ(behind("LOP3.LUT P0, RZ, R2, 0x7, R3, 0x48, !PT"), 1u);
  EXPECT_EQ(behind("LOP3.LUT P0, RZ, R2, 0x7, RZ, 0xc0, !PT"), 0u);
  EXPECT_EQ(
      behind("LOP3.LUT P0, RZ, R2, R3, RZ, 0x3c, !PT", "NOP", "@!P0 BRA `(L1)"),
      0u);
}

// 0xa8 with a third input that is true: the first or the second. 0x80: all.
TEST(SassEqualities, CombinedPredicates) {
  auto Both = [](StringRef Combination) {
    return equalities({"ISETP.NE.AND P0, PT, R2, R3, PT",
                       "ISETP.NE.AND P1, PT, R4, R5, PT", Combination,
                       "@P0 BRA `(L1)", "STG.E [R2], R3", "L1:", "EXIT"})[1];
  };
  EXPECT_EQ(Both("PLOP3.LUT P0, PT, P1, P0, PT, 0xa8, 0x0"), 2u);
  EXPECT_EQ(Both("PLOP3.LUT P0, PT, P1, P0, PT, 0x80, 0x0"), 0u);
  EXPECT_EQ(Both("PLOP3.LUT P0, PT, !P1, P0, PT, 0xa8, 0x0"), 1u);
}

// Four words; what is found is after all of them, and left out of the trace.
TEST(SassEqualities, GuardsOfAccesses) {
  SassKernel K = mustParse(writeSass(
      {"ISETP.EQ.AND P0, PT, R2, R3, PT", "ISETP.EQ.AND P0, PT, R4, R5, P0",
       "@P0 STG.E [R6.64], R8", "@!P0 LDG.E R8, [R6.64]",
       "@P0 IADD3 R2, R2, 0x1, RZ", "STG.E [R6.64], R2", "EXIT"}));
  auto &Code = K.Blocks[0].Instructions;
  EXPECT_EQ(Code[2].Equalities, 2u);
  EXPECT_EQ(Code[3].Equalities, 0u);
  EXPECT_EQ(Code[4].Equalities, 0u) << "no access";
  EXPECT_EQ(Code[5].Equalities, 0u);
}

TEST(SassEqualities, AddUpOnTheWay) {
  std::vector<StringRef> Lines = {"ISETP.NE.AND P0, PT, R2, R3, PT",
                                  "@P0 BRA `(L1)",
                                  "ISETP.NE.AND P0, PT, R4, R5, PT",
                                  "@P0 BRA `(L1)",
                                  "ISETP.NE.AND P0, PT, R6, R7, PT",
                                  "@P0 BRA `(L1)",
                                  "LDG.E R2, [R8.64]",
                                  "L1:",
                                  "STG.E [R8.64], R2",
                                  "EXIT"};
  EXPECT_EQ(equalities(Lines), (Counts{0, 1, 2, 3, 0}));
  EXPECT_TRUE(stepsOf(TraceUnit::GlobalLoad, Lines).empty());
  EXPECT_EQ(stepsOf(TraceUnit::GlobalStore, Lines).size(), 1u);
  // Two of them may well hold for one of a warp's threads.
  Lines[4] = "NOP";
  EXPECT_EQ(stepsOf(TraceUnit::GlobalLoad, Lines).size(), 1u);
}

TEST(SassEqualities, EndsOfLoopsDoNotCount) {
  EXPECT_EQ(equalities({"NOP", "L1:", "ISETP.NE.AND P0, PT, R2, R3, PT",
                        "@P0 BRA `(L1)", "STG.E [R8.64], R2", "EXIT"}),
            (Counts{0, 0, 0}));
}

} // namespace
