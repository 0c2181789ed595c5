//===- CapSearchSmemTest.cpp - when ptxas spills to shared memory ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

using namespace regdem;

namespace {

/// Shared memory in bytes a block that the assembler spills to; more than the
/// slots of spillsAbove.
constexpr unsigned SharedOfAssembler = 1024 * (Cap + 20);

/// As spillsAbove, but where ptxas may spill to shared memory, Left words are
/// spilled in all.
Assembler spillsToShared(unsigned Reached, unsigned Left) {
  return [=](Build &V) {
    spillsAbove(Reached)(V);
    if (!V.SmemSpilling)
      return;
    spill(V, Left);
    V.StaticShared = std::max(V.StaticShared, SharedOfAssembler);
  };
}

TEST_F(CapSearch, SpillingToSharedMemoryHasToBeAllowed) {
  ASSERT_TRUE(search(spillsToShared(0, 0)));
  for (const Build &V : Built)
    EXPECT_FALSE(V.SmemSpilling);
}

TEST_F(CapSearch, SpillingToSharedMemoryIsTriedBehindAllElse) {
  MaySpillToShared = true;
  ASSERT_TRUE(search(spillsToShared(0, 90)));
  ASSERT_GE(Built.size(), 3u);
  size_t Last = Built.size() - 1;
  for (size_t I = 0; I != Built.size(); ++I)
    EXPECT_EQ(Built[I].SmemSpilling, I == Last) << "build " << I;
  EXPECT_EQ(Built[Last].What, Decision::Pragma);
  EXPECT_EQ(Built[Last].MaxRegs, Cap);
  EXPECT_EQ(Built[Last].Target, 0u);
}

TEST_F(CapSearch, NothingIsSpilledToSharedMemoryThatDoesNotSpill) {
  MaySpillToShared = true;
  ASSERT_TRUE(search([](Build &V) { spill(V, 0); }));
  for (const Build &V : Built)
    EXPECT_FALSE(V.SmemSpilling);
}

TEST_F(CapSearch, SpillingToSharedMemoryWinsByScore) {
  MaySpillToShared = true;
  Outcome S = settled([](Build &V) {
    spill(V, V.What == Decision::Pragma ? 0 : 20);
    if (V.What == Decision::Demote)
      V.SlotAccesses = 30;
  });
  EXPECT_EQ(S.chosen()->What, Decision::Pragma);
  EXPECT_TRUE(S.SmemSpilling);
  EXPECT_EQ(S.Target, 0u);
}

TEST_F(CapSearch, DemotionsDoNotSpillToSharedMemoryBesides) {
  MaySpillToShared = true;
  ASSERT_TRUE(search(
      [](Build &V) { spill(V, V.What != Decision::Demote ? 100 : 50); }));
  for (const Build &V : Built)
    EXPECT_FALSE(V.SmemSpilling && V.What == Decision::Demote);
  EXPECT_EQ(count(Decision::Pragma), 1u);
}

TEST_F(CapSearch, DemotionIsPreferredWhereBothAreAsGood) {
  MaySpillToShared = true;
  Outcome S = settled([](Build &V) {
    bool Spills = V.What != Decision::Demote && !V.SmemSpilling;
    spill(V, Spills ? 7 : 0);
  });
  EXPECT_EQ(S.chosen()->What, Decision::Demote);
  EXPECT_FALSE(S.SmemSpilling);
}

TEST_F(CapSearch, SpillingToSharedMemoryMustNotCostABlock) {
  MaySpillToShared = true;
  Goal.BlocksPerSM = 6;
  Outcome S = settled([](Build &V) {
    spill(V, V.SmemSpilling ? 0 : 100);
    V.StaticShared = V.SmemSpilling ? 40 << 10 : 0;
  });
  EXPECT_FALSE(S.chosen()->SmemSpilling);
  EXPECT_FALSE(S.SmemSpilling);
}

TEST_F(CapSearch, AssemblerMayRefuseToSpillToSharedMemory) {
  Outcome Without = settled(spillsAbove(Cap - 6));
  MaySpillToShared = true;
  Outcome With = settled([](Build &V) {
    spillsToShared(Cap - 6, 0)(V);
    if (V.SmemSpilling)
      V.Refusal = "no such pragma";
  });
  EXPECT_TRUE(Built.back().SmemSpilling);
  EXPECT_EQ(With.Target, Without.Target);
  EXPECT_FALSE(With.SmemSpilling);
}

} // namespace
