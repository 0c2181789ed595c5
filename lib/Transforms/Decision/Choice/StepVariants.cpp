//===- StepVariants.cpp - what to build at an occupancy step --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepVariants.h"

#include "SearchRules.h"
#include "regdem/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

/// Whether Words slots are a good part of the excess over a target.
static bool holdsGoodPart(uint64_t Words, unsigned Excess) {
  return Words && 100 * Words >= Tuned.GoodPart * Excess;
}

/// Words a thread that slots may take at Step.
static uint64_t slotWords(const CapStep &Step, const FreeGoal &Goal) {
  return Step.SlotBytes / 4 / Goal.Facts.Threads;
}

Variant smemSpilling(unsigned MaxRegs, Rewrite Rewrites) {
  Variant V;
  V.What = Decision::Pragma;
  V.MaxRegs = MaxRegs;
  V.Rewrites = Rewrites;
  V.SmemSpilling = true;
  return V;
}

std::optional<Variant> demotionAt(const CapStep &Step, PlanShape Shape,
                                  const FreeGoal &Goal, const Variant &Basis) {
  Variant V;
  V.What = Decision::Demote;
  V.MaxRegs = Step.MaxRegs;
  V.Rewrites = Basis.Rewrites;
  V.Order = Basis.Order;
  V.How = Shape.How;
  V.Target = clampTarget(static_cast<int>(Step.MaxRegs) + Shape.Distance);
  unsigned Pressure = pressureOf(Goal, Basis);
  if (V.Target >= Pressure ||
      !holdsGoodPart(slotWords(Step, Goal), Pressure - V.Target))
    return std::nullopt;
  return V;
}

bool isForDemotion(const CapStep &Step, PlanShape Shape, const FreeGoal &Goal,
                   const Variant &Basis) {
  unsigned Pressure = pressureOf(Goal, Basis);
  std::optional<Variant> V = demotionAt(Step, Shape, Goal, Basis);
  return V && isLessBy(Tuned.SureExcess, Step.MaxRegs, Pressure) &&
         slotWords(Step, Goal) >= Pressure - V->Target;
}

} // namespace regdem
