//===- SassLoops.cpp - the loops of a kernel ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SassGraph.h"
#include "regdem/MachineCode/ReversePostOrder.h"

using namespace llvm;

namespace regdem {

std::vector<unsigned> blockOrder(const SassKernel &K, unsigned Function) {
  return reversePostOrder(
      K.Functions[Function].Entry, K.Blocks.size(),
      [&K](unsigned B) { return ArrayRef<unsigned>(K.Blocks[B].Successors); });
}

/// In block order, an edge goes back where it closes a cycle. What leads to the
/// start of such an edge, through blocks after the end of it, is the strongly
/// connected part without the headers of the loops around it.
void findSassLoops(SassKernel &K) {
  std::vector<unsigned> Headers, Places(K.Blocks.size());
  for (unsigned F = 0; F != K.Functions.size(); ++F)
    for (unsigned B : blockOrder(K, F)) {
      Places[B] = static_cast<unsigned>(Headers.size());
      Headers.push_back(B);
    }
  std::vector<std::vector<unsigned>> Predecessors(K.Blocks.size());
  for (unsigned B = 0; B != K.Blocks.size(); ++B)
    for (unsigned To : K.Blocks[B].Successors)
      Predecessors[To].push_back(B);
  for (unsigned Header : Headers) {
    std::vector<unsigned> Work;
    for (unsigned P : Predecessors[Header])
      if (Places[P] >= Places[Header])
        Work.push_back(P);
    if (Work.empty())
      continue;
    SassLoop L;
    L.Header = Header;
    L.Parent = K.Blocks[Header].Loop;
    L.Depth = K.Blocks[Header].LoopDepth + 1;
    auto Index = static_cast<unsigned>(K.Loops.size());
    K.Loops.push_back(L);
    Work.push_back(Header);
    while (!Work.empty()) {
      unsigned B = Work.back();
      Work.pop_back();
      if (K.Blocks[B].Loop == Index)
        continue;
      K.Blocks[B].Loop = Index;
      K.Blocks[B].LoopDepth = L.Depth;
      if (B == Header)
        continue;
      for (unsigned P : Predecessors[B])
        if (Places[P] > Places[Header])
          Work.push_back(P);
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
