//===- Planner.h - from a kernel to a demotion plan -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_PLAN_PLANNER_H
#define REGDEM_DECISION_PLAN_PLANNER_H

#include "regdem/Decision/Plan/DemotionPlan.h"

namespace regdem {

/// What a plan has to achieve, and with what.
struct PlanRequest {
  /// Register words that may be in use at once, the base address included.
  unsigned Target = 0;
  unsigned MaxWords = 0; ///< Shared-memory words that a thread may have.
  Strategy How = Strategy::Belady;
};

/// The plan with the fewest demoted words that keeps Graph to Request.Target.
/// Where that takes more than Request.MaxWords, the lowest pressure that does
/// not, or, if Request.How is Resident, whatever relieves most of what is over
/// the target, wherever that is: ptxas spills there, and not at the peak alone.
/// An empty plan when the kernel fits as it is or no word may be used.
DemotionPlan planDemotion(const KernelGraph &Graph, const PlanRequest &Request);

} // namespace regdem

#endif // REGDEM_DECISION_PLAN_PLANNER_H
