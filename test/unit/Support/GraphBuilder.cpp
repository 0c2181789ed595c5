//===- GraphBuilder.cpp - kernel graphs written by hand ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem::test {

ValueId GraphBuilder::value(unsigned Words, ValueKind Kind) {
  ValueId V = static_cast<ValueId>(Graph.Values.size());
  Graph.Values.push_back({V, Words, Kind});
  return V;
}

std::vector<ValueId> GraphBuilder::values(unsigned Count, unsigned Words) {
  std::vector<ValueId> Result;
  for (unsigned I = 0; I != Count; ++I)
    Result.push_back(value(Words));
  return Result;
}

ValueId GraphBuilder::negation(ValueId Of, unsigned Words) {
  ValueId V = value(Words, ValueKind::Free);
  Graph.Values[V].Negated = Of;
  return V;
}

void GraphBuilder::closeBlock() {
  if (Graph.Blocks.empty())
    return;
  BlockInfo &B = Graph.Blocks.back();
  B.End = Graph.numInsts();
  if (B.FirstTerminator == ~0u)
    B.FirstTerminator = B.End;
}

BlockId GraphBuilder::block() {
  closeBlock();
  BlockId B = static_cast<BlockId>(Graph.Blocks.size());
  Graph.Blocks.emplace_back();
  Graph.Blocks[B].Begin = Graph.numInsts();
  Graph.Blocks[B].FirstTerminator = ~0u;
  Graph.Blocks[B].Number = B;
  return B;
}

InstId GraphBuilder::inst(ValueList Uses, ValueList Defs) {
  Graph.addInst(Uses, Defs);
  return Graph.numInsts() - 1;
}

InstId GraphBuilder::branch(ValueList Uses) {
  BlockInfo &B = Graph.Blocks.back();
  B.FirstTerminator = std::min(B.FirstTerminator, Graph.numInsts());
  return inst(Uses);
}

void GraphBuilder::define(ValueList Defs) {
  for (ValueId V : Defs)
    inst({}, V);
}

void GraphBuilder::read(ValueList Uses) {
  for (ValueId V : Uses)
    inst(V);
}

void GraphBuilder::edge(BlockId From, BlockId To, unsigned Percent) {
  Graph.Blocks[From].Succs.push_back(To);
  Percents[{From, To}] = Percent;
}

/// Executions by propagation around the graph, a hundred times around loops.
static void estimateFrequencies(KernelGraph &Graph) {
  constexpr uint64_t Entry = 1 << 14;
  Graph.EntryFrequency = Entry;
  std::vector<BlockId> Order = Graph.reversePostOrder();
  for (unsigned Round = 0; Round != 100; ++Round)
    for (BlockId B : Order) {
      uint64_t Sum = B == 0 ? Entry << 31 : 0;
      for (BlockId P : Graph.Blocks[B].Preds) {
        const BlockInfo &Pred = Graph.Blocks[P];
        auto At = find(Pred.Succs, B) - Pred.Succs.begin();
        Sum += Pred.Frequency * Pred.SuccProbability[At];
      }
      // An endless loop would grow without end.
      Graph.Blocks[B].Frequency = std::min<uint64_t>(Sum >> 31, Entry * 128);
    }
}

KernelGraph GraphBuilder::finish(bool LikeLiveIntervals) {
  closeBlock();
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    BlockInfo &Block = Graph.Blocks[B];
    unsigned Stated = 0, Open = 0;
    for (BlockId S : Block.Succs) {
      Graph.Blocks[S].Preds.push_back(B);
      Stated += Percents[{B, S}];
      Open += Percents[{B, S}] == 0;
    }
    for (BlockId S : Block.Succs) {
      uint64_t Percent = Percents[{B, S}];
      Block.SuccProbability.push_back(static_cast<uint32_t>(
          Percent ? (Percent << 31) / 100
                  : (uint64_t(100 - Stated) << 31) / 100 / Open));
    }
  }
  findNaturalLoops(Graph);
  estimateFrequencies(Graph);
  Graph.solveLiveness();
  if (LikeLiveIntervals)
    dropUndefinedLiveIns(Graph);
  return std::move(Graph);
}

std::vector<std::vector<bool>> dominators(const KernelGraph &Graph) {
  size_t Size = Graph.Blocks.size();
  std::vector<std::vector<bool>> Dom(Size, std::vector<bool>(Size, true));
  Dom[0].assign(Size, false);
  Dom[0][0] = true;
  std::vector<BlockId> Order = Graph.reversePostOrder();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BlockId B : drop_begin(Order)) {
      std::vector<bool> Now(Size, true);
      for (BlockId P : Graph.Blocks[B].Preds)
        for (size_t I = 0; I != Size; ++I)
          Now[I] = Now[I] && Dom[P][I];
      Now[B] = true;
      Changed |= Now != Dom[B];
      Dom[B] = std::move(Now);
    }
  }
  return Dom;
}

void findNaturalLoops(KernelGraph &Graph) {
  std::vector<std::vector<bool>> Dom = dominators(Graph);
  // By header, the blocks that reach a back edge without passing the header.
  std::map<BlockId, std::vector<bool>> Bodies;
  for (BlockId Latch : Graph.reversePostOrder())
    for (BlockId Header : Graph.Blocks[Latch].Succs) {
      if (!Dom[Latch][Header])
        continue;
      auto &Body =
          Bodies.try_emplace(Header, Graph.Blocks.size()).first->second;
      Body[Header] = true;
      std::vector<BlockId> Work = {Latch};
      while (!Work.empty()) {
        BlockId B = Work.back();
        Work.pop_back();
        if (Body[B])
          continue;
        Body[B] = true;
        append_range(Work, Graph.Blocks[B].Preds);
      }
    }
  // Larger loops first, so that an outer one comes before what it contains.
  std::vector<BlockId> Headers;
  for (auto &[Header, Body] : Bodies)
    Headers.push_back(Header);
  auto Size = [&](BlockId Header) { return count(Bodies[Header], true); };
  llvm::sort(Headers, [&](BlockId A, BlockId B) {
    return Size(A) != Size(B) ? Size(A) > Size(B) : A < B;
  });
  for (BlockId Header : Headers) {
    GraphLoop Loop{Header, Graph.Blocks[Header].Loop};
    for (BlockId B = 0; B != Graph.Blocks.size(); ++B)
      if (Bodies[Header][B])
        Graph.Blocks[B].Loop = static_cast<unsigned>(Graph.Loops.size());
    Graph.Loops.push_back(Loop);
  }
}

void dropUndefinedLiveIns(KernelGraph &Graph) {
  std::vector<std::vector<bool>> Reached(
      Graph.Blocks.size(), std::vector<bool>(Graph.Values.size()));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
      std::vector<bool> Out = Reached[B];
      for (InstId I = Graph.Blocks[B].Begin; I != Graph.Blocks[B].End; ++I)
        for (ValueId V : Graph.defs(I))
          Out[V] = true;
      for (BlockId S : Graph.Blocks[B].Succs)
        for (ValueId V = 0; V != Out.size(); ++V)
          if (Out[V] && !Reached[S][V])
            Reached[S][V] = Changed = true;
    }
  }
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B)
    erase_if(Graph.Blocks[B].LiveIn, [&](ValueId V) { return !Reached[B][V]; });
}

} // namespace regdem::test
