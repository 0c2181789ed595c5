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
#include "regdem/Decision/Model/CodeSummary.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace regdem {

/// Predicts builds of one kernel on an SM of Limits.
struct Predictor {
  const SMLimits &Limits;
  unsigned Jobs = 0; ///< As in ToolLimits: threads to simulate long traces on.
  WayWork Work = {}; ///< Done by each build; no words: what its code does.
  Constants C = Tuned;

  /// Cycles that an SM takes for one block of V at L; a geometric mean over
  /// what memory may do, whose values ByMemory gets. V must have been
  /// assembled, and a block of it must fit an SM at L. 1 without a trace.
  double predict(const Build &V, const CodeSummary &Code, const Launch &L,
                 llvm::SmallVectorImpl<double> *ByMemory = nullptr) const;

private:
  /// The same while an SM holds all that it can, for each memory.
  llvm::SmallVector<double, 4> ofBlock(const Build &V, const CodeSummary &Code,
                                       const Launch &L) const;
};

/// What all predictors of this process have simulated: machine code and what is
/// resident of it. The same is not simulated again.
size_t numSimulated();

/// Whether most of Code's loads from global memory are scattered.
bool loadsAreScattered(const CodeSummary &Code);

/// Bytes of L1 that scattered loads need where Threads threads reside on an SM.
/// Each thread's load takes a line until its data is there, and while its
/// neighbour in that line is still to be loaded. Whether there is such a
/// neighbour is in the data, so that predict() knows it only of loads next to
/// others in the code; where there is, too few lines cost more than spill code.
unsigned l1ForScatteredLoads(unsigned Threads);

/// Cycles, predicted for a build that does work Done, for the work Wanted of
/// another one (no words: not known). Loops are given as many iterations in all
/// builds, though an iteration of one may be four of another. More words alone
/// are no more work: ptxas loads again what it has no register for. Nor are
/// fewer accesses less work where the arithmetic is the same: they may be wide.
/// Where both show how often their loops run, all of the difference is real.
/// Few rewrites change how much arithmetic there is. What was measured of each:
/// benchmarks/model/README.md, "Builds compared for equal work".
double forSameWork(double Cycles, const WayWork &Done, const WayWork &Wanted);

/// A build whose machine code was read.
struct ReadBuild {
  Build Of;
  CodeSummary Code;
};

/// Builds of one kernel, in their order, with the cycles predicted from their
/// code for the work that the first one does, with the loads in all of them
/// that any shows to hit L1.
std::vector<Build> predictTogether(std::vector<ReadBuild> Builds,
                                   const Launch &L, Predictor P);

} // namespace regdem

#endif // REGDEM_DECISION_MODEL_COSTMODEL_H
