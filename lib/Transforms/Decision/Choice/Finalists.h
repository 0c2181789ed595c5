//===- Finalists.h - builds worth a prediction ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run of the disassembler and a simulation cost more than the assembler's
// figures, but see what these do not: how often spill code and accesses to
// slots run. So figures say what is worth a prediction, and predictions decide.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_CHOICE_FINALISTS_H
#define REGDEM_LIB_DECISION_CHOICE_FINALISTS_H

#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// The few builds of List without demotion, other than Base, whose figures are
/// no worse than its, the best first: in other orders or rewritten. None where
/// the cap alone spills nothing. Which of several that spill nothing, or nearly
/// the same, is fastest shows in no figure.
std::vector<size_t> plainRivals(llvm::ArrayRef<Build> List, size_t Base);

/// Indices of the builds that are worth a prediction: that of the cap alone,
/// Base, first, then the few demotions with the best figures, each figure once,
/// of those that relieve local memory of a tenth of its words or more, then
/// what ptxas spills to shared memory by itself at no cost in blocks per SM,
/// and plainRivals(), but for those in another order than the source's that
/// spill more than stays in L1. None of these has a worse score than Base. Only
/// Base where it does not fit an SM. BlocksPerSM: what the cap makes room for.
std::vector<size_t> finalists(llvm::ArrayRef<Build> List, size_t Base,
                              unsigned BlocksPerSM);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_CHOICE_FINALISTS_H
