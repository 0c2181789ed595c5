//===- ResidentSet.h - the fewest values to keep in slots -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_RESIDENTSET_H
#define REGDEM_LIB_DECISION_PLAN_RESIDENTSET_H

#include "regdem/Analysis/KernelGraph.h"

namespace regdem {

/// A set of values whose absence from registers, wherever they are live and
/// not just read or written, brings the pressure to Limit words. Greedy: each
/// step takes the value that relieves most of what is over the limit for the
/// accesses it costs; ties go to the lower number. No more than MaxWords words
/// of those taken are idle at once, so where these do not do, what they relieve
/// most stands first. Values for which Pinned is set are never taken.
std::vector<ValueId> chooseResidents(const KernelGraph &Graph, unsigned Limit,
                                     unsigned MaxWords,
                                     const std::vector<bool> &Pinned);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_RESIDENTSET_H
