//===- CapSteps.h - register caps worth trying ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CAPSTEPS_H
#define REGDEM_LIB_DECISION_CAPSTEPS_H

#include "regdem/Decision/FreeChoice.h"

namespace regdem {

/// Registers a thread may have so that Blocks blocks fit an SM, and the shared
/// memory in bytes that slots may then take in a block.
struct CapStep {
  unsigned Blocks = 0, MaxRegs = 0;
  uint64_t SlotBytes = 0;
};

/// At most MostSteps steps, nearest to Stock's occupancy first: those with
/// more blocks per SM than Stock and, where Stock spills, also those that give
/// a thread as many registers or more. None leaves the kernel less than half
/// of its register pressure. Stock must have been assembled.
constexpr unsigned MostSteps = 4;
std::vector<CapStep> capSteps(const FreeGoal &Goal, const Variant &Stock);

/// Residency of V as ptxas built it.
Occupancy occupancyOf(const FreeGoal &Goal, const Variant &V);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CAPSTEPS_H
