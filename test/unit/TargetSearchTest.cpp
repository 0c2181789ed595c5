//===- TargetSearchTest.cpp - choosing by the assembler's figures -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The assembler is a function here that makes up its figures.
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/TargetSearch.h"
#include "gtest/gtest.h"
#include <functional>
#include <tuple>

using namespace regdem;

namespace {

constexpr unsigned Cap = 40;

/// Fills in what the assembler says of one variant.
using Assembler = std::function<void(Variant &)>;

class TargetSearch : public testing::Test {
protected:
  Objective Goal;
  std::vector<Variant> Built; ///< All variants, in the order of building.
  unsigned Calls = 0;
  unsigned FailingCall = ~0u;

  TargetSearch() {
    Goal.MaxRegs = Cap;
    Goal.CapIsNew = true;
    Goal.SlotBytes = 16384;
  }

  std::optional<Settled> search(const Assembler &Assemble) {
    auto Build = [&](llvm::ArrayRef<Variant> Wanted)
        -> std::optional<std::vector<Variant>> {
      if (Calls++ == FailingCall)
        return std::nullopt;
      std::vector<Variant> Result(Wanted.begin(), Wanted.end());
      for (Variant &V : Result) {
        Assemble(V);
        Built.push_back(V);
      }
      return Result;
    };
    return searchTarget(Goal, Build);
  }

  unsigned count(Decision What) const {
    unsigned N = 0;
    for (const Variant &V : Built)
      N += V.What == What;
    return N;
  }
};

void spill(Variant &V, unsigned Words) {
  V.SpillStoreBytes = V.SpillLoadBytes = 4 * Words;
}

/// Without demotion 100 words are spilled. With it, those by which the target
/// is above Reached; every word below costs one word of slots.
Assembler spillsAbove(unsigned Reached) {
  return [Reached](Variant &V) {
    if (V.What == Decision::Demote) {
      spill(V, V.Target > Reached ? V.Target - Reached : 0);
      V.SlotAccesses = 2 * (Cap + 20 - V.Target);
      V.StaticShared = 1024 * (Cap + 20 - V.Target);
    } else {
      spill(V, 100);
    }
  };
}

const Variant *chosen(const Settled &S) {
  const Variant *Chosen = nullptr;
  for (const Variant &V : S.Variants)
    if (V.Chosen) {
      EXPECT_EQ(Chosen, nullptr) << "two variants are chosen";
      Chosen = &V;
    }
  EXPECT_NE(Chosen, nullptr) << "no variant is chosen";
  return Chosen;
}

TEST_F(TargetSearch, KernelThatDoesNotSpillIsNotDemoted) {
  auto S = search([](Variant &) {});
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Target, 0u);
  EXPECT_EQ(count(Decision::Demote), 0u);
  ASSERT_TRUE(chosen(*S));
  EXPECT_EQ(chosen(*S)->What, Decision::Cap);
}

TEST_F(TargetSearch, NoDemotionWithoutSharedMemory) {
  Goal.SlotBytes = 0;
  auto S = search(spillsAbove(Cap));
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Target, 0u);
  EXPECT_EQ(count(Decision::Demote), 0u);
}

TEST_F(TargetSearch, CapOfTheKernelsOwnIsNotTriedTwice) {
  Goal.CapIsNew = false;
  auto S = search(spillsAbove(Cap));
  ASSERT_TRUE(S);
  EXPECT_EQ(count(Decision::Cap), 0u);
  EXPECT_EQ(count(Decision::Stock), 1u);
  EXPECT_EQ(S->Variants.front().MaxRegs, Cap);
}

TEST_F(TargetSearch, NewCapIsComparedWithTheStockBuild) {
  auto S = search(spillsAbove(Cap));
  ASSERT_TRUE(S);
  ASSERT_GE(S->Variants.size(), 2u);
  EXPECT_EQ(S->Variants[0].What, Decision::Stock);
  EXPECT_EQ(S->Variants[0].MaxRegs, 0u);
  EXPECT_EQ(S->Variants[1].What, Decision::Cap);
  EXPECT_EQ(S->Variants[1].MaxRegs, Cap);
}

TEST_F(TargetSearch, SpillIsAvoidedWhereverThePressureHasToGo) {
  for (unsigned Reached : {Cap, Cap - 4, Cap - 8}) {
    Built.clear();
    auto S = search(spillsAbove(Reached));
    ASSERT_TRUE(S);
    ASSERT_TRUE(chosen(*S));
    EXPECT_EQ(chosen(*S)->What, Decision::Demote);
    EXPECT_EQ(chosen(*S)->SpillLoadBytes, 0u) << "reached at " << Reached;
    EXPECT_EQ(S->Target, chosen(*S)->Target);
    EXPECT_EQ(S->How, chosen(*S)->How);
  }
}

TEST_F(TargetSearch, ChosenVariantHasTheBestScoreOfAll) {
  auto S = search(spillsAbove(Cap - 5));
  ASSERT_TRUE(S);
  const Variant *Best = chosen(*S);
  ASSERT_TRUE(Best);
  for (const Variant &V : S->Variants)
    if (V.What == Decision::Demote) {
      EXPECT_LE(Best->Score, V.Score) << "target " << V.Target;
    }
}

TEST_F(TargetSearch, FewerWordsDecideBetweenEqualScores) {
  auto S = search([](Variant &V) {
    if (V.What != Decision::Demote)
      return spill(V, 100);
    V.StaticShared = 1024 * (100 - V.Target);
  });
  ASSERT_TRUE(S);
  for (const Variant &V : S->Variants)
    if (V.What == Decision::Demote && V.Score == chosen(*S)->Score) {
      EXPECT_LE(chosen(*S)->StaticShared, V.StaticShared);
    }
}

TEST_F(TargetSearch, EachStrategyIsTried) {
  for (Strategy Better : {Strategy::Rotating, Strategy::Resident}) {
    auto S = search([Better](Variant &V) {
      spill(V, V.What == Decision::Demote && V.How == Better ? 1 : 100);
    });
    ASSERT_TRUE(S);
    EXPECT_EQ(S->How, Better);
    EXPECT_NE(S->Target, 0u);
  }
}

TEST_F(TargetSearch, DemotionThatDoesNotHelpIsNotChosen) {
  auto S = search([](Variant &V) {
    spill(V, 10);
    if (V.What == Decision::Demote)
      V.SlotAccesses = 50;
  });
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Target, 0u);
  ASSERT_TRUE(chosen(*S));
  EXPECT_EQ(chosen(*S)->What, Decision::Cap);
}

TEST_F(TargetSearch, NoTargetIsBuiltTwice) {
  ASSERT_TRUE(search(spillsAbove(Cap - 6)));
  std::vector<std::tuple<Decision, Strategy, unsigned>> Seen;
  for (const Variant &V : Built)
    Seen.emplace_back(V.What, V.How, V.Target);
  std::sort(Seen.begin(), Seen.end());
  EXPECT_EQ(std::unique(Seen.begin(), Seen.end()), Seen.end());
}

TEST_F(TargetSearch, VariantsAreListedInTheOrderOfBuilding) {
  auto S = search(spillsAbove(Cap));
  ASSERT_TRUE(S);
  ASSERT_EQ(S->Variants.size(), Built.size());
  for (size_t I = 0; I != Built.size(); ++I) {
    EXPECT_EQ(S->Variants[I].What, Built[I].What);
    EXPECT_EQ(S->Variants[I].How, Built[I].How);
    EXPECT_EQ(S->Variants[I].Target, Built[I].Target);
    EXPECT_EQ(S->Variants[I].MaxRegs, Built[I].MaxRegs);
  }
}

TEST_F(TargetSearch, TargetsLeaveTheKernelSomeRegisters) {
  Goal.MaxRegs = 16;
  ASSERT_TRUE(search(spillsAbove(0)));
  for (const Variant &V : Built)
    if (V.What == Decision::Demote) {
      EXPECT_GE(V.Target, 8u);
    }
}

TEST_F(TargetSearch, NothingIsSettledWhenABuildFails) {
  ASSERT_TRUE(search(spillsAbove(Cap - 6)));
  unsigned All = Calls;
  ASSERT_GE(All, 2u);
  for (FailingCall = 0; FailingCall != All; ++FailingCall) {
    Calls = 0;
    EXPECT_FALSE(search(spillsAbove(Cap - 6))) << "call " << FailingCall;
  }
}

} // namespace
