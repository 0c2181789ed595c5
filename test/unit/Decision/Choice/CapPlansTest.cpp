//===- CapPlansTest.cpp - which demotions are tried under a cap -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace regdem;

namespace {

class CapPlans : public CapSearch {
protected:
  /// Makes up what the assembler says of a plan. By default a plan reaches its
  /// target, and spills the words by which that is above Reached.
  Assembler AssemblePlan = [this](Build &V) {
    spill(V, V.Target > Reached ? V.Target - Reached : 0);
    V.PressureAfter = V.Target;
    V.SlotAccesses = 2 * (Cap + 20 - V.Target);
  };
  unsigned Reached = Cap - 6;

  /// The plans that are built for a kernel of Pressure words.
  std::vector<Build> all(unsigned Pressure = Cap + 20) {
    EXPECT_TRUE(search([&](Build &V) {
      if (V.What == Decision::Demote)
        return AssemblePlan(V);
      V.PressureAfter = Pressure;
      spill(V, 100);
    }));
    std::vector<Build> Plans = Built;
    llvm::erase_if(Plans,
                   [](const Build &V) { return V.What != Decision::Demote; });
    return Plans;
  }

  static std::map<Strategy, std::set<unsigned>>
  targets(llvm::ArrayRef<Build> Plans) {
    std::map<Strategy, std::set<unsigned>> Result;
    for (const Build &V : Plans) {
      bool IsNew = Result[V.How].insert(V.Target).second;
      EXPECT_TRUE(IsNew) << "built twice";
    }
    return Result;
  }
};

using Targets = std::map<Strategy, std::set<unsigned>>;

TEST_F(CapPlans, LowerTargetsFollowWhereThoseNearTheCapSpill) {
  EXPECT_EQ(targets(all()),
            (Targets{{Strategy::Resident, {Cap, Cap - 4, Cap - 8}},
                     {Strategy::Belady, {Cap - 4, Cap - 8}}}));
}

TEST_F(CapPlans, LowerTargetsOfBeladyPlansAreLeftOutWhereSlotsAreShort) {
  AssemblePlan = [](Build &V) {
    spill(V, 50);
    V.PressureAfter = Cap + 5;
  };
  EXPECT_EQ(targets(all()),
            (Targets{{Strategy::Resident, {Cap, Cap - 4, Cap - 8}},
                     {Strategy::Belady, {Cap - 4}}}));
}

TEST_F(CapPlans, TargetThatTheCodeKeepsToGivesWayToTheLeastThatDemotes) {
  constexpr unsigned Pressure = Cap - 3;
  Targets Tried = targets(all(Pressure));
  EXPECT_EQ(*Tried[Strategy::Resident].rbegin(), Pressure - 2);
  EXPECT_EQ(*Tried[Strategy::Belady].rbegin(), Pressure - 2);
}

} // namespace
