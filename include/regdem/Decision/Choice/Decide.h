//===- Decide.h - the decision for one kernel -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_DECIDE_H
#define REGDEM_DECISION_CHOICE_DECIDE_H

#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Plan/DemotionPlan.h"

namespace regdem {

struct Settled;

struct KernelDecision {
  Outcome Result;
  Objective Goal;
  DemotionPlan Plan; ///< Empty unless the decision is Demote.
};

/// Decides for the kernel with these Facts whose code is Graph. FromVariants
/// is null where no assembler was asked; then the estimate stands in. Without:
/// what LLVM has left out of the code by now.
KernelDecision decide(const KernelFacts &Facts, const Options &O,
                      const KernelGraph &Graph, const Settled *FromVariants,
                      Rewrite Rewrites);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_DECIDE_H
