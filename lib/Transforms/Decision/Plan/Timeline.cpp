//===- Timeline.cpp - what happens to one value, block by block -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"

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

Timeline::Timeline(std::vector<Event> List) : Events(std::move(List)) {
  for (unsigned I = 0; I != Events.size(); ++I) {
    auto [It, New] = Range.try_emplace(Events[I].Where.Block, I, I + 1);
    It->second.second = I + 1;
  }
}

ArrayRef<Event> Timeline::in(BlockId B) const {
  auto It = Range.find(B);
  if (It == Range.end())
    return {};
  return ArrayRef(Events).slice(It->second.first,
                                It->second.second - It->second.first);
}

AccessIndex::AccessIndex(const KernelGraph &Graph) {
  std::vector<unsigned> Count(Graph.Values.size() + 1);
  for (InstId I = 0; I != Graph.numInsts(); ++I) {
    for (ValueId V : Graph.uses(I))
      ++Count[V + 1];
    for (ValueId V : Graph.defs(I))
      ++Count[V + 1];
  }
  for (ValueId V = 0; V != Graph.Values.size(); ++V)
    Count[V + 1] += Count[V];
  Begin = Count;
  Accesses.resize(Begin.back());
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B)
    for (InstId I = Graph.Blocks[B].Begin; I != Graph.Blocks[B].End; ++I) {
      for (ValueId V : Graph.uses(I))
        Accesses[Count[V]++] = {{B, I}, Event::Read};
      for (ValueId V : Graph.defs(I))
        Accesses[Count[V]++] = {{B, I}, Event::Write};
    }
}

void AccessIndex::append(ValueId V, std::vector<Event> &Events) const {
  Events.insert(Events.end(), Accesses.begin() + Begin[V],
                Accesses.begin() + Begin[V + 1]);
}

} // namespace regdem
