//===- SMLimitsTest.cpp - The table of SM limits ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/SMLimits.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

TEST(SMLimits, LookupReturnsTheRowOfThatArch) {
  for (unsigned Arch : {70u, 72u, 75u, 80u, 86u, 87u, 88u, 89u, 90u, 100u, 101u,
                        103u, 110u, 120u, 121u}) {
    const SMLimits *L = lookupSMLimits(Arch);
    ASSERT_NE(L, nullptr) << "sm_" << Arch;
    EXPECT_EQ(L->Arch, Arch);
  }
}

TEST(SMLimits, LookupOfUnknownArchFindsNothing) {
  for (unsigned Arch : {0u, 9u, 61u, 71u, 81u, 91u, 102u, 122u, 900u, ~0u})
    EXPECT_EQ(lookupSMLimits(Arch), nullptr) << "sm_" << Arch;
}

TEST(SMLimits, VoltaRow) {
  const SMLimits *L = lookupSMLimits(70);
  ASSERT_NE(L, nullptr);
  EXPECT_EQ(L->MaxWarpsPerSM, 64u);
  EXPECT_EQ(L->MaxBlocksPerSM, 32u);
  EXPECT_EQ(L->SharedBytesPerSM, 98304u);
  EXPECT_EQ(L->OptInSharedBytesPerBlock, 98304u);
  EXPECT_EQ(L->ReservedSharedBytesPerBlock, 0u);
  EXPECT_EQ(L->SharedGranuleBytes, 256u);
  EXPECT_EQ(L->UnifiedCacheBytes, 131072u);
}

TEST(SMLimits, TuringRow) {
  const SMLimits *L = lookupSMLimits(75);
  ASSERT_NE(L, nullptr);
  EXPECT_EQ(L->MaxWarpsPerSM, 32u);
  EXPECT_EQ(L->MaxBlocksPerSM, 16u);
  EXPECT_EQ(L->OptInSharedBytesPerBlock, 65536u);
  EXPECT_EQ(L->UnifiedCacheBytes, 98304u);
  EXPECT_EQ(L->CarveOutKB.front(), 32u);
  EXPECT_EQ(L->CarveOutKB.back(), 64u);
}

TEST(SMLimits, HopperRow) {
  const SMLimits *L = lookupSMLimits(90);
  ASSERT_NE(L, nullptr);
  EXPECT_EQ(L->MaxWarpsPerSM, 64u);
  EXPECT_EQ(L->MaxBlocksPerSM, 32u);
  EXPECT_EQ(L->SharedBytesPerSM, 233472u);
  EXPECT_EQ(L->OptInSharedBytesPerBlock, 232448u);
  EXPECT_EQ(L->ReservedSharedBytesPerBlock, 1024u);
  EXPECT_EQ(L->SharedGranuleBytes, 128u);
  EXPECT_EQ(L->UnifiedCacheBytes, 262144u);
  EXPECT_EQ(L->CarveOutKB.size(), 10u);
}

TEST(SMLimits, RowsAreAscendingWithoutDuplicates) {
  unsigned Previous = 0;
  for (const SMLimits &L : allSMLimits()) {
    EXPECT_GT(L.Arch, Previous);
    Previous = L.Arch;
  }
}

TEST(SMLimits, CarveOutStepsAscendToTheSharedMemoryOfTheSM) {
  for (const SMLimits &L : allSMLimits()) {
    ASSERT_FALSE(L.CarveOutKB.empty()) << "sm_" << L.Arch;
    for (size_t I = 1; I < L.CarveOutKB.size(); ++I)
      EXPECT_GT(L.CarveOutKB[I], L.CarveOutKB[I - 1]) << "sm_" << L.Arch;
    EXPECT_EQ(L.CarveOutKB.back() * 1024u, L.SharedBytesPerSM)
        << "sm_" << L.Arch;
    EXPECT_GT(L.UnifiedCacheBytes, L.SharedBytesPerSM) << "sm_" << L.Arch;
  }
}

TEST(SMLimits, TheLargestBlockAndTheReserveFillTheSharedMemory) {
  for (const SMLimits &L : allSMLimits())
    EXPECT_EQ(L.OptInSharedBytesPerBlock + L.ReservedSharedBytesPerBlock,
              L.SharedBytesPerSM)
        << "sm_" << L.Arch;
}

TEST(SMLimits, UnifiedCacheFollowsFromTheLargestCarveOut) {
  // The pairs of the guide's table "Shared Memory Capacity".
  for (const SMLimits &L : allSMLimits()) {
    unsigned KB = 0;
    switch (L.CarveOutKB.back()) {
    case 64:
      KB = 96;
      break;
    case 96:
    case 100:
      KB = 128;
      break;
    case 164:
      KB = 192;
      break;
    case 228:
      KB = 256;
      break;
    }
    EXPECT_EQ(L.UnifiedCacheBytes, KB * 1024) << "sm_" << L.Arch;
  }
}

TEST(SMLimits, ReserveStartsWithCapability80) {
  for (const SMLimits &L : allSMLimits())
    EXPECT_EQ(L.ReservedSharedBytesPerBlock, L.Arch >= 80 ? 1024u : 0u)
        << "sm_" << L.Arch;
}

TEST(ParseArch, AcceptsTargetNamesWithAndWithoutSuffix) {
  EXPECT_EQ(parseArch("sm_75"), 75u);
  EXPECT_EQ(parseArch("sm_90"), 90u);
  EXPECT_EQ(parseArch("sm_90a"), 90u);
  EXPECT_EQ(parseArch("sm_100f"), 100u);
  EXPECT_EQ(parseArch("sm_121"), 121u);
}

TEST(ParseArch, ReadsANumberThatHasNoRow) {
  EXPECT_EQ(parseArch("sm_52"), 52u);
  EXPECT_EQ(lookupSMLimits(parseArch("sm_52")), nullptr);
}

TEST(ParseArch, RejectsEverythingElse) {
  for (const char *Name :
       {"", "sm", "sm_", "sm_a", "sm_9", "sm_9a", "sm_090", "sm_90b", "sm_90aa",
        "sm_90 ", " sm_90", "sm_-90", "sm_1000", "sm_9x", "SM_90", "compute_90",
        "gfx906", "90"})
    EXPECT_EQ(parseArch(Name), 0u) << '"' << Name << '"';
}

} // namespace
