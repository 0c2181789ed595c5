//===- Settled.cpp - what is settled for a kernel -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Settled.h"

namespace regdem {

bool Settled::choosesStock() const {
  const Variant *V = chosenVariant(Variants);
  return !V || V->What == Decision::Stock;
}

Settled freelyStock(Reason Why) {
  Settled S;
  S.IsFree = true;
  S.Why = Why;
  return S;
}

Settled settledOn(std::vector<Variant> Tried, size_t I) {
  Settled S;
  Tried[I].Chosen = true;
  S.recipe() = Tried[I].recipe();
  S.Variants = std::move(Tried);
  return S;
}

Options optionsUnder(const Options &O, const Settled &S) {
  Options Result = O;
  if (S.MaxRegs || S.MinBlocks) {
    Result.MaxRegs = S.MaxRegs;
    Result.MinBlocks = S.MinBlocks;
  }
  return Result;
}

} // namespace regdem
