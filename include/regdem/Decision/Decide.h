//===- Decide.h - the decision for one kernel -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_DECIDE_H
#define REGDEM_DECISION_DECIDE_H

#include "regdem/Decision/DemotionPlan.h"
#include "regdem/Decision/Objective.h"
#include "regdem/Decision/Outcome.h"

namespace regdem {

/// What trying variants with an assembler has settled for a kernel.
struct Settled {
  /// Register words to plan for; 0: no demotion.
  unsigned Target = 0;
  Strategy How = Strategy::Rotating;
  /// ptxas is asked to spill to shared memory what it spills.
  bool SmemSpilling = false;
  /// The kernel is to be as the stock compiler builds it, whatever is stated:
  /// because the assembler could not be used, or for comparison.
  bool LeaveAlone = false;
  std::vector<Variant> Variants;
};

struct KernelDecision {
  Outcome Result;
  Objective Goal;
  DemotionPlan Plan; ///< Empty unless the decision is Demote.
};

/// Decides for the kernel with these Facts whose code is Graph. FromVariants
/// is null where no assembler was asked; then the estimate stands in.
KernelDecision decide(const KernelFacts &Facts, const Options &O,
                      const KernelGraph &Graph, const Settled *FromVariants);

} // namespace regdem

#endif // REGDEM_DECISION_DECIDE_H
