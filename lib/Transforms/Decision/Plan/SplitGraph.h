//===- SplitGraph.h - blocks with a plan's split edges ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Once residency is settled, each demoted value is looked at by itself: its
// reads, writes, reloads and evictions in the order of each block, over the
// control-flow graph with the split edges in it. Store placement and slot
// intervals are computed on it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_SPLITGRAPH_H
#define REGDEM_LIB_DECISION_PLAN_SPLITGRAPH_H

#include "regdem/Decision/Plan/DemotionPlan.h"

namespace regdem {

/// The graph's blocks and one more for each split edge.
class SplitGraph {
public:
  SplitGraph(const KernelGraph &Graph, llvm::ArrayRef<SplitEdge> Edges);

  llvm::ArrayRef<BlockId> preds(BlockId B) const { return Preds[B]; }
  llvm::ArrayRef<BlockId> succs(BlockId B) const { return Succs[B]; }
  /// Estimated executions, in the unit of BlockInfo::Frequency.
  uint64_t frequency(BlockId B) const { return Frequency[B]; }
  /// Number of the first and of the last place in B; every place before an
  /// instruction, and the one after the last, has a number of its own.
  unsigned firstPlace(BlockId B) const { return FirstPlace[B]; }
  unsigned lastPlace(BlockId B) const { return FirstPlace[B + 1] - 1; }
  unsigned placeOf(PlanPoint P) const;
  unsigned numPlaces() const { return FirstPlace.back(); }

private:
  const KernelGraph &Graph;
  std::vector<std::vector<BlockId>> Preds, Succs;
  std::vector<uint64_t> Frequency;
  std::vector<unsigned> FirstPlace;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_SPLITGRAPH_H
