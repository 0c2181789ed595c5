//===- LoadParallelism.cpp - registers that loads in flight want ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/LoadParallelism.h"

#include "llvm/ADT/DenseMap.h"

using namespace llvm;

namespace regdem {

/// Instructions within which a loaded value must be read up to count.
static constexpr unsigned Window = 32;

static unsigned transientWords(const KernelGraph &Graph, BlockId B) {
  const BlockInfo &Block = Graph.Blocks[B];
  DenseMap<ValueId, InstId> LastRead; // Of what is live after the walk.
  for (BlockId S : Block.Succs)
    for (ValueId V : Graph.Blocks[S].LiveIn)
      LastRead[V] = Block.End + Window;
  unsigned Words = 0;
  for (InstId I = Block.End; I-- != Block.Begin;) {
    for (ValueId V : Graph.defs(I)) {
      auto It = LastRead.find(V);
      if (It == LastRead.end())
        continue;
      if (Graph.isGlobalLoad(I) && It->second - I <= Window)
        Words += Graph.words(V);
      LastRead.erase(It);
    }
    for (ValueId V : Graph.uses(I))
      LastRead.try_emplace(V, I);
  }
  return Words;
}

unsigned wordsInFlight(const KernelGraph &Graph) {
  unsigned Result = 0;
  uint64_t Heaviest = 0;
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    unsigned Words = transientWords(Graph, B);
    uint64_t Weight = Graph.Blocks[B].Frequency * Words;
    if (Weight > Heaviest) {
      Heaviest = Weight;
      Result = Words;
    }
  }
  return Result;
}

} // namespace regdem
