//===- OmissionSearchTest.cpp - passes left out under a stated cap --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetSearchHarness.h"

using namespace regdem;

namespace {

/// Words spilled without demotion: Stock's, and with a pass left out.
Assembler spillsWithout(unsigned Stock, unsigned Reduced, unsigned Sunk) {
  return [=](Variant &V) {
    unsigned Words = V.Without == WithoutReduction ? Reduced
                     : V.Without == WithoutSinking ? Sunk
                                                   : Stock;
    spill(V, V.What == Decision::Demote ? Words / 10 : Words);
  };
}

TEST_F(TargetSearch, PassThatCostsTheSpillIsLeftOut) {
  Omissions = {WithoutReduction, WithoutSinking};
  auto S = search(spillsWithout(100, 0, 100));
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Without, WithoutReduction);
  EXPECT_EQ(chosen(*S)->What, Decision::Cap);
  EXPECT_EQ(chosen(*S)->Without, WithoutReduction);
  EXPECT_EQ(chosen(*S)->MaxRegs, Cap);
  EXPECT_EQ(count(Decision::Demote), 0u);
}

TEST_F(TargetSearch, DemotionGoesOnFromTheBestOmission) {
  Omissions = {WithoutReduction, WithoutSinking};
  auto S = search(spillsWithout(100, 60, 30));
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Without, WithoutSinking);
  EXPECT_EQ(chosen(*S)->What, Decision::Demote);
  for (const Variant &V : Built)
    EXPECT_TRUE(V.What != Decision::Demote || V.Without == WithoutSinking);
}

TEST_F(TargetSearch, CopiesAreLeftOutWhereThatCostsNoSpillCode) {
  Omissions = {WithoutStraightLine, WithoutCopies};
  for (unsigned Left : {90u, 100u, 101u}) {
    auto S = search([=](Variant &V) {
      unsigned Words = V.Without.Copies         ? Left
                       : V.Without.StraightLine ? 85
                                                : 100;
      spill(V, V.What == Decision::Demote ? Words / 10 : Words);
    });
    ASSERT_TRUE(S);
    EXPECT_EQ(S->Without, Left <= 100 ? WithoutCopies : Omission()) << Left;
  }
}

/// What shows in ptxas's figures only.
constexpr Omission Unseen[] = {WithoutStraightLine, WithoutSharing};

/// Words spilled with O left out and with it, when the kernel is demoted.
Assembler demotedWithout(Omission O, unsigned Left, unsigned Kept) {
  return [=](Variant &V) {
    bool Demotes = V.What == Decision::Demote;
    if (V.Without == O)
      spill(V, Demotes ? Left : 30);
    else
      spill(V, Demotes ? Kept : 100);
  };
}

TEST_F(TargetSearch, DemotionTakesBackWhatWasLeftOutWhereItSpills) {
  for (Omission O : Unseen) {
    Omissions = {O};
    auto S = search(demotedWithout(O, 5, 0));
    ASSERT_TRUE(S);
    EXPECT_EQ(chosen(*S)->What, Decision::Demote);
    EXPECT_FALSE(S->Without.any()) << toString(O);
  }
}

TEST_F(TargetSearch, WhatWasLeftOutStaysOutWhereDemotionDoesBetter) {
  for (Omission O : Unseen) {
    Omissions = {O};
    auto S = search(demotedWithout(O, 5, 10));
    ASSERT_TRUE(S);
    EXPECT_EQ(chosen(*S)->What, Decision::Demote);
    EXPECT_EQ(S->Without, O);
  }
}

TEST_F(TargetSearch, OfWhatMayBeLeftOutTheCheaperGoes) {
  Omissions = {WithoutStraightLine, WithoutSharing};
  auto S = search([](Variant &V) {
    spill(V, V.Without.Sharing ? 0 : V.Without.StraightLine ? 20 : 100);
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Without, WithoutSharing);
}

TEST_F(TargetSearch,
       StraightLineReductionIsTakenBackForSpeedWhereNothingSpills) {
  Omissions = {WithoutStraightLine};
  PredictNow = [](llvm::ArrayRef<Variant> List) {
    std::vector<double> Cycles;
    for (const Variant &V : List)
      Cycles.push_back(V.What != Decision::Demote ? 200
                       : V.Without.any()          ? 150
                                                  : 100);
    return std::optional(Cycles);
  };
  auto S = search([](Variant &V) {
    spill(V, V.What == Decision::Demote ? 0 : V.Without.any() ? 30 : 100);
    V.BlocksPerSM = 1;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(chosen(*S)->What, Decision::Demote);
  EXPECT_FALSE(S->Without.any());
}

TEST_F(TargetSearch, OmissionThatLeavesMostOfTheSpillIsNotTaken) {
  Omissions = {WithoutReduction};
  auto S = search(spillsWithout(100, 95, 100));
  ASSERT_TRUE(S);
  EXPECT_FALSE(S->Without.any());
  for (const Variant &V : Built)
    EXPECT_FALSE(V.What == Decision::Demote && V.Without.any());
}

TEST_F(TargetSearch, NothingIsLeftOutOfAKernelThatFits) {
  Omissions = {WithoutReduction};
  auto S = search([](Variant &V) { V.PressureAfter = 20; });
  ASSERT_TRUE(S);
  EXPECT_EQ(TimesAsked, 0u);
  EXPECT_FALSE(S->Without.any());
}

TEST_F(TargetSearch, PassThatTakesTheRegistersOfLoadsIsLeftOut) {
  Omissions = {WithoutReduction};
  auto S = search([](Variant &V) {
    V.WordsInFlight = 8;
    V.PressureAfter = V.Without.any() ? 20 : Cap - 2;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(chosen(*S)->Without, WithoutReduction);
}

TEST_F(TargetSearch, PassStaysWhereItLeavesAsManyForLoads) {
  Omissions = {WithoutReduction};
  auto S = search([](Variant &V) {
    V.WordsInFlight = 8;
    V.PressureAfter = Cap - 2;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(TimesAsked, 1u);
  EXPECT_FALSE(S->Without.any());
}

TEST_F(TargetSearch, SpillOfAnOmissionIsNoPriceForLoads) {
  Omissions = {WithoutReduction};
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
  Omissions = {WithoutSinking};
  auto S = search(spillsWithout(100, 100, 0));
  ASSERT_TRUE(S);
  EXPECT_EQ(chosen(*S)->What, Decision::Omit);
  EXPECT_EQ(count(Decision::Cap), 0u);
}

TEST_F(TargetSearch, OmissionHelpsWithoutRoomForASlot) {
  Goal.SlotBytes = 0;
  Omissions = {WithoutSinking};
  auto S = search(spillsWithout(100, 100, 10));
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Without, WithoutSinking);
}

// flash with 128 channels and dynamic shared memory: 32 bytes of spill code
// less without loop strength reduction, and 1.06 times the time on an H200.
TEST_F(TargetSearch, OmissionIsPredictedWithoutRoomForASlot) {
  Goal.SlotBytes = 0;
  Omissions = {WithoutReduction};
  PredictNow = [](llvm::ArrayRef<Variant> List) {
    std::vector<double> Cycles;
    for (const Variant &V : List)
      Cycles.push_back(V.Without.any() ? 200 : 100);
    return std::optional(Cycles);
  };
  auto S = search([Spill = spillsWithout(100, 10, 100)](Variant &V) {
    Spill(V);
    V.BlocksPerSM = 4;
  });
  ASSERT_TRUE(S);
  EXPECT_FALSE(S->Without.any());
  EXPECT_EQ(chosen(*S)->What, Decision::Cap);
}

TEST_F(TargetSearch, NothingIsSettledWhenAnOmissionCannotBeBuilt) {
  Omissions = {WithoutSinking};
  FailingCall = 1;
  EXPECT_FALSE(search(spillsWithout(100, 100, 10)));
}

TEST(OmissionNames, AreReadAsTheyAreWritten) {
  for (unsigned Bits = 0; Bits != 64; ++Bits) {
    auto Has = [Bits](unsigned N) { return (Bits >> N & 1) != 0; };
    Omission O{Has(0), Has(1), Has(2), Has(3), Has(4), Has(5)};
    EXPECT_EQ(O.any(), Bits != 0);
    EXPECT_EQ(parseOmission(toString(O)), O);
  }
  EXPECT_EQ(toString(Omission()), "");
  EXPECT_EQ(toString(WithoutStraightLine | WithoutReduction),
            "loop-reduce,slsr");
  EXPECT_EQ(toString(WithoutSharing), "address-sharing");
  EXPECT_EQ(toString(WithoutRolling), "loop-rolling");
}

TEST(OmissionNames, InWordsLoopsAreUnrolled) {
  EXPECT_EQ(describe(Omission()), "");
  EXPECT_EQ(describe(WithoutStraightLine | WithoutReduction),
            "without loop-reduce,slsr");
  EXPECT_EQ(describe(WithoutRolling), "loops unrolled");
  EXPECT_EQ(describe(WithoutRolling | WithoutCopies),
            "loops unrolled, without copies");
}

TEST(OmissionNames, OthersNameNothing) {
  for (const char *Names : {"licm", "machine-sink,loop-reduce", "slsr,slsr",
                            "slsr,", "loop-reduce,licm"})
    EXPECT_FALSE(parseOmission(Names).any()) << Names;
}

} // namespace
