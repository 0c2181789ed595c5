//===- PlanSearch.h - try demotions from one start --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is told apart by its strategy and its target. Which is best under a
// cap is known to ptxas alone, so that several are built. Each build costs one
// code generation and one run of ptxas, and most of what users wait for: what
// is known of plans built before saves some.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_PLANSEARCH_H
#define REGDEM_LIB_DECISION_CHOICE_PLANSEARCH_H

#include "Moves.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <utility>
#include <vector>

namespace regdem {

/// A strategy, and the distance of its target from the cap.
using PlanStep = std::pair<Strategy, int>;

class PlanSearch {
public:
  /// Builds what it gets and appends it, to the builds so far;
  /// false when a build fails.
  using AddBuilds = llvm::function_ref<bool(llvm::ArrayRef<BuildRecipe>)>;

  /// List: the builds so far, to which Add appends. Start: one without demotion
  /// under a cap, for which plans are made.
  PlanSearch(const std::vector<Build> &List, const Build &Start, AddBuilds Add)
      : List(List), Add(Add), Start(Start), First(List.size()) {}

  /// Tries several targets and strategies, and where the best of these leaves
  /// local spill, volatile accesses to its slots. False when a build fails.
  bool tryAll();

  size_t size() const { return List.size(); }
  /// Builds the plans of Wanted that are new.
  bool add(llvm::ArrayRef<BuildRecipe> Wanted);

private:
  const std::vector<Build> &List;
  AddBuilds Add;
  const Build Start;
  const size_t First; ///< Of the plans.

  static const Move<PlanSearch> Plans[];

  BuildRecipe plan(Strategy S, int Target) const;
  llvm::ArrayRef<Build> plans() const {
    return llvm::ArrayRef(List).drop_front(First);
  }
  const Build &best() const;
  std::vector<BuildRecipe> steps(std::initializer_list<PlanStep> Steps) const;
  std::vector<BuildRecipe> near();
  std::vector<BuildRecipe> far();
  std::vector<BuildRecipe> relieving();
  std::vector<BuildRecipe> volatileSlots();
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_PLANSEARCH_H
