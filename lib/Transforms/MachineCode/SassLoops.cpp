//===- SassLoops.cpp - the loops of a kernel ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReversePostOrder.h"
#include "SassGraph.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <deque>
#include <map>

using namespace llvm;

namespace regdem {

namespace {

/// Place of each block in the reverse post-order of its function.
std::vector<unsigned> placesInOrder(const SassKernel &K) {
  std::vector<unsigned> Places(K.Blocks.size());
  for (const SassFunction &F : K.Functions)
    for (auto [Place, Block] :
         enumerate(reversePostOrder(F.Entry, K.Blocks.size(), [&K](unsigned B) {
           return ArrayRef<unsigned>(K.Blocks[B].Successors);
         })))
      Places[Block] = static_cast<unsigned>(Place);
  return Places;
}

/// A set of blocks in which cycles are looked for: all, or those of a loop
/// without the edges to its header.
struct Region {
  std::vector<unsigned> Blocks;
  std::optional<unsigned> Loop;
};

/// A block of a region, with the edges within that.
struct Node {
  unsigned Block = 0;
  std::vector<Node *> Successors;
};

} // namespace

} // namespace regdem

template <> struct llvm::GraphTraits<regdem::Node *> {
  using NodeRef = regdem::Node *;
  using ChildIteratorType = std::vector<NodeRef>::iterator;

  static NodeRef getEntryNode(NodeRef N) { return N; }
  static ChildIteratorType child_begin(NodeRef N) {
    return N->Successors.begin();
  }
  static ChildIteratorType child_end(NodeRef N) { return N->Successors.end(); }
};

namespace regdem {

/// The strongly connected parts of R that have an edge.
static std::vector<std::vector<unsigned>> cyclesIn(const SassKernel &K,
                                                   const Region &R) {
  std::map<unsigned, Node> Nodes; // By block.
  for (unsigned B : R.Blocks)
    Nodes[B].Block = B;
  Node Root; // Leads to all.
  for (auto &[B, N] : Nodes) {
    Root.Successors.push_back(&N);
    for (unsigned To : K.Blocks[B].Successors)
      if (auto Found = Nodes.find(To);
          Found != Nodes.end() && !(R.Loop && K.Loops[*R.Loop].Header == To))
        N.Successors.push_back(&Found->second);
  }
  std::vector<std::vector<unsigned>> Cycles;
  for (auto Part = scc_begin(&Root); !Part.isAtEnd(); ++Part) {
    if (!Part.hasCycle())
      continue;
    Cycles.emplace_back();
    for (const Node *N : *Part)
      Cycles.back().push_back(N->Block);
  }
  return Cycles;
}

void findSassLoops(SassKernel &K) {
  std::vector<unsigned> Order = placesInOrder(K);
  std::deque<Region> Work(1);
  for (unsigned B = 0; B != K.Blocks.size(); ++B)
    Work.front().Blocks.push_back(B);
  while (!Work.empty()) {
    Region Outer = std::move(Work.front());
    Work.pop_front();
    for (std::vector<unsigned> &Part : cyclesIn(K, Outer)) {
      auto Index = static_cast<unsigned>(K.Loops.size());
      SassLoop L;
      L.Header = *std::min_element(
          Part.begin(), Part.end(),
          [&](unsigned A, unsigned B) { return Order[A] < Order[B]; });
      L.Parent = Outer.Loop;
      L.Depth = Outer.Loop ? K.Loops[*Outer.Loop].Depth + 1 : 1;
      for (unsigned B : Part) {
        K.Blocks[B].Loop = Index;
        K.Blocks[B].LoopDepth = L.Depth;
      }
      K.Loops.push_back(L);
      llvm::sort(Part);
      Work.push_back({std::move(Part), Index});
    }
  }
}

bool isInLoop(const SassKernel &K, unsigned Block, unsigned Loop) {
  std::optional<unsigned> L = K.Blocks[Block].Loop;
  while (L && K.Loops[*L].Depth > K.Loops[Loop].Depth)
    L = K.Loops[*L].Parent;
  return L == Loop;
}

bool isBackEdge(const SassKernel &K, unsigned From, unsigned To) {
  std::optional<unsigned> L = K.Blocks[To].Loop;
  return L && K.Loops[*L].Header == To && isInLoop(K, From, *L);
}

} // namespace regdem
