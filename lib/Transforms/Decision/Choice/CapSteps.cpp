//===- CapSteps.cpp - register caps worth trying --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CapSteps.h"

#include "regdem/Constants.h"
#include "regdem/Options.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

/// Blocks per SM that everything but registers allows.
static unsigned mostBlocks(const Occupancy &O) {
  return std::min({O.BlocksBySharedMemory, O.BlocksByWarps, O.BlocksBySlots});
}

Occupancy occupancyOf(const FreeGoal &Goal, const Variant &V) {
  return occupancyAt(statedLaunch(Goal.Facts, Goal.O), V.Regs, V.StaticShared,
                     Goal.Limits);
}

unsigned pressureOf(const FreeGoal &Goal, const Variant &Basis) {
  return any(Basis.Rewrites) || Basis.Order != InstOrder::Source
             ? Basis.PressureAfter
             : Goal.Pressure;
}

std::vector<CapStep> capSteps(const FreeGoal &Goal, const Variant &Basis,
                              const Variant *Lifted) {
  Occupancy Now = occupancyOf(Goal, Basis);
  unsigned FewestBlocks = Lifted ? Lifted->BlocksPerSM : Now.BlocksPerSM;
  bool Spills = Basis.spillBytes() != 0;
  std::vector<CapStep> Steps;
  for (OccupancyStep S : occupancySteps(Goal.Limits, Goal.Facts.Threads)) {
    bool IsLast = S.Blocks >= mostBlocks(Now);
    unsigned Blocks = std::min(S.Blocks, mostBlocks(Now));
    bool MoreWarps = Blocks > Now.BlocksPerSM;
    bool MoreRegisters = Spills && S.MaxRegs >= Basis.Regs;
    bool IsBetween = Blocks < Now.BlocksPerSM && Blocks > FewestBlocks;
    if ((MoreWarps || MoreRegisters || IsBetween) &&
        !isLessBy(Tuned.HopelessExcess, S.MaxRegs, pressureOf(Goal, Basis)))
      Steps.push_back(
          {Blocks, S.MaxRegs,
           objectiveForCap(Goal.Facts, Goal.O, Goal.Limits, S.MaxRegs)
               .SlotBytes});
    if (IsLast)
      break;
  }
  auto Distance = [&Now](const CapStep &S) {
    return S.Blocks > Now.BlocksPerSM ? S.Blocks - Now.BlocksPerSM
                                      : Now.BlocksPerSM - S.Blocks;
  };
  // Of two as near, the one with more registers, which stands first, stays so.
  std::stable_sort(Steps.begin(), Steps.end(),
                   [&](const CapStep &A, const CapStep &B) {
                     return Distance(A) < Distance(B);
                   });
  if (Steps.size() > Tuned.MostSteps)
    Steps.resize(Tuned.MostSteps);
  return Steps;
}

} // namespace regdem
