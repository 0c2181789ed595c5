//===- KernelGraph.cpp - a kernel as values, uses and blocks --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelGraph.h"

#include "regdem/MachineCode/ReversePostOrder.h"
#include <algorithm>
#include <iterator>

using namespace llvm;

namespace regdem {

StringRef toString(ValueKind Kind) {
  // In the order of ValueKind.
  static constexpr StringLiteral Names[] = {"demotable",
                                            "predicate",
                                            "free",
                                            "used by a branch",
                                            "product that ptxas may fuse",
                                            "register class without load"};
  static_assert(std::size(Names) ==
                static_cast<unsigned>(ValueKind::NoLoad) + 1);
  return Names[static_cast<unsigned>(Kind)];
}

uint32_t BlockInfo::probabilityOf(BlockId Succ) const {
  auto At = std::find(Succs.begin(), Succs.end(), Succ);
  return SuccProbability[At - Succs.begin()];
}

uint64_t BlockInfo::frequencyTo(BlockId Succ) const {
  // Frequencies have up to 64 bits.
  uint64_t Probability = probabilityOf(Succ);
  return Frequency / Certain * Probability +
         Frequency % Certain * Probability / Certain;
}

void KernelGraph::addInst(ArrayRef<ValueId> Uses, ArrayRef<ValueId> Defs) {
  auto AppendOnce = [this](ArrayRef<ValueId> List, size_t From) {
    for (ValueId V : List)
      if (std::find(Operands.begin() + From, Operands.end(), V) ==
          Operands.end())
        Operands.push_back(V);
  };
  AppendOnce(Uses, Operands.size());
  DefBegins.push_back(static_cast<unsigned>(Operands.size()));
  AppendOnce(Defs, Operands.size());
  Begins.push_back(static_cast<unsigned>(Operands.size()));
}

bool KernelGraph::isInLoop(BlockId B, unsigned L) const {
  for (unsigned At = Blocks[B].Loop; At != NoLoop; At = Loops[At].Parent)
    if (At == L)
      return true;
  return false;
}

std::vector<BlockId> KernelGraph::reversePostOrder() const {
  return regdem::reversePostOrder(0, Blocks.size(), [this](BlockId B) {
    return ArrayRef<BlockId>(Blocks[B].Succs);
  });
}

} // namespace regdem
