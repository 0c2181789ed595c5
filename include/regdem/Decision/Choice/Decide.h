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

struct KernelDecision {
  Outcome Result;
  Objective Goal;
  DemotionPlan Plan; ///< Empty unless the decision is Demote.
};

/// Decides for the kernel with these Facts whose code is Graph. Settled is null
/// where builds could not be compared: the kernel is stock, but for a cap that
/// is stated.
KernelDecision decide(const KernelFacts &Facts, const Options &O,
                      const KernelGraph &Graph, const Outcome *Settled);

/// What code generation makes of Plan for Graph.
PlanFigures figuresOf(const DemotionPlan &Plan, const KernelGraph &Graph);

/// Has R, whose facts and figures are there, tell of Plan.
void notePlan(Outcome &R, const DemotionPlan &Plan);

/// What Settled, which a search has settled under Goal for a kernel of which
/// there is PTX alone, makes of the kernel with these Facts.
Outcome decideByBuilds(const KernelFacts &Facts, const Options &O,
                       const std::optional<Objective> &Goal, Outcome Settled);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_DECIDE_H
