//===- RepeatedNegations.cpp - negations where they are read --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatedNegations.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

std::vector<PlanAction> repeatedNegations(const KernelGraph &Graph,
                                          ArrayRef<PlanAction> Moves) {
  std::vector<bool> IsMoved(Graph.Values.size());
  for (const PlanAction &A : Moves)
    IsMoved[A.Value] = true;
  std::vector<PlanAction> Result;
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    const BlockInfo &Block = Graph.Blocks[B];
    for (InstId I = Block.Begin; I != Block.End; ++I)
      for (ValueId V : Graph.uses(I))
        if (Graph.Values[V].Negated && IsMoved[*Graph.Values[V].Negated] &&
            (I == Block.Begin || !is_contained(Graph.defs(I - 1), V)))
          Result.push_back({{B, I}, PlanAction::Recompute, V, 0});
  }
  return Result;
}

} // namespace regdem
