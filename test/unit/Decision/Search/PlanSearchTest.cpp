//===- PlanSearchTest.cpp - which demotions are tried ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Search/PlanSearch.h"

#include "Decision/Search/SearchRules.h"
#include "regdem/Decision/VariantScore.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <functional>
#include <map>
#include <set>

using namespace regdem;

namespace {

constexpr unsigned Cap = 40;

class PlanSearchTest : public testing::Test {
protected:
  std::vector<Variant> List;
  /// Makes up what the assembler says of a plan. By default a plan reaches its
  /// target, and spills the words by which that is above Reached.
  std::function<void(Variant &)> Assemble = [this](Variant &V) {
    spill(V, V.Target > Reached ? V.Target - Reached : 0);
    V.PressureAfter = V.Target;
    V.SlotAccesses = 2 * (Cap + 20 - V.Target);
  };
  unsigned Reached = Cap - 6;

  static void spill(Variant &V, unsigned Words) {
    V.SpillStoreBytes = V.SpillLoadBytes = 4 * Words;
  }

  static Variant start(unsigned Pressure = Cap + 20) {
    Variant V;
    V.What = Decision::Cap;
    V.MaxRegs = Cap;
    V.PressureAfter = Pressure;
    spill(V, 100);
    return V;
  }

  static Variant otherStart(unsigned Pressure = Cap + 20) {
    Variant V = start(Pressure);
    V.Order = InstOrder::Deep;
    return V;
  }

  /// Runs Try with a search; it must succeed. The plans that it builds.
  std::vector<Variant> built(const std::function<bool(PlanSearch &)> &Try) {
    auto Add = [this](llvm::ArrayRef<Variant> Wanted) {
      for (Variant V : Wanted) {
        Assemble(V);
        V.Score = scoreVariant(V);
        List.push_back(V);
      }
      return true;
    };
    size_t First = List.size();
    PlanSearch Search(List, Add);
    EXPECT_TRUE(Try(Search));
    return {List.begin() + static_cast<long>(First), List.end()};
  }

  std::vector<Variant> all(const Variant &Start) {
    return built([&](PlanSearch &S) { return S.tryAll(Start); });
  }
};

std::map<Strategy, std::set<unsigned>> targets(llvm::ArrayRef<Variant> Plans) {
  std::map<Strategy, std::set<unsigned>> Result;
  for (const Variant &V : Plans)
    EXPECT_TRUE(Result[V.How].insert(V.Target).second) << "built twice";
  return Result;
}

std::vector<Variant> with(Home UpTo, llvm::ArrayRef<Variant> Plans) {
  std::vector<Variant> Result;
  for (const Variant &V : Plans)
    if (V.UpTo == UpTo)
      Result.push_back(V);
  return Result;
}

using Targets = std::map<Strategy, std::set<unsigned>>;

TEST_F(PlanSearchTest, TargetsNearTheBestOneFollow) {
  EXPECT_EQ(
      targets(all(start())),
      (Targets{{Strategy::Resident, {Cap, Cap - 4, Cap - 6, Cap - 8, Cap - 10}},
               {Strategy::Rotating, {Cap - 4, Cap - 8}}}));
}

TEST_F(PlanSearchTest, LowestTargetIsTriedWhereOthersSpill) {
  Reached = Cap - 14;
  EXPECT_TRUE(targets(all(start()))[Strategy::Resident].count(Cap - 12));
}

TEST_F(PlanSearchTest, LowerTargetsAreLeftOutWhereTheCapIsReachedWithout) {
  Reached = Cap;
  EXPECT_EQ(targets(all(start())),
            (Targets{{Strategy::Resident, {Cap + 2, Cap, Cap - 2, Cap - 4}},
                     {Strategy::Rotating, {Cap - 4}}}));
}

TEST_F(PlanSearchTest, LowerTargetsAreTriedWhereLoadsLackRegisters) {
  Reached = Cap;
  Assemble = [Default = Assemble](Variant &V) {
    Default(V);
    V.WordsInFlight = 6;
  };
  EXPECT_TRUE(targets(all(start()))[Strategy::Resident].count(Cap - 8));
}

TEST_F(PlanSearchTest, LowerTargetsAreLeftOutWhereSlotsAreShort) {
  Assemble = [](Variant &V) {
    spill(V, V.How == Strategy::Relieving ? 60 : 50);
    V.PressureAfter = Cap + 5;
  };
  Targets Tried = targets(all(start()));
  EXPECT_EQ(Tried[Strategy::Resident], (std::set<unsigned>{Cap, Cap - 4}));
  EXPECT_EQ(Tried[Strategy::Rotating], (std::set<unsigned>{Cap - 4}));
  EXPECT_EQ(Tried[Strategy::Relieving].size(), 4u);
}

TEST_F(PlanSearchTest, TargetThatTheCodeKeepsToGivesWayToTheLeastThatDemotes) {
  constexpr unsigned Pressure = Cap - 3;
  Targets Tried = targets(all(start(Pressure)));
  EXPECT_EQ(*Tried[Strategy::Resident].rbegin(), Pressure - 2);
  EXPECT_EQ(*Tried[Strategy::Rotating].rbegin(), Pressure - 2);
}

TEST_F(PlanSearchTest, BestOfTwoStrategiesAreTriedWithSlotsAlone) {
  Assemble = [Default = Assemble](Variant &V) {
    Default(V);
    V.Recomputations = V.UpTo >= Home::Recomputation ? 3 : 0;
  };
  auto Plans = all(start());
  EXPECT_EQ(targets(with(Home::ThreadSlot, Plans)),
            (Targets{{Strategy::Resident, {Cap - 4, Cap - 6, Cap - 8}},
                     {Strategy::Rotating, {Cap - 8}}}));
}

TEST_F(PlanSearchTest,
       SlotsAloneAreGivenUpWhereTheBestPlanIsMuchWorseWithThem) {
  for (unsigned Words : {4, 10}) {
    List.clear();
    Assemble = [Words, Default = Assemble](Variant &V) {
      Default(V);
      bool Recomputes = V.UpTo >= Home::Recomputation;
      V.Recomputations = Recomputes ? 2 : 0;
      V.SlotAccesses += Recomputes ? 0 : Words;
    };
    auto Plans = with(Home::ThreadSlot, all(start()));
    EXPECT_EQ(Plans.size(), Words == 4 ? 4u : 1u);
  }
}

TEST_F(PlanSearchTest, PlanThatNeedsSlotsAloneIsNotBuiltAgain) {
  Assemble = [Default = Assemble](Variant &V) {
    Default(V);
    bool Recomputes =
        V.How == Strategy::Rotating && V.UpTo >= Home::Recomputation;
    V.Recomputations = Recomputes ? 3 : 0;
  };
  auto Plans = all(start());
  Targets Tried = targets(with(Home::ThreadSlot, Plans));
  EXPECT_EQ(Tried.size(), 1u);
  EXPECT_EQ(Tried[Strategy::Rotating],
            (std::set<unsigned>{Cap - 6, Cap - 8, Cap - 10}));
}

TEST_F(PlanSearchTest, PlanThatMissesItsTargetIsTriedWithSlotsAlone) {
  // Nothing has left its register: what the other homes were to hold may.
  Assemble = [](Variant &V) {
    bool All = V.UpTo >= Home::Recomputation;
    spill(V, All ? 50 : 0);
    V.PressureAfter = V.Target + (All ? 1 : 0);
    V.Recomputations = All && V.How == Strategy::Rotating ? 1 : 0;
  };
  auto Plans = all(start());
  unsigned Best = *targets(with(AnyHome, Plans))[Strategy::Resident].rbegin();
  EXPECT_TRUE(
      targets(with(Home::ThreadSlot, Plans))[Strategy::Resident].count(Best));
}

TEST_F(PlanSearchTest, ReliefIsTriedOnceForAKernel) {
  auto Relieving = [](llvm::ArrayRef<Variant> Plans) {
    return llvm::count_if(
        Plans, [](const Variant &V) { return V.How == Strategy::Relieving; });
  };
  // Slots are short with slots alone.
  Assemble = [](Variant &V) {
    bool All = V.UpTo >= Home::Recomputation;
    spill(V, 50);
    V.PressureAfter = V.Target + (All ? 0 : 1);
    V.Recomputations = All ? 1 : 0;
  };
  auto Plans = all(start());
  EXPECT_EQ(Relieving(with(AnyHome, Plans)), 0);
  EXPECT_GE(Relieving(with(Home::ThreadSlot, Plans)), 4);
  auto Again = built([&](PlanSearch &S) { return S.tryAll(otherStart()); });
  EXPECT_EQ(Relieving(Again), 0);
}

TEST_F(PlanSearchTest, AnotherStartIsTriedWithTheBestPlansOfTheFirst) {
  all(start());
  auto Plans =
      built([&](PlanSearch &S) { return S.tryBestOf(0, otherStart()); });
  EXPECT_EQ(targets(Plans),
            (Targets{{Strategy::Resident, {Cap - 4, Cap - 6, Cap - 8}},
                     {Strategy::Rotating, {Cap - 8}}}));
  for (const Variant &V : Plans)
    EXPECT_EQ(V.Order, InstOrder::Deep);
}

TEST_F(PlanSearchTest, SlotsAreTriedVolatileWherePlansLeaveSpillCode) {
  Reached = 0;
  auto Plans = all(start());
  auto Best = std::min_element(Plans.begin(), Plans.end(), hasBetterFigures);
  Assemble = [](Variant &V) {
    spill(V, 0);
    V.PressureAfter = V.Target;
  };
  auto Again = built([](PlanSearch &S) { return S.tryWithoutSpill(0); });
  ASSERT_EQ(Again.size(), 2u);
  for (const Variant &V : Again)
    EXPECT_TRUE(V.VolatileSlots);
  EXPECT_EQ(Again[0].How, Best->How);
  EXPECT_EQ(Again[0].Target, Best->Target);
  EXPECT_EQ(Again[1].How, otherStrategy(Best->How));
}

TEST_F(PlanSearchTest, TargetsNearAVolatilePlanFollowWhereItSpillsLess) {
  auto TriedAfter = [this](unsigned Words) {
    List.clear();
    Assemble = [Words](Variant &V) {
      spill(V, V.VolatileSlots ? Words : 50);
      V.PressureAfter = V.Target;
    };
    all(start());
    auto Plans = built([](PlanSearch &S) { return S.tryWithoutSpill(0); });
    return targets(Plans)[Plans.front().How].size();
  };
  EXPECT_EQ(TriedAfter(40), 3u);
  EXPECT_EQ(TriedAfter(50), 1u);
  EXPECT_EQ(TriedAfter(0), 1u);
}

TEST_F(PlanSearchTest, LowerTargetsAreTriedWhereFewBytesAreLeft) {
  for (unsigned Words : {8, 9}) {
    List.clear();
    Assemble = [Words](Variant &V) {
      spill(V, Words);
      V.PressureAfter = V.SlotAccesses = V.Target;
    };
    auto Plans = all(start());
    auto Best = std::min_element(Plans.begin(), Plans.end(), hasBetterFigures);
    auto More = built([](PlanSearch &S) { return S.tryWithoutSpill(0); });
    auto HasLower = [&](unsigned Distance, bool VolatileSlots) {
      return llvm::any_of(More, [&](const Variant &V) {
        return V.How == Best->How && V.Target == Best->Target - Distance &&
               V.VolatileSlots == VolatileSlots;
      });
    };
    bool AreFew = Words == 8;
    EXPECT_EQ(HasLower(4, false), AreFew);
    EXPECT_EQ(HasLower(8, true), AreFew);
  }
}

TEST_F(PlanSearchTest, NothingIsAddedWhereThePlanWithTheBestFiguresSpillsNone) {
  all(start());
  EXPECT_TRUE(
      built([](PlanSearch &S) { return S.tryWithoutSpill(0); }).empty());
}

TEST_F(PlanSearchTest, NothingIsAddedWhereSlotsAreShortByMuch) {
  Assemble = [](Variant &V) {
    spill(V, 50);
    V.PressureAfter = Cap + 5;
  };
  all(start());
  EXPECT_TRUE(
      built([](PlanSearch &S) { return S.tryWithoutSpill(0); }).empty());
}

TEST_F(PlanSearchTest, SearchEndsWhereABuildFails) {
  unsigned Calls = 0, Failing = 0;
  auto Add = [&](llvm::ArrayRef<Variant> Wanted) {
    if (Calls++ == Failing)
      return false;
    for (Variant V : Wanted) {
      Assemble(V);
      V.Score = scoreVariant(V);
      List.push_back(V);
    }
    return true;
  };
  for (; Failing != 3; ++Failing) {
    List.clear();
    Calls = 0;
    PlanSearch Search(List, Add);
    EXPECT_FALSE(Search.tryAll(start()));
    EXPECT_EQ(Calls, Failing + 1);
  }
}

} // namespace
