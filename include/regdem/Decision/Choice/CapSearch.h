//===- CapSearch.h - the best build under a stated cap ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas reorders code and allocates in its own way, so that the pressure at
// which it stops spilling is known to it alone. This search builds plans for a
// few targets and keeps what ptxas's own figures say is best. How a candidate
// is built and assembled is the caller's business.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_CAPSEARCH_H
#define REGDEM_DECISION_CHOICE_CAPSEARCH_H

#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace regdem {

/// A build for each recipe of Wanted, with what ptxas says of it, which may be
/// that it refuses it; none when a tool fails. The first ones only where that
/// is all that the budget allows: a search then chooses among what it has.
using MakeBuilds = llvm::function_ref<std::optional<std::vector<Build>>(
    llvm::ArrayRef<BuildRecipe> Wanted)>;

/// Builds with their predicted cycles, in their order, for comparison with each
/// other (predictTogether); after them, what those are with their frames moved
/// of which that is expected to pay. None when the code of one cannot be read.
/// Null where there is no disassembler.
using PredictBuilds = llvm::function_ref<std::optional<std::vector<Build>>(
    llvm::ArrayRef<Build>)>;

/// Of Single, which leave one pass out each, and where two help, of both
/// together: what lowers a kernel's pressure without a change of its results,
/// the least pressure first. Null: nothing.
using ListRewrites =
    llvm::function_ref<std::vector<Rewrite>(llvm::ArrayRef<Rewrite> Single)>;

/// Tries the kernel as it is under Goal and, if it spills or its pressure is
/// above the cap, without passes; then, if that spills, with demotion for
/// several targets and strategies; where Goal allows it, also with ptxas's own
/// spilling to shared memory, without demotion. What ptxas refuses shows by its
/// figures what to try, and is not chosen. Of those with the best figures the
/// one that Predict says is fastest is chosen; without predictions, the figures
/// decide. The result's builds are in the order in which they were built, the
/// chosen one marked. None when a tool failed, or ptxas refuses the stock build
/// or all that keep to the cap.
std::optional<Outcome> searchUnderCap(const Objective &Goal, MakeBuilds Make,
                                      PredictBuilds Predict,
                                      ListRewrites ListWorthwhile = nullptr);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_CAPSEARCH_H
