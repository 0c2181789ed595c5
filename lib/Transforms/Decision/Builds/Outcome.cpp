//===- Outcome.cpp - what was decided for a kernel, and why ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Outcome.h"

#include "llvm/ADT/STLExtras.h"

namespace regdem {

void setResidency(Variant &V, const SMLimits &Limits, unsigned Threads,
                  unsigned DynamicShared) {
  V.BlocksPerSM =
      computeOccupancy(Limits, {V.Regs, Threads, V.StaticShared, DynamicShared})
          .BlocksPerSM;
  V.SpillFootprint = V.SpillStoreBytes * Threads * V.BlocksPerSM;
  V.L1Bytes = l1Bytes(Limits, V.StaticShared + DynamicShared, V.BlocksPerSM);
}

const Variant *chosenVariant(llvm::ArrayRef<Variant> List) {
  const auto *It =
      llvm::find_if(List, [](const Variant &V) { return V.Chosen; });
  return It == List.end() ? nullptr : It;
}

const Variant *stockVariant(llvm::ArrayRef<Variant> List) {
  const auto *It = llvm::find_if(
      List, [](const Variant &V) { return V.What == Decision::Stock; });
  return It == List.end() ? nullptr : It;
}

const Variant *predictedBase(const Outcome &O) {
  for (const Variant &V : O.Variants)
    if (V.Cycles > 0)
      return &V;
  return nullptr;
}

double expectedGain(const Outcome &O, const Variant &V) {
  return 1 - V.Cycles / predictedBase(O)->Cycles;
}

} // namespace regdem
