//===- SassLoops.cpp - the loops of a kernel ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReversePostOrder.h"
#include "SassGraph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <deque>

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

/// Tarjan's algorithm (SIAM J. Computing 1, 1972) within one region.
class Components {
public:
  explicit Components(const SassKernel &K)
      : K(K), RegionOf(K.Blocks.size(), 0), Number(K.Blocks.size()),
        Low(K.Blocks.size()), OnStack(K.Blocks.size()) {}

  /// The strongly connected parts of R that have an edge.
  std::vector<std::vector<unsigned>> find(const Region &R);

private:
  const SassKernel &K;
  /// The last region that each block was in; regions are counted from 1.
  std::vector<unsigned> RegionOf;
  std::vector<unsigned> Number, Low; ///< 0: not reached yet.
  std::vector<bool> OnStack;
  unsigned Current = 0;

  bool isEdge(const Region &R, unsigned To) const {
    return RegionOf[To] == Current &&
           !(R.Loop && K.Loops[*R.Loop].Header == To);
  }
};

std::vector<std::vector<unsigned>> Components::find(const Region &R) {
  std::vector<std::vector<unsigned>> Found;
  ++Current;
  for (unsigned B : R.Blocks) {
    RegionOf[B] = Current;
    Number[B] = 0;
  }
  unsigned Count = 0;
  std::vector<unsigned> Open;
  std::vector<std::pair<unsigned, unsigned>> Path;
  auto Enter = [&](unsigned B) {
    Number[B] = Low[B] = ++Count;
    OnStack[B] = true;
    Open.push_back(B);
    Path.emplace_back(B, 0);
  };
  for (unsigned Root : R.Blocks) {
    if (Number[Root])
      continue;
    for (Enter(Root); !Path.empty();) {
      auto &[B, Done] = Path.back();
      if (Done != K.Blocks[B].Successors.size()) {
        unsigned To = K.Blocks[B].Successors[Done++];
        if (!isEdge(R, To))
          continue;
        if (!Number[To])
          Enter(To); // Makes B and Done invalid.
        else if (OnStack[To])
          Low[B] = std::min(Low[B], Number[To]);
        continue;
      }
      unsigned Node = B;
      Path.pop_back();
      if (!Path.empty())
        Low[Path.back().first] = std::min(Low[Path.back().first], Low[Node]);
      if (Low[Node] != Number[Node])
        continue;
      auto First = llvm::find(Open, Node);
      std::vector<unsigned> Part(First, Open.end());
      Open.erase(First, Open.end());
      for (unsigned Member : Part)
        OnStack[Member] = false;
      if (Part.size() > 1 ||
          (is_contained(K.Blocks[Node].Successors, Node) && isEdge(R, Node)))
        Found.push_back(std::move(Part));
    }
  }
  return Found;
}

} // namespace

void findSassLoops(SassKernel &K) {
  std::vector<unsigned> Order = placesInOrder(K);
  Components Parts(K);
  std::deque<Region> Work(1);
  for (unsigned B = 0; B != K.Blocks.size(); ++B)
    Work.front().Blocks.push_back(B);
  while (!Work.empty()) {
    Region Outer = std::move(Work.front());
    Work.pop_front();
    for (std::vector<unsigned> &Part : Parts.find(Outer)) {
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
