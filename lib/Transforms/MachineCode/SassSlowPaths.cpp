//===- SassSlowPaths.cpp - code for unusual arguments ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libdevice reduces the argument of sin, cos and tan by a few products, and one
// beyond 105615 by a loop over a table of 2/pi (Payne and Hanek). clang inlines
// both, so that machine code shows a loop of dependent loads which programs
// hardly ever enter. Divisions have such paths, too, but these are calls.
//
//===----------------------------------------------------------------------===//

#include "SassGraph.h"
#include "regdem/MachineCode/ReversePostOrder.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

/// Whether I names the constant at one of Offsets of bank 4.
static bool readsAddress(const SassInstruction &I, ArrayRef<uint64_t> Offsets) {
  return any_of(Offsets, [&I](uint64_t Offset) {
    auto At = static_cast<int64_t>(Offset);
    return I.readsConstant(4, At, At + 1);
  });
}

/// The blocks that can be reached through block Entry only, in ascending order.
static std::vector<unsigned> dominatedBy(const SassKernel &K, unsigned Entry) {
  unsigned Function = K.Blocks[Entry].Function;
  std::vector<bool> IsReached(K.Blocks.size());
  for (unsigned B : reversePostOrder(
           K.Functions[Function].Entry, K.Blocks.size(), [&](unsigned B) {
             return B == Entry ? ArrayRef<unsigned>()
                               : ArrayRef<unsigned>(K.Blocks[B].Successors);
           }))
    IsReached[B] = B != Entry;
  std::vector<unsigned> Members;
  for (unsigned B = 0; B != K.Blocks.size(); ++B)
    if (K.Blocks[B].Function == Function && !IsReached[B])
      Members.push_back(B);
  return Members;
}

/// Whether blocks do what that reduction does: read, and hand on registers.
/// Where ptxas has moved the table's address ahead, they do more.
static bool onlyCompute(const SassKernel &K, ArrayRef<unsigned> Blocks) {
  using C = SassClass;
  constexpr C Others[] = {C::GlobalStore, C::SharedLoad, C::SharedStore,
                          C::AsyncCopy,   C::Atomic,     C::Texture,
                          C::Tensor,      C::Shuffle,    C::Barrier};
  bool Reads = false;
  for (unsigned B : Blocks) {
    if (K.Blocks[B].Successors.empty() || K.Blocks[B].Callee)
      return false;
    for (const SassInstruction &I : K.Blocks[B].Instructions) {
      if (is_contained(Others, I.Class))
        return false;
      Reads |= I.Class == C::GlobalLoad;
    }
  }
  return Reads;
}

void markSlowPaths(SassKernel &K, ArrayRef<uint64_t> Tables) {
  if (Tables.empty())
    return;
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    if (none_of(K.Blocks[B].Instructions, [&](const SassInstruction &I) {
          return readsAddress(I, Tables);
        }))
      continue;
    std::vector<unsigned> Path = dominatedBy(K, B);
    if (onlyCompute(K, Path))
      for (unsigned Member : Path)
        K.Blocks[Member].IsSlowPath = true;
  }
}

} // namespace regdem
