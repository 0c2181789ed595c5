//===- StepSearch.h - builds at occupancy steps -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries, for a kernel without a stated cap, register caps at which another
// number of blocks runs on an SM: a few builds at each step, more at the one
// that promises most.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H
#define REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H

#include "BuildPool.h"
#include "Moves.h"
#include "regdem/Decision/Choice/CapSearch.h"
#include "llvm/ADT/SmallVector.h"

namespace regdem {

/// What searches at steps have in common.
struct StepTools {
  const FreeGoal &Goal;
  BuildPool &Pool;             ///< With its basis; it gets all that is built.
  ListRewrites ListWorthwhile; ///< Null: none.
  MeasurePressure Measure;     ///< Null: nothing is left out for its pressure.
};

/// A register cap, and the builds with it.
class StepMoves {
public:
  StepMoves(StepTools &T, const OccupancyStep &Step) : T(T), Step(Step) {}

  /// Tried at each step, in turn.
  static const Move<StepMoves> AtEachStep[2];
  /// Tried at the fastest step that spills.
  static const Move<StepMoves> AtBestStep[4];

  const OccupancyStep &step() const { return Step; }
  /// Whether the cap alone spills, and whether all builds do.
  bool spills() const;
  bool stillSpills() const;
  /// What the fastest of them, frames moved or not, is predicted to take;
  /// infinity: none was compared.
  double cycles() const;
  /// Those that are worth a prediction, in the pool.
  std::vector<size_t> toCompare() const;

  size_t size() const { return T.Pool.size(); }
  bool add(llvm::ArrayRef<BuildRecipe> Wanted) { return T.Pool.add(Wanted); }

private:
  StepTools &T;
  OccupancyStep Step;
  /// Indices in the pool, the cap alone first.
  llvm::SmallVector<size_t, 8> Builds;

  BuildRecipe cap() const;
  std::vector<BuildRecipe> demotion(PlanShape Shape) const;

  std::vector<BuildRecipe> capAlone();
  std::vector<BuildRecipe> plan();
  std::vector<BuildRecipe> otherPlan();
  std::vector<BuildRecipe> rewrites();
  std::vector<BuildRecipe> orders();
  std::vector<BuildRecipe> ownSpilling();
  void keep(size_t First, size_t End);
};

class StepSearch {
public:
  /// Finds the steps at which something may be gained over the pool's stock
  /// build.
  explicit StepSearch(StepTools T);

  bool empty() const { return Steps.empty(); }
  /// Share of the stock build's time that the best step can gain at most, where
  /// none can gain enough.
  double mostToGain() const { return MostToGain; }
  /// What that step would have to gain.
  double leastToGain() const { return LeastToGain; }

  /// Makes builds and makes the best of each step finalists; false when a
  /// build fails or code cannot be read.
  bool run();

private:
  StepTools T;
  std::vector<StepMoves> Steps;
  double MostToGain = 0, LeastToGain;

  bool tryEach(llvm::MutableArrayRef<StepMoves> Some);
  bool mayWin(const StepMoves &S, double Price = 0) const;
  void dropTooDear();
  StepMoves *fastestThatSpills();
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H
