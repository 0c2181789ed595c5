//===- StepVariants.h - what to build at an occupancy step ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_STEPVARIANTS_H
#define REGDEM_LIB_DECISION_CHOICE_STEPVARIANTS_H

#include "CapSteps.h"

namespace regdem {

/// A plan: its strategy and the distance of its target from the cap.
struct PlanShape {
  Strategy How;
  int Distance;
};

/// ptxas's own spilling to shared memory under a cap; 0: none.
Variant smemSpilling(unsigned MaxRegs, Rewrite Rewrites);

/// The variant that demotes at Step the code that Basis is built from; none
/// where there is no shared memory for a good part of the excess, or where all
/// values fit the target, so that ptxas spills for reasons that no plan
/// removes.
std::optional<Variant> demotionAt(const CapStep &Step, PlanShape Shape,
                                  const FreeGoal &Goal, const Variant &Basis);

/// Whether the cap of Step alone is not worth a build beside that demotion: the
/// pressure is a quarter above it or more, and slots hold all of the excess. At
/// the steps of benchmarks/ at which that is so, ptxas's figures are 2 to 17
/// times as bad for the cap alone.
bool isForDemotion(const CapStep &Step, PlanShape Shape, const FreeGoal &Goal,
                   const Variant &Basis);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_STEPVARIANTS_H
