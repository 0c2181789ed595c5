//===- Step.h - builds under one register cap -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is tried under a cap, in turn. A move names the builds that it wants of
// what is known by now; where facts and figures say that these cannot pay, it
// names none and costs nothing.
//
//   Quick      the cap alone; a resident plan for 8 words less, where it spills
//   Thorough   where it spills, or values crowd the cap: rewrites that save
//              registers; where it spills: other orders, plans for other
//              targets, ptxas's own spilling to shared memory
//
// Rewrites and orders that leave clearly less spill code are what later moves
// start from. What was tried, and what was not, was weighed on kernels of
// benchmarks/ and of benchmarks/real: benchmarks/model/README.md, "Each move
// under a cap", has the figures.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_STEP_H
#define REGDEM_LIB_DECISION_CHOICE_STEP_H

#include "BuildPool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace regdem {

class Step {
public:
  /// The cap of Goal, with the rewrites of the pool's basis. Blocks: that it
  /// makes room for.
  Step(const Question &Q, BuildPool &Pool, BuildSource &From,
       const Objective &Goal)
      : Q(Q), Pool(Pool), From(From), Goal(Goal) {}

  struct Move {
    const char *Name; ///< In traces.
    std::vector<BuildRecipe> (Step::*Wanted)();
    /// What follows from the builds from First to End; null: nothing.
    void (Step::*Then)(size_t First, size_t End) = nullptr;
  };
  static const Move Quick[3], Thorough[5];

  /// Tries Moves in turn, each at All at once; false when a build fails.
  static bool tryMoves(llvm::MutableArrayRef<Step> All,
                       llvm::ArrayRef<Move> Moves);

  /// Has builds that are there already stand for the cap alone.
  void startFrom(size_t I) { Builds.push_back(Base = I); }

  OccupancyStep step() const { return {Goal.BlocksPerSM, Goal.MaxRegs}; }
  /// A build with the cap.
  BuildRecipe capped(Rewrite Rewrites,
                     InstOrder Order = InstOrder::Source) const;
  /// Whether the cap alone spills.
  bool spills() const {
    return !Builds.empty() && Pool[Builds.front()].spillBytes();
  }
  /// What the fastest of them, frames moved or not, is predicted to take;
  /// infinity: none was compared.
  double cycles() const;
  /// Those that are worth a prediction: few of each kind, by their figures.
  std::vector<size_t> finalists() const;

private:
  const Question &Q;
  BuildPool &Pool;
  BuildSource &From;
  Objective Goal;
  /// Indices in the pool, the cap alone first.
  llvm::SmallVector<size_t, 8> Builds;
  size_t Base = 0; ///< The best without demotion, for which plans are made.

  const Build &base() const { return Pool[Base]; }
  std::vector<BuildRecipe>
  plans(llvm::ArrayRef<std::pair<Strategy, int>> Shapes) const;
  bool isKnownPlan(const BuildRecipe &R) const;
  /// Whether a build spills nothing, which is enough where no cap is stated.
  bool isServed() const {
    return !Q.Cap && llvm::any_of(Builds, [this](size_t I) {
      return !Pool[I].spillBytes();
    });
  }

  std::vector<BuildRecipe> capAlone();
  std::vector<BuildRecipe> savingRewrites();
  std::vector<BuildRecipe> firstPlan();
  std::vector<BuildRecipe> rewrites();
  std::vector<BuildRecipe> orders();
  std::vector<BuildRecipe> nearPlans();
  std::vector<BuildRecipe> farPlans();
  std::vector<BuildRecipe> ownSpilling();
  void startFromCap(size_t First, size_t End);
  void startFromBest(size_t First, size_t End);
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_STEP_H
