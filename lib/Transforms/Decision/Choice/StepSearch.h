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
#include "SearchRules.h"
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

/// ptxas's own spilling to shared memory under a cap; 0: none.
BuildRecipe smemSpilling(unsigned MaxRegs, Rewrite Rewrites);

/// A register cap, and the builds with it.
class StepMoves {
public:
  StepMoves(StepTools &T, const CapStep &Step) : T(T), Step(Step) {}

  /// Tried at each step, in turn.
  static const Move<StepMoves> AtEachStep[4];
  /// Tried at the most promising step where its best build spills.
  static const Move<StepMoves> AtBestStep[5];

  const CapStep &step() const { return Step; }
  /// The build with the best figures, of those for which Counts.
  size_t best(llvm::function_ref<bool(const Build &)> Counts) const;
  size_t best() const {
    return best([](const Build &) { return true; });
  }
  /// Whether more than the cap alone may pay: it spills.
  bool mayNeedMore() const;
  /// The cap alone where its frame may move, of which ptxas's figures say
  /// nothing, unless it is the best build anyway.
  std::optional<size_t> toMove() const;

  size_t size() const { return T.Pool.size(); }
  bool add(llvm::ArrayRef<BuildRecipe> Wanted) { return T.Pool.add(Wanted); }

private:
  StepTools &T;
  CapStep Step;
  llvm::SmallVector<size_t, 8> Builds; ///< Indices in the pool.
  /// The cap alone; none: not built, as demotion is sure to beat it.
  std::optional<size_t> Bare;
  /// The same where it is built for its frame to be moved only.
  std::optional<size_t> ToMove;
  /// The best of it and of the cap in other orders; none: not built.
  std::optional<size_t> Ordered;
  /// The cap alone without straight-line strength reduction; none: no better.
  std::optional<size_t> Rewritten;

  BuildRecipe bareCap() const;
  bool spills(std::optional<size_t> I) const {
    return I && T.Pool[*I].spillBytes();
  }
  bool spillsLittle(std::optional<size_t> I) const;
  bool isForBareCap() const;
  bool isForDemotion() const;
  std::vector<BuildRecipe> demotion(PlanShape Shape, const Build &Like) const;
  std::vector<BuildRecipe> uncrowded(std::vector<BuildRecipe> Wanted) const;

  std::vector<BuildRecipe> cap();
  std::vector<BuildRecipe> plan();
  std::vector<BuildRecipe> chainedAddresses();
  std::vector<BuildRecipe> ordersOfLittle();
  std::vector<BuildRecipe> otherPlan();
  std::vector<BuildRecipe> orders();
  std::vector<BuildRecipe> planInOrder();
  std::vector<BuildRecipe> withoutStraightLine();
  std::vector<BuildRecipe> ownSpilling();
  void keep(size_t First, size_t End);
  void keepCap(size_t First, size_t End);
  void keepOrder(size_t First, size_t End);
  void keepSpilling(size_t First, size_t End);
  void keepIfWorthIt(size_t First, size_t End);
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

  double wantedGain(const CapStep &S) const;
  bool tryEach(llvm::MutableArrayRef<StepMoves> Some);
  void dropTooDear(size_t Nearest);
  bool mayGainMore(const StepMoves &S) const;
  StepMoves *mostPromising();
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H
