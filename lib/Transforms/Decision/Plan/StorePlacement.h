//===- StorePlacement.h - where a demoted value is stored -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Once residency is settled, each demoted value is looked at by itself: its
// reads, writes, reloads and evictions in the order of each block, over the
// control-flow graph with the plan's split edges in it. Given when the value
// leaves and re-enters the registers, this finds the cheapest stores that put
// it into its slot before every reload, the reloads that serve a read, and the
// places at which the slot is occupied.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H
#define REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H

#include "ValueResidency.h"
#include <algorithm>

namespace regdem {

/// Graph with one more block, without instructions, for each of Edges, in their
/// order.
KernelGraph splitEdges(const KernelGraph &Graph,
                       llvm::ArrayRef<SplitEdge> Edges);

// Places of a graph with split edges: every place before an instruction, and
// the one after a block's last, has a number of its own.
inline unsigned firstPlace(const KernelGraph &Graph, BlockId B) {
  return Graph.Blocks[B].Begin + B;
}
inline unsigned lastPlace(const KernelGraph &Graph, BlockId B) {
  return Graph.Blocks[B].End + B;
}
inline unsigned placeOf(const KernelGraph &Graph, PlanPoint P) {
  return std::max(P.Before, Graph.Blocks[P.Block].Begin) + P.Block;
}
inline unsigned numPlaces(const KernelGraph &Graph) {
  return Graph.numInsts() + static_cast<unsigned>(Graph.Blocks.size());
}

/// Places First to Last, both included.
struct PlaceRange {
  unsigned First, Last;
};

struct SlotUse {
  ValueId Value = 0;
  std::vector<PlanPoint> Stores, Reloads; ///< Ascending.
  std::vector<PlaceRange> Occupied;       ///< Ascending, possibly touching.
};

/// Adds to the events of each value that has any its reads and writes.
void addAccesses(const KernelGraph &Graph,
                 std::vector<std::vector<Event>> &ByValue);

/// Graph has the plan's split edges. Events holds the value's Evict, Reload,
/// Read and Write events, ascending and each once. Every path from the kernel's
/// entry to a reload must write the value.
SlotUse placeStores(const KernelGraph &Graph, ValueId Value,
                    llvm::ArrayRef<Event> Events);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H
