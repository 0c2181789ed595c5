//===- CostModel.h - predict how long builds take ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of a build at a launch. Nothing else in RegDem predicts time. What
// is predicted is good for comparing builds of one kernel only: trip counts and
// addresses are not known to the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_MODEL_COSTMODEL_H
#define REGDEM_DECISION_MODEL_COSTMODEL_H

#include "regdem/Constants.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Model/VariantCode.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace regdem {

/// Predicts builds of one kernel on an SM of Limits.
struct Predictor {
  const SMLimits &Limits;
  Scorer By = Scorer::Model;
  unsigned Jobs = 0; ///< As in ToolLimits: threads to simulate long traces on.
  WayWork Work = {}; ///< Done by each build; no words: what its code does.
  Constants C = Tuned;

  /// Cycles that an SM takes for one block of V at L; a geometric mean over
  /// what memory may do. Code is null where there is no disassembler; then it
  /// is an estimate from the assembler's figures, in which the launch does not
  /// count. V must have been assembled, and a block of it must fit an SM at L.
  /// Predictions with and without Code are not comparable. ByMemory gets the
  /// cycles whose mean it is.
  double predict(const Variant &V, const VariantCode *Code, const Launch &L,
                 llvm::SmallVectorImpl<double> *ByMemory = nullptr) const;

  /// Cycles that predict() exceeds, but for little: in which the busiest unit
  /// of an SM does the work of a block. Takes no time to speak of.
  double leastCycles(const Variant &V, const VariantCode &Code,
                     const Launch &L) const;
};

/// The mean of cycles that may each be the true ones: what counts is by which
/// factor variants differ. Values must not be empty.
double geometricMean(llvm::ArrayRef<double> Values);

/// Cycles, predicted for a variant that does work Done, for the work Wanted of
/// another one (no words: not known). Loops are given as many iterations in all
/// variants, though an iteration of one may be four of another: ptxas unrolls a
/// layer normalisation four times, and not at all where clang has not reduced
/// its loops, which looked like a gain of 58 %. More words alone are no more
/// work: ptxas loads again what it has no register for. An Ising model that
/// loads 1.6 times as often under 40 registers, by as many instructions, was to
/// gain 24 % and loses 5 % on an H200.
double forSameWork(double Cycles, const WayWork &Done, const WayWork &Wanted);

/// Predictions from machine code for builds of one kernel, in their order, for
/// the work that the first one does, with the loads in all of them that any
/// shows to hit L1. Builds and Codes must have the same length.
std::vector<double> predictTogether(llvm::ArrayRef<Variant> Builds,
                                    std::vector<VariantCode> Codes,
                                    const Launch &L, Predictor P);

} // namespace regdem

#endif // REGDEM_DECISION_MODEL_COSTMODEL_H
