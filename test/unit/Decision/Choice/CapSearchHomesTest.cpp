//===- CapSearchHomesTest.cpp - with and without other homes ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CapSearchHarness.h"

using namespace regdem;

namespace {

/// As spillsAbove(); plans that may recompute do so three times and spill Worse
/// words more.
Assembler recomputing(unsigned Reached, unsigned Worse) {
  return [=](Build &V) {
    spillsAbove(Reached)(V);
    if (V.What != Decision::Demote || V.UpTo < Home::Recomputation)
      return;
    V.Recomputations = 3;
    spill(V, V.SpillStoreBytes / 4 + Worse);
  };
}

unsigned numWith(const std::vector<Build> &Built, Home UpTo) {
  unsigned N = 0;
  for (const Build &V : Built)
    N += V.What == Decision::Demote && V.UpTo == UpTo;
  return N;
}

TEST_F(CapSearch, PlansWithSlotsAloneAreTriedWhereOthersRecompute) {
  auto S = search(recomputing(Cap, /*Worse=*/8));
  ASSERT_TRUE(S);
  EXPECT_GE(numWith(Built, Home::ThreadSlot), 2u);
  EXPECT_EQ(S->UpTo, Home::ThreadSlot);
  EXPECT_EQ(chosen(*S)->UpTo, Home::ThreadSlot);
  EXPECT_EQ(chosen(*S)->spillBytes(), 0u);
}

TEST_F(CapSearch, RecomputationStaysWhereItIsNoWorse) {
  auto S = search([](Build &V) {
    recomputing(Cap, /*Worse=*/0)(V);
    if (V.Recomputations)
      V.SlotAccesses -= 6;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(S->UpTo, AnyHome);
  EXPECT_EQ(chosen(*S)->Recomputations, 3u);
}

TEST_F(CapSearch, PlansWithSlotsAloneAreTriedWhereOthersUseUniformOnes) {
  // ptxas does not keep in uniform registers what the plans leave to them.
  auto S = search([](Build &V) {
    spillsAbove(Cap)(V);
    if (V.What != Decision::Demote || V.UpTo < Home::UniformRegister)
      return;
    V.UniformWords = 20;
    spill(V, 20);
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(S->UpTo, Home::ThreadSlot);
  EXPECT_EQ(chosen(*S)->spillBytes(), 0u);
}

TEST_F(CapSearch, NothingIsTriedTwiceWhereNothingIsRecomputed) {
  ASSERT_TRUE(search(spillsAbove(Cap - 6)));
  EXPECT_EQ(numWith(Built, Home::ThreadSlot), 0u);
}

} // namespace
