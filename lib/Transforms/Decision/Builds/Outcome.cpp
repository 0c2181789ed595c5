//===- Outcome.cpp - what was decided for a kernel, and why ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Outcome.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace regdem {

Residency residencyAt(const Launch &L, const Variant &V,
                      const SMLimits &Limits) {
  Residency R;
  R.BlocksPerSM = occupancyAt(L, V.Regs, V.StaticShared, Limits).BlocksPerSM;
  // The driver carves shared memory out for as many blocks as fit.
  R.L1Bytes = l1Bytes(Limits, V.StaticShared + L.DynamicShared, R.BlocksPerSM);
  if (L.GridBlocks)
    R.BlocksPerSM = std::min(R.BlocksPerSM, L.GridBlocks);
  R.SpillFootprint = V.SpillStoreBytes * L.Threads * R.BlocksPerSM;
  return R;
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
