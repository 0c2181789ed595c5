//===- PartitionSimulator.h - warps that share a scheduler ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_MODEL_PARTITIONSIMULATOR_H
#define REGDEM_LIB_DECISION_MODEL_PARTITIONSIMULATOR_H

#include "MachineTimings.h"
#include "regdem/Decision/Model/CodeSummary.h"
#include "llvm/ADT/ArrayRef.h"

namespace regdem {

/// What is resident on one sub-partition.
struct PartitionLoad {
  unsigned Groups = 1;         ///< Thread blocks.
  unsigned WarpsPerGroup = 1;  ///< Warps of each that are on this partition.
  double LocalMisses = 0;      ///< Share of local accesses that miss L1.
  double LocalBeyondL2 = 0;    ///< Share of these that miss L2, too.
  double LocalWrittenBack = 0; ///< Share of words stored that L2 writes back.
  /// L1 keeps the lines of scattered loads until they are asked for again.
  bool KeepsScattered = true;
};

/// Cycles from one completion of a thread block to the next of the same group,
/// on average, while every group that has finished is followed by another. The
/// warps all go along Trace, which must not be empty.
double simulatePartition(llvm::ArrayRef<TraceStep> Trace,
                         const PartitionLoad &Load, const MachineTimings &T,
                         const MemoryScenario &Memory);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_MODEL_PARTITIONSIMULATOR_H
