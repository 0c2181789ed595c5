//===- ValueResidency.h - when each value is in a register ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides at every point which live values are in registers so that they fit:
// Belady's MIN on next-use distances within blocks, joined at block borders,
// after Braun and Hack (CC 2009). With two registers:
//
//   in registers          code            in registers          code
//   a b                   read a          a b                   read a
//   a b (c: b is read     write c         a c                   write c
//   last, so it leaves)   read c a        a c                   read c a
//                         read b          b                     reload b
//                                                               read b
//
// A value keeps its register name throughout; "leaving" a register only means
// that its next read is fed by a reload.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_VALUERESIDENCY_H
#define REGDEM_LIB_DECISION_PLAN_VALUERESIDENCY_H

#include "regdem/Analysis/NextUse.h"
#include "regdem/Decision/Plan/DemotionPlan.h"

namespace regdem {

struct ValueResidency {
  /// Where each value comes back: by value, in no order, some more than once.
  std::vector<std::vector<PlanPoint>> Reloads;
  unsigned MaxWords = 0; ///< Most register words in use at any point.
};

/// Keeps at most Limit register words in use wherever that is possible.
/// Values for which Pinned is set never leave.
ValueResidency planResidency(const KernelGraph &Graph, const NextUse &Uses,
                             unsigned Limit, const std::vector<bool> &Pinned);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_VALUERESIDENCY_H
