//===- SlowPathTest.cpp - code for unusual arguments ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassTexts.h"
#include "regdem/Decision/Model/CodeSummary.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// A branch around a loop that reads a table, whose address AtEntry or InPath
/// loads.
std::string reduction(StringRef AtEntry, StringRef InPath,
                      StringRef BehindLoop = "NOP") {
  return writeSass({AtEntry, "@P0 BRA `(L2)", InPath,
                    "L1:", "LDG.E R2, desc[UR6][R4.64]", "IADD3 R3, R3, R2, RZ",
                    "@P1 BRA `(L1)", BehindLoop,
                    "L2:", "STG.E desc[UR6][R6.64], R3", "EXIT"});
}

SassKernel parseWithTable(StringRef Text, uint64_t Offset) {
  auto K = parseSass(Text, "", {Offset});
  EXPECT_TRUE(bool(K));
  return K ? *K : SassKernel();
}

std::vector<bool> slowPaths(const SassKernel &K) {
  std::vector<bool> Result;
  for (const SassBlock &B : K.Blocks)
    Result.push_back(B.IsSlowPath);
  return Result;
}

using Flags = std::vector<bool>;

TEST(SlowPath, IsWhatIsReachedThroughTheTableOnly) {
  std::string Text = reduction("NOP", "ULDC.64 UR4, c[0x4][0x8]");
  SassKernel K = parseWithTable(Text, 8);
  EXPECT_EQ(slowPaths(K), (Flags{false, true, true, true, false}));
  EXPECT_LT(K.Blocks[2].Frequency, 1);
  EXPECT_EQ(K.Blocks[4].Frequency, 1);
  auto IsLoad = [](const TraceStep &S) {
    return S.Unit == TraceUnit::GlobalLoad;
  };
  EXPECT_TRUE(none_of(summarize(K).Trace, IsLoad));
  EXPECT_TRUE(any_of(summarize(mustParse(Text)).Trace, IsLoad));
}

TEST(SlowPath, FirstAddressOfTheBankHasNoNumber) {
  for (const char *Load : {"ULDC.64 UR4, c[0x4][0x0]", "LDC.64 R4, c[0x4][RZ]",
                           "LDCU.64 UR4, c[0x4][URZ]"})
    EXPECT_TRUE(parseWithTable(reduction("NOP", Load), 0).Blocks[2].IsSlowPath)
        << Load;
}

TEST(SlowPath, OtherTablesAreRead) {
  SassKernel K =
      parseWithTable(reduction("NOP", "ULDC.64 UR4, c[0x4][0x8]"), 16);
  EXPECT_EQ(slowPaths(K), Flags(5, false));
}

TEST(SlowPath, AddressLoadedAheadTellsNothing) {
  SassKernel K =
      parseWithTable(reduction("ULDC.64 UR4, c[0x4][0x8]", "NOP"), 8);
  EXPECT_EQ(slowPaths(K), Flags(5, false));
}

TEST(SlowPath, CodeThatStoresIsNone) {
  SassKernel K = parseWithTable(
      reduction("NOP", "ULDC.64 UR4, c[0x4][0x8]", "STS [R8], R3"), 8);
  EXPECT_EQ(slowPaths(K), Flags(5, false));
}

} // namespace
