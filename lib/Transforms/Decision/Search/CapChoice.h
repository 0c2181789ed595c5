//===- CapChoice.h - choose among builds under one cap ----------*- C++ -*-===//
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

#ifndef REGDEM_LIB_DECISION_SEARCH_CAPCHOICE_H
#define REGDEM_LIB_DECISION_SEARCH_CAPCHOICE_H

#include "regdem/Decision/Objective.h"
#include "regdem/Decision/Outcome.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// Indices of the variants that are worth a prediction: that of the cap alone,
/// Base, first, then the few demotions with the best figures, each figure once,
/// of those that relieve local memory of a tenth of its words or more, then
/// what ptxas spills to shared memory by itself at no cost in blocks per SM.
/// None of these has a worse score than Base. Only Base where it does not fit
/// an SM. List must be scored and hold Base.
std::vector<size_t> finalists(llvm::ArrayRef<Variant> List, size_t Base,
                              const Objective &Goal);

/// The index among Indices of the variant with the fewest Cycles, the first of
/// equals. A demotion has to gain a margin over all that are none, and what
/// spills on without one in another order than the source's a greater margin
/// over all else. Indices must not be empty.
size_t fastestUnderCap(llvm::ArrayRef<Variant> List,
                       llvm::ArrayRef<size_t> Indices);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_SEARCH_CAPCHOICE_H
