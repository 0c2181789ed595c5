//===- Timeline.h - what happens to one value, block by block ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Once residency is settled, each demoted value is looked at by itself: its
// reads, writes, reloads and evictions in the order of each block, over the
// control-flow graph with the split edges in it. Store placement and slot
// intervals are computed on these.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_TIMELINE_H
#define REGDEM_LIB_DECISION_PLAN_TIMELINE_H

#include "ValueResidency.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace regdem {

/// The graph's blocks and one more for each split edge.
class SplitGraph {
public:
  SplitGraph(const KernelGraph &Graph, llvm::ArrayRef<SplitEdge> Edges);

  unsigned size() const { return static_cast<unsigned>(Preds.size()); }
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

struct Event {
  /// In the order in which they happen at one place: the code that a plan
  /// inserts, then the instruction after it.
  enum Kind : uint8_t { Evict, Reload, Read, Write };
  PlanPoint Where; ///< For Read and Write: before the instruction itself.
  Kind What;

  bool operator<(const Event &O) const {
    if (!(Where == O.Where))
      return Where < O.Where;
    return What < O.What;
  }
};

/// Events of one value, by block.
class Timeline {
public:
  /// Events must be ascending.
  explicit Timeline(std::vector<Event> Events);

  /// Events of block B in order; empty where nothing happens to the value.
  llvm::ArrayRef<Event> in(BlockId B) const;
  llvm::ArrayRef<Event> all() const { return Events; }

private:
  std::vector<Event> Events;
  llvm::DenseMap<BlockId, std::pair<unsigned, unsigned>> Range;
};

/// Where every value is read and written.
class AccessIndex {
public:
  explicit AccessIndex(const KernelGraph &Graph);

  /// Appends the Read and Write events of V, ascending.
  void append(ValueId V, std::vector<Event> &Events) const;

private:
  std::vector<unsigned> Begin; ///< By value, into Accesses.
  std::vector<Event> Accesses;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_TIMELINE_H
