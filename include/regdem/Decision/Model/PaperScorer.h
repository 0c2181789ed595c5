//===- PaperScorer.h - the RegDem paper's predictor -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The predictor of the original system, for comparison: Sakdhnagool, Sabne,
// Eigenmann, "RegDem: Increasing GPU Performance via Shared Memory Register
// Spilling", 2019 (arXiv 1907.02894), with the constants of its artifact. It
// adds the stall cycles of all instructions and scales them by a function of
// occupancy:
//
//   time = (ordinary + 32 * occ * FP64 + 4 * occ * special) * f(occ) / f(max)
//   f(x) = 0.14088 * x^-0.86281
//
// where occ is the share of an SM's warps that are resident and f(max) is that
// of the build with the highest occupancy, the same for all builds of a
// kernel. A load from global or local memory stalls for 200 cycles, one from
// shared memory for 24, all else as long as its control bits say; each loop
// around an instruction counts ten times. The constants are those of a GPU of
// 2014, with few FP64 units, and stay as they were.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_MODEL_PAPERSCORER_H
#define REGDEM_DECISION_MODEL_PAPERSCORER_H

#include "regdem/Decision/Model/CodeSummary.h"

namespace regdem {

/// Adds the stall cycles of K's instructions to Code.
void addPaperStalls(const SassKernel &K, CodeSummary &Code);

/// The paper's prediction for Code at an Occupancy above 0, the share of an
/// SM's warps that are resident; f(max) is that of full occupancy.
double paperCycles(double Occupancy, const CodeSummary &Code);

} // namespace regdem

#endif // REGDEM_DECISION_MODEL_PAPERSCORER_H
