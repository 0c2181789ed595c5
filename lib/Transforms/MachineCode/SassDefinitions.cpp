//===- SassDefinitions.cpp - what writes a register last ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SassDefinitions.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace regdem {

SassDefinitions::SassDefinitions(const SassKernel &K)
    : K(K), Predecessors(K.Blocks.size()) {
  for (const auto &[N, B] : enumerate(K.Blocks))
    for (unsigned S : B.Successors)
      Predecessors[S].push_back(static_cast<unsigned>(N));
}

std::vector<const SassInstruction *>
SassDefinitions::find(unsigned Block, size_t At, SassRegister R) const {
  std::vector<const SassInstruction *> Found;
  std::set<unsigned> Seen;
  std::vector<std::pair<unsigned, size_t>> Work{{Block, At}};
  while (!Work.empty()) {
    auto [N, End] = Work.back();
    Work.pop_back();
    ArrayRef<SassInstruction> Before =
        ArrayRef(K.Blocks[N].Instructions).take_front(End);
    bool Ends = false;
    for (const SassInstruction &I : reverse(Before)) {
      if (!is_contained(I.Writes, R))
        continue;
      Found.push_back(&I);
      Ends = !I.isPredicated();
      if (Ends)
        break;
    }
    if (Ends)
      continue;
    for (unsigned P : Predecessors[N])
      if (Seen.insert(P).second)
        Work.emplace_back(P, K.Blocks[P].Instructions.size());
  }
  return Found;
}

} // namespace regdem
