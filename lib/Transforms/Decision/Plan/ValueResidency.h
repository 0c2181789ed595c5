//===- ValueResidency.h - when each value is in a register ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides at every point which live values are in registers so that they fit:
// Belady's MIN on next-use distances within blocks, joined at block borders,
// after Braun and Hack (CC 2009). A value keeps its register name throughout;
// "leaving" a register only means that its next read is fed by a reload.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_VALUERESIDENCY_H
#define REGDEM_LIB_DECISION_PLAN_VALUERESIDENCY_H

#include "regdem/Analysis/NextUse.h"
#include "regdem/Decision/Plan/DemotionPlan.h"

namespace regdem {

/// A value enters or leaves the registers at a point.
struct ValueMove {
  PlanPoint Where;
  ValueId Value = 0;

  bool operator<(const ValueMove &O) const {
    return Where < O.Where || (Where == O.Where && Value < O.Value);
  }
};

struct ValueResidency {
  std::vector<SplitEdge> Edges;
  /// Values that come back, and those that leave while live; ascending.
  std::vector<ValueMove> Reloads, Evictions;
  unsigned MaxWords = 0; ///< Most register words in use at any point.
};

/// Keeps at most Limit register words in use wherever that is possible.
/// Values for which Pinned is set never leave.
ValueResidency planResidency(const KernelGraph &Graph, const NextUse &Uses,
                             unsigned Limit, const std::vector<bool> &Pinned);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_VALUERESIDENCY_H
