//===- RegisterPressure.cpp - registers that live values take -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/RegisterPressure.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SparseSet.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

std::vector<unsigned> blockPressures(const KernelGraph &Graph) {
  std::vector<unsigned> Result(Graph.Blocks.size());
  SparseSet<ValueId, ValueId, identity, uint32_t> Live;
  Live.setUniverse(Graph.Values.size());
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    const BlockInfo &Block = Graph.Blocks[B];
    Live.clear();
    unsigned Words = 0, Max = 0;
    auto Insert = [&](ValueId V) {
      if (Live.insert(V).second)
        Words += Graph.words(V);
      Max = std::max(Max, Words);
    };
    for (BlockId S : Block.Succs)
      for (ValueId V : Graph.Blocks[S].LiveIn)
        Insert(V);
    for (InstId I = Block.End; I-- != Block.Begin;) {
      // A value that is written and never read still needs a register.
      for (ValueId V : Graph.defs(I))
        Insert(V);
      for (ValueId V : Graph.defs(I))
        if (Live.erase(V))
          Words -= Graph.words(V);
      for (ValueId V : Graph.uses(I))
        Insert(V);
    }
    Result[B] = Max;
  }
  return Result;
}

unsigned maxPressure(const KernelGraph &Graph) {
  std::vector<unsigned> Words = blockPressures(Graph);
  return Words.empty() ? 0 : *max_element(Words);
}

} // namespace regdem
