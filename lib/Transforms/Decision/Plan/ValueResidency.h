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

/// What happens to a value at a point.
struct Event {
  /// In the order in which they happen at one place: the code that a plan
  /// inserts, then the instruction after it.
  enum Kind : uint8_t { Evict, Reload, Read, Write };
  PlanPoint Where; ///< For Read and Write: before the instruction itself.
  Kind What;

  bool operator<(const Event &O) const {
    if (!(Where == O.Where))
      return Where < O.Where;
    return What < O.What;
  }
  bool operator==(const Event &O) const {
    return Where == O.Where && What == O.What;
  }
};

struct ValueResidency {
  std::vector<SplitEdge> Edges;
  /// Where each value comes back, and where it leaves while live: by value, in
  /// no order, some more than once.
  std::vector<std::vector<Event>> Moves;
  unsigned MaxWords = 0; ///< Most register words in use at any point.
};

/// Keeps at most Limit register words in use wherever that is possible.
/// Values for which Pinned is set never leave.
ValueResidency planResidency(const KernelGraph &Graph, const NextUse &Uses,
                             unsigned Limit, const std::vector<bool> &Pinned);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_VALUERESIDENCY_H
