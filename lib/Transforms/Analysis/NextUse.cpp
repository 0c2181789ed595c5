//===- NextUse.cpp - how far ahead each value is read ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/NextUse.h"

#include <algorithm>

using namespace llvm;

namespace regdem {

/// Number of loops that the edge From -> To leaves.
static unsigned loopsLeft(const KernelGraph &Graph, BlockId From, BlockId To) {
  unsigned Left = 0;
  for (unsigned L = Graph.Blocks[From].Loop;
       L != NoLoop && !Graph.isInLoop(To, L); L = Graph.Loops[L].Parent)
    ++Left;
  return Left;
}

/// Sum that stays below NeverUsed, so that deep nests of loops cannot wrap.
static Distance add(Distance A, Distance B) {
  return B >= NeverUsed - 1 - A ? NeverUsed - 1 : A + B;
}

NextUse::NextUse(const KernelGraph &Graph) : Graph(Graph) {
  Entry.resize(Graph.Blocks.size());
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B)
    Entry[B].assign(Graph.Blocks[B].LiveIn.size(), NeverUsed);
  std::vector<BlockId> Order = Graph.reversePostOrder();
  // Blocks one of whose successors has changed since they were looked at.
  std::vector<bool> Stale(Graph.Blocks.size(), true);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto B = Order.rbegin(); B != Order.rend(); ++B) {
      if (!Stale[*B])
        continue;
      Stale[*B] = false;
      if (!update(*B))
        continue;
      Changed = true;
      for (BlockId P : Graph.Blocks[*B].Preds)
        Stale[P] = true;
    }
  }
}

std::vector<std::pair<ValueId, Distance>> NextUse::atExit(BlockId B) const {
  std::vector<std::pair<ValueId, Distance>> Result;
  for (BlockId S : Graph.Blocks[B].Succs) {
    Distance Length = LoopExitLength * loopsLeft(Graph, B, S);
    auto Middle = static_cast<std::ptrdiff_t>(Result.size());
    for (unsigned I = 0; I != Entry[S].size(); ++I)
      Result.emplace_back(Graph.Blocks[S].LiveIn[I],
                          Entry[S][I] == NeverUsed ? NeverUsed
                                                   : add(Entry[S][I], Length));
    std::inplace_merge(Result.begin(), Result.begin() + Middle, Result.end());
  }
  // The nearest of the successors' distances for each value.
  Result.erase(std::unique(Result.begin(), Result.end(),
                           [](const auto &A, const auto &B) {
                             return A.first == B.first;
                           }),
               Result.end());
  return Result;
}

bool NextUse::update(BlockId B) {
  const BlockInfo &Block = Graph.Blocks[B];
  Distance Length = Block.End - Block.Begin;
  // First read or write of each live-in value inside the block wins over what
  // lies after the block.
  std::vector<Distance> Now(Block.LiveIn.size(), NeverUsed);
  std::vector<bool> Outcome(Block.LiveIn.size());
  auto Settle = [&](ValueId V, Distance D) {
    auto It = std::lower_bound(Block.LiveIn.begin(), Block.LiveIn.end(), V);
    if (It == Block.LiveIn.end() || *It != V)
      return;
    size_t I = It - Block.LiveIn.begin();
    if (Outcome[I])
      return;
    Outcome[I] = true;
    Now[I] = D;
  };
  for (InstId I = Block.Begin; I != Block.End; ++I) {
    for (ValueId V : Graph.uses(I))
      Settle(V, I - Block.Begin);
    for (ValueId V : Graph.defs(I))
      Settle(V, NeverUsed);
  }
  for (auto [V, D] : atExit(B))
    if (D != NeverUsed)
      Settle(V, add(D, Length));
  bool Changed = Now != Entry[B];
  Entry[B] = std::move(Now);
  return Changed;
}

} // namespace regdem
