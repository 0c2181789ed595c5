//===- CostModel.h - predict which variant is fastest -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where nobody states a register cap, the variants of a kernel differ in
// occupancy as well as in code, and a prediction of time decides among them.
// What is predicted is good for comparing variants of one kernel only: trip
// counts, the grid and the addresses are not known to the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_COSTMODEL_H
#define REGDEM_DECISION_COSTMODEL_H

#include "regdem/Decision/Outcome.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// What the model needs of the machine code of one variant: counts per thread,
/// weighted by how often the code is expected to run.
struct VariantCode {
  /// Cycles that one warp alone takes, waits included.
  double WarpCycles = 0;
  /// Cycles in which that warp issues.
  double IssueCycles = 0;
  /// 32-bit words of a thread that go to local and to shared memory.
  double LocalWords = 0, SharedWords = 0;
  /// Loads from global memory.
  double GlobalLoads = 0;
};

/// Predicted cycles that an SM takes for the work of one thread block in which
/// Threads threads run V, all resident blocks counted. Code is null where
/// there is no disassembler; the figures of the assembler then stand in. V must
/// have been assembled and must fit an SM (V.BlocksPerSM is not 0).
double predictCycles(const Variant &V, const VariantCode *Code,
                     unsigned Threads, const SMLimits &Limits);

/// The share of the stock build's time that a variant must be predicted to
/// gain before it is chosen: what the prediction is known to err by.
double decisionMargin(bool FromSass);

/// Index of the variant to build the kernel as. Variants.front() is the stock
/// build, and stays unless another is predicted to be faster by more than the
/// margin. Among those that come within the margin of the fastest, the least
/// change wins: a bare cap before demotion, fewer words of shared memory,
/// fewer registers taken away. Cycles holds the prediction of each variant, in
/// the same order. Both must have the same length, which must not be 0.
size_t chooseVariant(llvm::ArrayRef<Variant> Variants,
                     llvm::ArrayRef<double> Cycles, bool FromSass);

} // namespace regdem

#endif // REGDEM_DECISION_COSTMODEL_H
