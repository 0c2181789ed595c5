//===- RepeatedNegations.h - negations where they are read ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_REPEATEDNEGATIONS_H
#define REGDEM_LIB_DECISION_PLAN_REPEATEDNEGATIONS_H

#include "regdem/Decision/Plan/DemotionPlan.h"

namespace regdem {

/// For each read of a negation that costs nothing, but right after it, that it
/// is computed again there, where Moves take what it negates to or from a
/// register: that is in one there, and may not be in between. Others stay as
/// they are, since what ptxas makes of code depends on its order.
std::vector<PlanAction> repeatedNegations(const KernelGraph &Graph,
                                          llvm::ArrayRef<PlanAction> Moves);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_REPEATEDNEGATIONS_H
