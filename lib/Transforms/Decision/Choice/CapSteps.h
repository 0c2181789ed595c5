//===- CapSteps.h - register caps worth trying ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_CAPSTEPS_H
#define REGDEM_LIB_DECISION_CHOICE_CAPSTEPS_H

#include "regdem/Decision/Choice/FreeSearch.h"

namespace regdem {

/// Registers a thread may have so that Blocks blocks fit an SM, and the shared
/// memory in bytes that slots may then take in a block.
struct CapStep {
  unsigned Blocks = 0, MaxRegs = 0;
  uint64_t SlotBytes = 0;
};

/// Words in use at once in the code that Basis is built from, before ptxas.
unsigned pressureOf(const FreeGoal &Goal, const Variant &Basis);

/// At most Tuned.MostSteps steps, nearest to Basis's occupancy first: those
/// with more blocks per SM than Basis and, where Basis spills, also those that
/// give a thread as many registers or more. Where ptxas takes registers for
/// Lifted, the same code without ptxas's own limit (null: not built), that cost
/// it blocks, what lies between the two counts, too: neither the limit nor its
/// absence need be right. None leaves Basis's code less than half of its
/// register pressure. Basis and Lifted must have been assembled.
std::vector<CapStep> capSteps(const FreeGoal &Goal, const Variant &Basis,
                              const Variant *Lifted = nullptr);

/// What limits V, as ptxas built it, at the stated launch.
Occupancy occupancyOf(const FreeGoal &Goal, const Variant &V);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_CAPSTEPS_H
