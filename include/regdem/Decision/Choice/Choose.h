//===- Choose.h - the one comparison of builds ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds of one kernel are compared with a base: the stock build or, where a
// cap is stated, the cap alone. A build costs its predicted time, as a share of
// the base's, and of that time its risk besides; the base costs 1. Of the
// builds that cost less than 1, those that cost at most Constants::Tie of the
// cheapest's cost more than it are taken for equal, and the one that changes
// least wins:
//
//   least spill code, then least shared memory, then no cap before one, then
//   the fewest registers less or more than the base (without a cap: the most),
//   then the least predicted time.
//
// A build that spills more than L1 holds, where the base spills nothing, is
// passed over: all that is known of so much local memory is that it is slow.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_CHOOSE_H
#define REGDEM_DECISION_CHOICE_CHOOSE_H

#include "regdem/Constants.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// The share of V's predicted time that it is taken to need besides, since the
/// prediction may be wrong in its favour. It depends on how V differs from Base
/// (Constants.def has what was predicted and measured):
///
///   fewer blocks per SM, or ptxas's own limit lifted   none
///   as many blocks                                     Margin, less
///     LoneWeight of what a block gains that has an SM to itself (LoneCycles)
///   more blocks                                        MoreBlocksMargin, and
///     LoneWeight of what such a block loses, since the grid may be too small
///   more blocks that cost spill code, or have their
///     frames take L1 from scattered loads              SpillMargin
///   loops unrolled, calls inlined           on top:    riskOfWork()
///   another order, which spills beyond L1   at least:  SpillMargin
double riskOf(const Build &V, const Build &Base, const Constants &C = Tuned);

/// The part of it for work that may differ from the base's a little, where
/// iterations or calls are counted in another way.
double riskOfWork(const Build &V, const Constants &C = Tuned);

/// V's predicted time and its risk, as a share of Base's time.
double costOf(const Build &V, const Build &Base, const Constants &C = Tuned);

/// The share of Base's time that V has to save to cost less than Base.
double marginOf(const Build &V, const Build &Base, const Constants &C = Tuned);

/// Whether V spills more than L1 holds while Base spills nothing.
bool spillsBeyondL1(const Build &V, const Build &Base);

/// Index of the build to make, by the times that Builds are predicted to take;
/// Builds.front(), which must be there, is the base.
size_t chooseBuild(llvm::ArrayRef<Build> Builds, const Constants &C = Tuned);

/// Estimated cost of V's figures against those of other builds of the same
/// kernel under the same cap; lower is better. The unit is one word stored to
/// or reloaded from a slot: of spill code SpilledWord for each word, of slots
/// one, and half of one for each recomputation. It says what is read back, the
/// predicted time which build is made. What ptxas itself spills to shared
/// memory is not among its figures and counts nothing.
unsigned scoreOf(const Build &V);

/// Whether A and B are in all likelihood the same code.
bool haveSameFigures(const Build &A, const Build &B);

/// Order of preference by figures: by score, then least shared memory, then the
/// least change.
bool hasBetterFigures(const Build &A, const Build &B);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_CHOOSE_H
