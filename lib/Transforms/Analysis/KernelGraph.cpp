//===- KernelGraph.cpp - a kernel as values, uses and blocks --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelGraph.h"

#include "regdem/MachineCode/ReversePostOrder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
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

void KernelGraph::solveLiveness() {
  auto Size = static_cast<unsigned>(Values.size());
  std::vector<BitVector> LiveIn(Blocks.size(), BitVector(Size));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BlockId B = static_cast<BlockId>(LiveIn.size()); B-- != 0;) {
      BitVector Live(Size);
      for (BlockId S : Blocks[B].Succs)
        Live |= LiveIn[S];
      for (InstId I = Blocks[B].End; I-- != Blocks[B].Begin;) {
        for (ValueId V : defs(I))
          Live.reset(V);
        for (ValueId V : uses(I))
          Live.set(V);
      }
      Changed |= Live != LiveIn[B];
      LiveIn[B] = std::move(Live);
    }
  }
  for (auto [Block, Live] : zip_equal(Blocks, LiveIn))
    Block.LiveIn.assign(Live.set_bits_begin(), Live.set_bits_end());
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
