//===- CostModel.cpp - predict which variant is fastest -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/CostModel.h"

#include <algorithm>
#include <cassert>
#include <tuple>

using namespace llvm;

namespace regdem {

namespace {

/// Cycles of a kernel of which only the assembler's figures are known, spill
/// code not counted: so many that a few spilled words do not decide.
constexpr double UnknownCycles = 1000;
constexpr double SpilledWord = 2, SpilledWordBeyondL1 = 6, SlotWord = 1;

double estimateFromFigures(const Variant &V) {
  double Words = (V.SpillStoreBytes + V.SpillLoadBytes) / 4.0;
  bool InL1 = V.SpillFootprint <= V.L1Bytes / 2;
  return UnknownCycles + Words * (InL1 ? SpilledWord : SpilledWordBeyondL1) +
         V.SlotAccesses * SlotWord;
}

} // namespace

double predictCycles(const Variant &V, const VariantCode *Code,
                     unsigned Threads, const SMLimits &Limits) {
  assert(V.BlocksPerSM && "the variant does not fit an SM");
  if (!Code)
    return estimateFromFigures(V);
  unsigned Warps = (Threads + Limits.WarpSize - 1) / Limits.WarpSize;
  double PerPartition = double(Warps) / Limits.SubPartitions;
  double Resident = PerPartition * V.BlocksPerSM;
  // A partition issues one instruction per cycle; what its warps wait for is
  // hidden by the others.
  return PerPartition *
         std::max(Code->IssueCycles, Code->WarpCycles / Resident);
}

double decisionMargin(bool FromSass) { return FromSass ? 0.05 : 0.10; }

size_t chooseVariant(ArrayRef<Variant> Variants, ArrayRef<double> Cycles,
                     bool FromSass) {
  assert(!Variants.empty() && Variants.size() == Cycles.size());
  double Margin = decisionMargin(FromSass);
  double Fastest = *std::min_element(Cycles.begin(), Cycles.end());
  if (Fastest > Cycles[0] * (1 - Margin))
    return 0;
  size_t Best = 0;
  auto Rank = [&](size_t I) {
    const Variant &V = Variants[I];
    return std::make_tuple(V.What, V.StaticShared, ~V.Regs, Cycles[I]);
  };
  for (size_t I = 1; I != Variants.size(); ++I) {
    if (Cycles[I] > Cycles[0] * (1 - Margin) ||
        Cycles[I] > Fastest * (1 + Margin))
      continue;
    if (!Best || Rank(I) < Rank(Best))
      Best = I;
  }
  return Best;
}

} // namespace regdem
