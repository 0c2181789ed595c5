//===- Residency.h - when each value is in a register -----------*- C++ -*-===//
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

#ifndef REGDEM_LIB_DECISION_PLAN_RESIDENCY_H
#define REGDEM_LIB_DECISION_PLAN_RESIDENCY_H

#include "regdem/Analysis/NextUse.h"
#include "regdem/Decision/Plan/DemotionPlan.h"

namespace regdem {

/// A value enters or leaves the registers at a point.
struct Move {
  PlanPoint Where;
  ValueId Value = 0;

  bool operator<(const Move &O) const {
    return Where < O.Where || (Where == O.Where && Value < O.Value);
  }
};

struct Residency {
  std::vector<SplitEdge> Edges;
  std::vector<Move> Reloads;   ///< Values that come back, ascending.
  std::vector<Move> Evictions; ///< Values that leave while live, ascending.
  unsigned MaxWords = 0;       ///< Most register words in use at any point.
};

/// Keeps at most Limit register words in use wherever that is possible.
/// Values for which Pinned is set never leave.
Residency planResidency(const KernelGraph &Graph, const NextUse &Uses,
                        unsigned Limit, const std::vector<bool> &Pinned);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_RESIDENCY_H
