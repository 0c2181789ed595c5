//===- StepSearch.h - builds at occupancy steps -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries, for a kernel without a stated cap, register caps at which more blocks
// run on an SM: the cap alone, demotion, other orders of the instructions,
// builds without straight-line strength reduction and ptxas's own spilling to
// shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H
#define REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H

#include "StepVariants.h"
#include "VariantPool.h"
#include "regdem/Decision/Choice/CapSearch.h"
#include "llvm/ADT/SmallVector.h"

namespace regdem {

class StepSearch {
public:
  /// Finds the steps at which something may be gained over Pool's stock build.
  /// Pool must have its basis; it gets all that is built. ListWorthwhile: which
  /// passes may be left out; null: none.
  StepSearch(const FreeGoal &Goal, VariantPool &Pool,
             ListRewrites ListWorthwhile, MeasurePressure Measure);

  bool empty() const { return Steps.empty(); }

  /// Share of the stock build's time that the best step can gain at most, where
  /// none can gain enough.
  double mostToGain() const { return MostToGain; }
  /// What that step would have to gain.
  double leastToGain() const { return LeastToGain; }

  /// Builds variants and makes the best of each step finalists; false when a
  /// build fails or code cannot be read.
  bool run();

private:
  /// A register cap and the variants that were built with it.
  struct TriedStep {
    CapStep Step;
    /// Indices in the pool.
    llvm::SmallVector<size_t, 5> Variants;
    /// Of them, the cap alone; none: not built.
    std::optional<size_t> Bare;
    /// The best of it and of the cap in other orders; none: not built.
    std::optional<size_t> Ordered;
    /// The cap alone where it is built for its frame to be moved only.
    std::optional<size_t> ToMove;
  };

  const FreeGoal &Goal;
  VariantPool &Pool;
  ListRewrites ListWorthwhile;
  MeasurePressure Measure;
  std::vector<TriedStep> Steps;
  double MostToGain = 0, LeastToGain;

  Variant bareCap(const TriedStep &S, InstOrder Order) const;
  void addBare(TriedStep &S, std::vector<Variant> &Wanted);
  bool buildCaps();
  bool buildDemoted();
  bool dropCrowded(std::vector<Variant> &Wanted, const Variant &Base) const;
  bool isForBareCap(const TriedStep &S) const;
  bool mayNeedMore(const TriedStep &S) const;
  bool mayGainMore(const TriedStep &S) const;
  size_t best(const TriedStep &S) const;
  const Variant *bestDemotion(const TriedStep &S) const;
  llvm::SmallVector<size_t, 8> bestOfSteps() const;
  TriedStep *mostPromising();
  bool demote(TriedStep &S, PlanShape Shape, const Variant &Like);
  bool buildOrders(TriedStep &S);
  bool shareLess(TriedStep &S);
  bool tryOrders();
  bool reorder(TriedStep &S);
  bool tryOtherPlan(TriedStep &S);
  bool spillToShared(TriedStep &S);
  bool omitStraightLine(TriedStep &S);
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_STEPSEARCH_H
