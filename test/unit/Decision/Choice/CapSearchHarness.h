//===- CapSearchHarness.h - an assembler made up for tests ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The assembler is a function here that makes up its figures.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_CAPSEARCHHARNESS_H
#define REGDEM_TEST_UNIT_CAPSEARCHHARNESS_H

#include "ChosenBuild.h"
#include "regdem/Decision/Choice/CapSearch.h"
#include "gtest/gtest.h"
#include <functional>

namespace regdem {

constexpr unsigned Cap = 40;

/// Fills in what the assembler says of one build.
using Assembler = std::function<void(Build &)>;

class CapSearch : public testing::Test {
protected:
  Objective Goal;
  std::vector<Rewrite> ListWorthwhile; ///< What may be left out.
  unsigned TimesAsked = 0;             ///< For ListWorthwhile.
  std::vector<Build> Built; ///< All builds, in the order of building.
  unsigned Calls = 0;
  unsigned FailingCall = ~0u;
  size_t MostBuilds = ~size_t(0); ///< All that may be built.
  /// Predicts the builds' times; empty: no disassembler.
  std::function<std::optional<std::vector<Build>>(llvm::ArrayRef<Build>)>
      PredictNow;

  CapSearch() {
    Goal.MaxRegs = Cap;
    Goal.CapIsNew = true;
    Goal.SlotBytes = 16384;
  }

  /// Has all builds that are read predicted to take what CyclesOf says.
  void predictAs(const std::function<double(const Build &)> &CyclesOf) {
    PredictNow = [CyclesOf](llvm::ArrayRef<Build> List) {
      std::vector<Build> Predicted;
      for (const Build &V : List)
        Predicted.emplace_back(V).Cycles = CyclesOf(V);
      return std::optional(Predicted);
    };
  }

  std::optional<Outcome> search(const Assembler &Assemble) {
    auto Make = [&](llvm::ArrayRef<BuildRecipe> Wanted)
        -> std::optional<std::vector<Build>> {
      if (Calls++ == FailingCall)
        return std::nullopt;
      Wanted = Wanted.take_front(MostBuilds - Built.size());
      std::vector<Build> Result;
      for (const BuildRecipe &R : Wanted)
        Assemble(Result.emplace_back(R));
      llvm::append_range(Built, Result);
      return Result;
    };
    auto List = [&](llvm::ArrayRef<Rewrite> Single) {
      ++TimesAsked;
      std::vector<Rewrite> Found = ListWorthwhile;
      llvm::erase_if(Found, [Single](Rewrite R) {
        return llvm::none_of(Single, [R](Rewrite S) { return has(R, S); });
      });
      return Found;
    };
    return searchUnderCap(
        Goal, Make, PredictNow ? PredictBuilds(PredictNow) : nullptr, List);
  }

  unsigned count(Decision What) const {
    unsigned N = 0;
    for (const Build &V : Built)
      N += V.What == What;
    return N;
  }
};

inline void spill(Build &V, unsigned Words) {
  V.SpillStoreBytes = V.SpillLoadBytes = 4 * Words;
}

/// Without demotion 100 words are spilled. With it, those by which the target
/// is above Reached; every word below costs one word of slots.
inline Assembler spillsAbove(unsigned Reached) {
  return [Reached](Build &V) {
    if (V.What == Decision::Demote) {
      spill(V, V.Target > Reached ? V.Target - Reached : 0);
      V.SlotAccesses = 2 * (Cap + 20 - V.Target);
      V.StaticShared = 1024 * (Cap + 20 - V.Target);
    } else {
      spill(V, 100);
    }
  };
}

} // namespace regdem

#endif // REGDEM_TEST_UNIT_CAPSEARCHHARNESS_H
