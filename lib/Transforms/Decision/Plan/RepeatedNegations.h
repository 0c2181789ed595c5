//===- RepeatedNegations.h - negations where they are read ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_REPEATEDNEGATIONS_H
#define REGDEM_LIB_DECISION_PLAN_REPEATEDNEGATIONS_H

#include "regdem/Decision/DemotionPlan.h"

namespace regdem {

/// For each read of a negation that costs nothing, but right behind it, that it
/// is computed again there: what it negates is in a register then, and may not
/// be in between.
std::vector<PlanAction> repeatedNegations(const KernelGraph &Graph);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_REPEATEDNEGATIONS_H
