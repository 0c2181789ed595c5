//===- SplitGraph.cpp - blocks with a plan's split edges ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitGraph.h"

#include <algorithm>

using namespace llvm;

namespace regdem {

SplitGraph::SplitGraph(const KernelGraph &Graph, ArrayRef<SplitEdge> Edges)
    : Graph(Graph) {
  for (const BlockInfo &B : Graph.Blocks) {
    Preds.push_back(B.Preds);
    Succs.push_back(B.Succs);
    Frequency.push_back(B.Frequency);
    // One place more than instructions in each block before this one.
    FirstPlace.push_back(B.Begin + static_cast<unsigned>(FirstPlace.size()));
  }
  unsigned Next = Graph.numInsts() + static_cast<unsigned>(Graph.Blocks.size());
  for (const SplitEdge &E : Edges) {
    BlockId Split = static_cast<BlockId>(Preds.size());
    std::replace(Succs[E.Pred].begin(), Succs[E.Pred].end(), E.Succ, Split);
    std::replace(Preds[E.Succ].begin(), Preds[E.Succ].end(), E.Pred, Split);
    Preds.push_back({E.Pred});
    Succs.push_back({E.Succ});
    Frequency.push_back(Graph.Blocks[E.Pred].frequencyTo(E.Succ));
    FirstPlace.push_back(Next++);
  }
  FirstPlace.push_back(Next);
}

unsigned SplitGraph::placeOf(PlanPoint P) const {
  if (P.Block >= Graph.Blocks.size())
    return FirstPlace[P.Block];
  return FirstPlace[P.Block] + P.Before - Graph.Blocks[P.Block].Begin;
}

} // namespace regdem
