//===- GraphBuilder.h - kernel graphs written by hand -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a KernelGraph as KernelCode would, without machine code: blocks in
// the order of their making, instructions appended to the last one. Loops,
// frequencies and live-in values are derived, so that a test states only code
// and edges.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_GRAPHBUILDER_H
#define REGDEM_TEST_UNIT_GRAPHBUILDER_H

#include "regdem/Analysis/KernelGraph.h"
#include <map>

namespace regdem::test {

using ValueList = llvm::ArrayRef<ValueId>;

class GraphBuilder {
public:
  ValueId value(unsigned Words = 1, ValueKind Kind = ValueKind::Demotable);
  std::vector<ValueId> values(unsigned Count, unsigned Words = 1);
  /// What ptxas negates in passing; whatever reads it has to read Of, too.
  ValueId negation(ValueId Of, unsigned Words = 1);
  /// V, which must have one definition, is recomputed.
  void recompute(ValueId V) { Graph.Values[V].IsRecomputed = true; }

  /// Starts the next block; the first one is the entry.
  BlockId block();
  InstId inst(ValueList Uses, ValueList Defs = {});
  /// An instruction that branches; nothing but branches may follow it.
  InstId branch(ValueList Uses = {});
  /// Several instructions, each writing one of Defs, or reading one of Uses.
  void define(ValueList Defs);
  void read(ValueList Uses);

  /// Edges with Percent 0 share what the stated ones leave.
  void edge(BlockId From, BlockId To, unsigned Percent = 0);
  /// The edges out of B cannot be split, as after an indirect branch.
  void unsplittable(BlockId B) { Graph.Blocks[B].UnsplittableEdges = true; }

  /// The finished graph. With LikeLiveIntervals a value is live into a block
  /// only where some definition reaches, as LLVM's LiveIntervals have it.
  KernelGraph finish(bool LikeLiveIntervals = true);

private:
  KernelGraph Graph;
  std::map<std::pair<BlockId, BlockId>, unsigned> Percents;

  void closeBlock();
};

/// Fills Loops and every block's Loop with the natural loops of Graph, outer
/// ones first, as MachineLoopInfo finds them: a cycle with two entries is none.
void findNaturalLoops(KernelGraph &Graph);

/// Removes from each LiveIn the values that no definition reaches.
void dropUndefinedLiveIns(KernelGraph &Graph);

/// Blocks that every path from the entry to B passes, by B.
std::vector<std::vector<bool>> dominators(const KernelGraph &Graph);

} // namespace regdem::test

#endif // REGDEM_TEST_UNIT_GRAPHBUILDER_H
