//===- PlanSearchHarness.h - plans made up for tests ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the assembler says of a plan under a cap of 40 registers is made up
// here.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_PLANSEARCHHARNESS_H
#define REGDEM_TEST_UNIT_PLANSEARCHHARNESS_H

#include "Decision/Choice/PlanSearch.h"

#include "regdem/Decision/Model/BuildScore.h"
#include "gtest/gtest.h"
#include <functional>
#include <map>
#include <set>

namespace regdem {

class PlanSearchTest : public testing::Test {
protected:
  static constexpr unsigned Cap = 40;

  std::vector<Build> List;
  /// Makes up what the assembler says of a plan. By default a plan reaches its
  /// target, and spills the words by which that is above Reached.
  std::function<void(Build &)> Assemble = [this](Build &V) {
    spill(V, V.Target > Reached ? V.Target - Reached : 0);
    V.PressureAfter = V.Target;
    V.SlotAccesses = 2 * (Cap + 20 - V.Target);
  };
  unsigned Reached = Cap - 6;

  static void spill(Build &V, unsigned Words) {
    V.SpillStoreBytes = V.SpillLoadBytes = 4 * Words;
  }

  static Build start(unsigned Pressure = Cap + 20) {
    Build V;
    V.What = Decision::Cap;
    V.MaxRegs = Cap;
    V.PressureAfter = Pressure;
    spill(V, 100);
    return V;
  }

  /// The plans that are built for Start; the search must succeed.
  std::vector<Build> all(const Build &Start) {
    auto Add = [this](llvm::ArrayRef<BuildRecipe> Wanted) {
      for (const BuildRecipe &R : Wanted)
        Assemble(List.emplace_back(R));
      return true;
    };
    EXPECT_TRUE(PlanSearch(List, Start, Add).tryAll());
    return List;
  }

  /// Of the plans without volatile accesses.
  static std::map<Strategy, std::set<unsigned>>
  targets(llvm::ArrayRef<Build> Plans) {
    std::map<Strategy, std::set<unsigned>> Result;
    for (const Build &V : Plans)
      if (!V.VolatileSlots) {
        bool IsNew = Result[V.How].insert(V.Target).second;
        EXPECT_TRUE(IsNew) << "built twice";
      }
    return Result;
  }

  static std::vector<Build> withVolatileSlots(llvm::ArrayRef<Build> Plans) {
    std::vector<Build> Result;
    for (const Build &V : Plans)
      if (V.VolatileSlots)
        Result.push_back(V);
    return Result;
  }
};

} // namespace regdem

#endif // REGDEM_TEST_UNIT_PLANSEARCHHARNESS_H
