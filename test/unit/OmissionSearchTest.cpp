//===- OmissionSearchTest.cpp - passes left out under a stated cap --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetSearchHarness.h"

using namespace regdem;

namespace {

constexpr Omission Unreduced{true, false}, Unsunk{false, true};

/// Words spilled without demotion: Stock's, and with a pass left out.
Assembler spillsWithout(unsigned Stock, unsigned Reduced, unsigned Sunk) {
  return [=](Variant &V) {
    unsigned Words = V.Without == Unreduced ? Reduced
                     : V.Without == Unsunk  ? Sunk
                                            : Stock;
    spill(V, V.What == Decision::Demote ? Words / 10 : Words);
  };
}

TEST_F(TargetSearch, PassThatCostsTheSpillIsLeftOut) {
  Omissions = {Unreduced, Unsunk};
  auto S = search(spillsWithout(100, 0, 100));
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Without, Unreduced);
  EXPECT_EQ(chosen(*S)->What, Decision::Cap);
  EXPECT_EQ(chosen(*S)->Without, Unreduced);
  EXPECT_EQ(chosen(*S)->MaxRegs, Cap);
  EXPECT_EQ(count(Decision::Demote), 0u);
}

TEST_F(TargetSearch, DemotionGoesOnFromTheBestOmission) {
  Omissions = {Unreduced, Unsunk};
  auto S = search(spillsWithout(100, 60, 30));
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Without, Unsunk);
  EXPECT_EQ(chosen(*S)->What, Decision::Demote);
  for (const Variant &V : Built)
    EXPECT_TRUE(V.What != Decision::Demote || V.Without == Unsunk);
}

TEST_F(TargetSearch, OmissionThatLeavesMostOfTheSpillIsNotTaken) {
  Omissions = {Unreduced};
  auto S = search(spillsWithout(100, 95, 100));
  ASSERT_TRUE(S);
  EXPECT_FALSE(S->Without.any());
  for (const Variant &V : Built)
    EXPECT_FALSE(V.What == Decision::Demote && V.Without.any());
}

TEST_F(TargetSearch, NothingIsLeftOutOfAKernelThatFits) {
  Omissions = {Unreduced};
  auto S = search([](Variant &V) { V.PressureAfter = 20; });
  ASSERT_TRUE(S);
  EXPECT_EQ(TimesAsked, 0u);
  EXPECT_FALSE(S->Without.any());
}

TEST_F(TargetSearch, PassThatTakesTheRegistersOfLoadsIsLeftOut) {
  Omissions = {Unreduced};
  auto S = search([](Variant &V) {
    V.WordsInFlight = 8;
    V.PressureAfter = V.Without.any() ? 20 : Cap - 2;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(chosen(*S)->Without, Unreduced);
}

TEST_F(TargetSearch, PassStaysWhereItLeavesAsManyForLoads) {
  Omissions = {Unreduced};
  auto S = search([](Variant &V) {
    V.WordsInFlight = 8;
    V.PressureAfter = Cap - 2;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(TimesAsked, 1u);
  EXPECT_FALSE(S->Without.any());
}

TEST_F(TargetSearch, SpillOfAnOmissionIsNoPriceForLoads) {
  Omissions = {Unreduced};
  auto S = search([](Variant &V) {
    V.WordsInFlight = 8;
    V.PressureAfter = V.Without.any() ? 20 : Cap - 2;
    spill(V, V.Without.any() ? 1 : 0);
  });
  ASSERT_TRUE(S);
  EXPECT_FALSE(S->Without.any());
}

TEST_F(TargetSearch, CapOfTheKernelsOwnNeedsNoNewOne) {
  Goal.CapIsNew = false;
  Omissions = {Unsunk};
  auto S = search(spillsWithout(100, 100, 0));
  ASSERT_TRUE(S);
  EXPECT_EQ(chosen(*S)->What, Decision::Omit);
  EXPECT_EQ(count(Decision::Cap), 0u);
}

TEST_F(TargetSearch, OmissionHelpsWithoutRoomForASlot) {
  Goal.SlotBytes = 0;
  Omissions = {Unsunk};
  auto S = search(spillsWithout(100, 100, 10));
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Without, Unsunk);
}

TEST_F(TargetSearch, NothingIsSettledWhenAnOmissionCannotBeBuilt) {
  Omissions = {Unsunk};
  FailingCall = 1;
  EXPECT_FALSE(search(spillsWithout(100, 100, 10)));
}

TEST(OmissionNames, AreReadAsTheyAreWritten) {
  for (Omission O : AllOmissions) {
    EXPECT_TRUE(O.any());
    EXPECT_EQ(parseOmission(toString(O)), O);
  }
  EXPECT_EQ(toString(Omission()), "");
  EXPECT_FALSE(parseOmission("").any());
  EXPECT_FALSE(parseOmission("machine-sink,loop-reduce").any());
}

} // namespace
