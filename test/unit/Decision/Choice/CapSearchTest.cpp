//===- CapSearchTest.cpp - choosing by the assembler's figures ----*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

#include <set>
#include <tuple>

using namespace regdem;

namespace {

TEST_F(CapSearch, KernelThatDoesNotSpillIsNotDemoted) {
  Outcome S = settled([](Build &) {});
  EXPECT_EQ(S.Target, 0u);
  EXPECT_EQ(count(Decision::Demote), 0u);
  EXPECT_EQ(S.chosen()->What, Decision::Cap);
}

TEST_F(CapSearch, NoDemotionWithoutSharedMemory) {
  Goal.SlotBytes = 0;
  EXPECT_EQ(settled(spillsAbove(Cap)).Target, 0u);
  EXPECT_EQ(count(Decision::Demote), 0u);
}

TEST_F(CapSearch, CapOfTheKernelsOwnIsNotTriedTwice) {
  Goal.CapIsNew = false;
  Outcome S = settled(spillsAbove(Cap));
  EXPECT_EQ(count(Decision::Cap), 0u);
  EXPECT_EQ(count(Decision::Stock), 1u);
  EXPECT_EQ(S.Builds.front().MaxRegs, Cap);
}

TEST_F(CapSearch, NewCapIsComparedWithTheStockBuild) {
  Outcome S = settled(spillsAbove(Cap));
  ASSERT_GE(S.Builds.size(), 2u);
  EXPECT_EQ(S.Builds[0].What, Decision::Stock);
  EXPECT_EQ(S.Builds[0].MaxRegs, 0u);
  EXPECT_EQ(S.Builds[1].What, Decision::Cap);
  EXPECT_EQ(S.Builds[1].MaxRegs, Cap);
}

TEST_F(CapSearch, StockStandsForACapThatItKeepsWherePtxasWouldTakeBlocks) {
  Facts.IsCooperative = true;
  auto WithRegs = [](unsigned OfStock) {
    return [OfStock](Build &V) {
      V.Regs = V.What == Decision::Stock ? OfStock : Cap;
    };
  };
  Outcome S = settled(WithRegs(32));
  EXPECT_EQ(S.chosen()->What, Decision::Stock);
  S = settled(WithRegs(Cap + 8));
  EXPECT_EQ(S.chosen()->What, Decision::Cap);
}

TEST_F(CapSearch, SpillIsAvoidedWhereverThePressureHasToGo) {
  for (unsigned Reached : {Cap, Cap - 4, Cap - 8}) {
    Outcome S = settled(spillsAbove(Reached));
    EXPECT_EQ(S.chosen()->What, Decision::Demote);
    EXPECT_EQ(S.chosen()->SpillLoadBytes, 0u) << "reached at " << Reached;
    EXPECT_EQ(S.Target, S.chosen()->Target);
    EXPECT_EQ(S.How, S.chosen()->How);
  }
}

TEST_F(CapSearch, ChosenVariantHasTheBestScoreOfAll) {
  Outcome S = settled(spillsAbove(Cap - 5));
  const Build *Best = S.chosen();
  ASSERT_TRUE(Best);
  for (const Build &V : S.Builds)
    if (V.What == Decision::Demote) {
      EXPECT_LE(scoreOf(*Best), scoreOf(V)) << "target " << V.Target;
    }
}

TEST_F(CapSearch, FewerWordsDecideBetweenEqualScores) {
  Outcome S = settled([](Build &V) {
    if (V.What != Decision::Demote)
      return spill(V, 100);
    V.StaticShared = 1024 * (100 - V.Target);
  });
  for (const Build &V : S.Builds)
    if (V.What == Decision::Demote && scoreOf(V) == scoreOf(*S.chosen())) {
      EXPECT_LE(S.chosen()->StaticShared, V.StaticShared);
    }
}

TEST_F(CapSearch, EachStrategyIsTried) {
  for (Strategy Better : {Strategy::Belady, Strategy::Resident}) {
    Outcome S = settled([Better](Build &V) {
      spill(V, V.What == Decision::Demote && V.How == Better ? 1 : 100);
    });
    EXPECT_EQ(S.How, Better);
    EXPECT_NE(S.Target, 0u);
  }
}

TEST_F(CapSearch, NoPlanIsBuiltTwiceWhereSlotsAreShort) {
  ASSERT_TRUE(search([](Build &V) {
    spill(V, V.What == Decision::Demote ? 50 : 100);
    V.PressureAfter = std::max(V.Target, Cap + 2);
  }));
  for (const Build &V : Built)
    EXPECT_TRUE(V.What != Decision::Demote || V.Target <= Cap) << V.Target;
  std::set<unsigned> Asked;
  for (const Build &V : Built)
    if (V.What == Decision::Demote && V.How == Strategy::Belady)
      Asked.insert(V.Target);
  EXPECT_EQ(Asked.size(), 1u) << "more than the first target";
}

TEST_F(CapSearch, TargetThatTheCodeKeepsToGivesWayToTheLeastThatDemotes) {
  constexpr unsigned Pressure = Cap - 3;
  ASSERT_TRUE(search([](Build &V) {
    V.PressureAfter = V.What == Decision::Demote ? V.Target : Pressure;
    spill(V, 100);
  }));
  for (Strategy How : {Strategy::Belady, Strategy::Resident}) {
    unsigned Most = 0;
    for (const Build &V : Built)
      if (V.What == Decision::Demote && V.How == How)
        Most = std::max(Most, V.Target);
    EXPECT_EQ(Most, Pressure - 2);
  }
}

TEST_F(CapSearch, DemotionThatDoesNotHelpIsNotChosen) {
  Outcome S = settled([](Build &V) {
    spill(V, 10);
    if (V.What == Decision::Demote)
      V.SlotAccesses = 50;
  });
  EXPECT_EQ(S.Target, 0u);
  EXPECT_EQ(S.chosen()->What, Decision::Cap);
}

TEST_F(CapSearch, DemotionThatLeavesMostOfTheSpillIsNotChosen) {
  for (unsigned Left : {700, 900}) {
    Outcome S = settled([Left](Build &V) {
      spill(V, V.What == Decision::Demote ? Left : 1000);
    });
    EXPECT_EQ(S.chosen()->What, Left == 700 ? Decision::Demote : Decision::Cap);
  }
}

TEST_F(CapSearch, NoTargetIsBuiltTwice) {
  // Where the best one spills, the other strategy is tried near its target.
  auto Spills = [](Build &V) {
    bool IsBelady = V.How == Strategy::Belady;
    spill(V, V.What != Decision::Demote ? 100 : IsBelady ? 40 : 50);
  };
  for (const Assembler &Assemble : {spillsAbove(Cap - 6), Assembler(Spills)}) {
    ASSERT_TRUE(search(Assemble));
    std::vector<std::tuple<Decision, Strategy, unsigned, InstOrder>> Seen;
    for (const Build &V : Built)
      Seen.emplace_back(V.What, V.How, V.Target, V.Order);
    std::sort(Seen.begin(), Seen.end());
    EXPECT_EQ(std::unique(Seen.begin(), Seen.end()), Seen.end());
  }
}

TEST_F(CapSearch, VariantsAreListedInTheOrderOfBuilding) {
  Outcome S = settled(spillsAbove(Cap));
  ASSERT_EQ(S.Builds.size(), Built.size());
  for (size_t I = 0; I != Built.size(); ++I) {
    EXPECT_EQ(S.Builds[I].What, Built[I].What);
    EXPECT_EQ(S.Builds[I].How, Built[I].How);
    EXPECT_EQ(S.Builds[I].Target, Built[I].Target);
    EXPECT_EQ(S.Builds[I].MaxRegs, Built[I].MaxRegs);
  }
}

TEST_F(CapSearch, TargetsLeaveTheKernelSomeRegisters) {
  Goal.MaxRegs = 16;
  ASSERT_TRUE(search(spillsAbove(0)));
  for (const Build &V : Built)
    if (V.What == Decision::Demote) {
      EXPECT_GE(V.Target, 8u);
    }
}

TEST_F(CapSearch, CapAloneIsSettledAtMostWhereAToolFails) {
  Worthwhile = {Rewrite::SkipMachineSink};
  ASSERT_TRUE(search(spillsAbove(Cap - 6)));
  for (auto IsTried :
       {+[](const Build &V) { return any(V.Rewrites); },
        +[](const Build &V) { return V.Order != InstOrder::Source; }})
    EXPECT_TRUE(llvm::any_of(Built, IsTried));
  unsigned All = Calls, Settled = 0;
  ASSERT_GE(All, 4u);
  for (FailingCall = 0; FailingCall != All; ++FailingCall)
    if (auto S = search(spillsAbove(Cap - 6))) {
      ++Settled; // Code could not be read.
      EXPECT_EQ(S->What, Decision::Cap);
      EXPECT_FALSE(any(S->Rewrites));
    }
  EXPECT_EQ(Settled, 1u);
}

/// As spillsAbove(Reached); what spills is refused.
static Assembler refusesToSpill(unsigned Reached, Decision ButFor) {
  return [=](Build &V) {
    spillsAbove(Reached)(V);
    if (V.What == Decision::Stock && ButFor == Decision::Stock)
      spill(V, 0);
    else if (V.spillBytes() && V.What != ButFor)
      V.Refusal = "registers are spilled";
  };
}

TEST_F(CapSearch, WhatIsRefusedIsNotChosen) {
  for (unsigned Reached : {Cap, Cap - 4, Cap - 8}) {
    Outcome S = settled(refusesToSpill(Reached, Decision::Stock));
    EXPECT_EQ(S.What, Decision::Demote) << Reached;
    EXPECT_FALSE(S.chosen()->isRefused()) << Reached;
    EXPECT_LE(S.Target, Reached);
    EXPECT_TRUE(S.Builds[1].isRefused()) << "the cap alone";
  }
}

TEST_F(CapSearch, CapAloneIsKeptWhereTheRestIsRefused) {
  Outcome S = settled([](Build &V) {
    spillsAbove(Cap - 6)(V);
    if (V.What == Decision::Demote)
      V.Refusal = "no slots";
  });
  EXPECT_EQ(S.What, Decision::Cap);
}

TEST_F(CapSearch, NothingIsSettledWhereStockIsRefused) {
  auto S = search([](Build &V) {
    if (V.What == Decision::Stock)
      V.Refusal = "no";
  });
  EXPECT_FALSE(S);
  EXPECT_EQ(Calls, 1u);
}

TEST_F(CapSearch, NothingIsSettledWhereAllUnderTheCapIsRefused) {
  EXPECT_FALSE(search([](Build &V) {
    spillsAbove(Cap)(V);
    if (V.What != Decision::Stock)
      V.Refusal = "no";
  }));
}

} // namespace
