//===- NextUse.h - how far ahead each value is read -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Next-use distances in instructions over the control-flow graph, after Braun
// and Hack, "Register Spilling and Live-Range Splitting for SSA-Form Programs"
// (CC 2009), section 4.1: an edge that leaves a loop counts as very long, so
// that what a loop reads is always nearer than what is read after it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_NEXTUSE_H
#define REGDEM_ANALYSIS_NEXTUSE_H

#include "regdem/Analysis/KernelGraph.h"

namespace regdem {

/// Distance in instructions.
using Distance = uint32_t;
/// Length of an edge that leaves a loop, per loop left.
constexpr Distance LoopExitLength = 100000;
/// The value is not read again before it is written.
constexpr Distance NeverUsed = ~Distance(0);

class NextUse {
public:
  explicit NextUse(const KernelGraph &Graph);

  /// Distances from the start of B to the next read of each of its LiveIn, in
  /// that order.
  llvm::ArrayRef<Distance> atEntry(BlockId B) const { return Entry[B]; }

  /// Distance from the end of B to the next read of each value that is live
  /// out of it, ascending by value.
  std::vector<std::pair<ValueId, Distance>> atExit(BlockId B) const;

private:
  const KernelGraph &Graph;
  std::vector<std::vector<Distance>> Entry; ///< Parallel to LiveIn.

  /// Recomputes B's entry distances; whether any changed.
  bool update(BlockId B);
};

} // namespace regdem

#endif // REGDEM_ANALYSIS_NEXTUSE_H
