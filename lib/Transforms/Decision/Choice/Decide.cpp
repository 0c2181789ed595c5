//===- Decide.cpp - the decision for one kernel ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Decide.h"

#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Choice/Effort.h"
#include "regdem/Decision/Choice/Search.h"
#include "regdem/Decision/Plan/DemotionPlan.h"
#include "regdem/Options.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Registers that ptxas is expected to use for Words under Cap; 0: none.
unsigned regsUnder(unsigned Cap, unsigned Words) {
  unsigned Regs = estimatedRegs(Words);
  return Cap ? std::min(Regs, Cap) : Regs;
}

/// Registers that the kernel's own directives leave a thread; 0: any number.
unsigned ownCap(const KernelFacts &Facts, const SMLimits &Limits) {
  unsigned Bound = Facts.statesBlockSize()
                       ? maxRegsForBlocks(Limits, Facts.Threads,
                                          std::max(Facts.MinBlocks, 1u))
                       : 0;
  return Facts.MaxRegs && Bound ? std::min(Facts.MaxRegs, Bound)
                                : std::max(Facts.MaxRegs, Bound);
}

/// Bytes of shared memory of a block of V: Declared where ptxas has not made
/// it.
uint64_t sharedOf(const Build *V, uint64_t Declared) {
  return V && !V->isRefused() ? V->StaticShared : Declared;
}

/// Fills the occupancy before and after.
void rateOccupancy(KernelDecision &D, const Options &O) {
  Outcome &R = D.Result;
  const SMLimits *Limits = lookupSMLimits(R.Facts.Arch);
  if (!Limits)
    return;
  Launch Stated = statedLaunch(R.Facts, O);
  const Build *Stock = R.stock();
  unsigned Own =
      R.MaxRegs && !D.Goal.CapIsNew ? R.MaxRegs : ownCap(R.Facts, *Limits);
  unsigned Before = Stock ? Stock->Regs : regsUnder(Own, R.PressureBefore);
  R.Before = occupancyAt(Stated, Before, sharedOf(Stock, R.Facts.StaticShared),
                         *Limits);
  const Build *Chosen = R.chosen();
  bool MovesFrame = Chosen && Chosen->MovedBytes;
  if (R.What == Decision::Stock && !MovesFrame) {
    R.After = R.Before;
    return;
  }
  unsigned After =
      Chosen ? Chosen->Regs : regsUnder(R.MaxRegs, R.PressureAfter);
  R.After = occupancyAt(Stated, After,
                        sharedOf(Chosen, R.Facts.StaticShared + R.SlotBytes),
                        *Limits);
}

/// Has D demote as S says, under D's goal; why that cannot be done, with D as
/// it was, or none.
std::optional<Reason> plan(KernelDecision &D, const KernelGraph &Graph,
                           const Outcome &S) {
  Outcome &R = D.Result;
  if (!S.IsFree && R.PressureBefore <= S.Target)
    return Reason::Fits;
  unsigned Words = D.Goal.maxWords(R.Facts.Threads);
  if (!S.IsFree && !Words)
    return Reason::NoSharedMemory;
  DemotionPlan Plan = planDemotion(Graph, {S.Target, Words, S.How});
  unsigned Added = R.Facts.launchesAddShared() ? threadBytes(Plan, Graph) : 0;
  // What launches add was settled by a trial's plan, which is the same one.
  if (Plan.empty() || Added != R.Facts.AddedBytes.value_or(Added))
    return Reason::NothingToDemote;
  R.What = Decision::Demote;
  static_cast<PlanFigures &>(R) = figuresOf(Plan, Graph);
  R.ThreadBytes = Added;
  notePlan(R, Plan);
  D.Plan = std::move(Plan);
  return std::nullopt;
}

/// Who names R's build without a search; none: nobody does.
std::optional<Reason> namedBy(const Outcome &R) {
  if (R.FromProfile)
    return Reason::Profiled;
  return R.IsStated ? std::optional(Reason::Stated) : std::nullopt;
}

/// Why the kernel of D is held to its cap as it is.
Reason reasonUnderCap(const KernelDecision &D) {
  const Outcome &R = D.Result;
  if (auto Named = namedBy(R))
    return *Named;
  const Build *Chosen = R.chosen();
  bool Spills = Chosen && Chosen->spillBytes();
  if (R.What == Decision::Demote)
    return Spills ? Reason::AboveCap : Reason::BelowCap;
  if (Chosen && Chosen->MovedBytes)
    return Reason::MovesFrame;
  if (R.SmemSpilling)
    return Reason::SmemSpilling;
  if (Spills)
    return D.Goal.maxWords(R.Facts.Threads) ? Reason::NoBetter
                                            : Reason::NoSharedMemory;
  return any(R.Rewrites) ? Reason::FitsRewritten : Reason::Fits;
}

/// Carries out S under D's goal.
void carryOut(KernelDecision &D, const KernelGraph &Graph, const Outcome &S) {
  Outcome &R = D.Result;
  if (auto Obstacle = S.Target ? plan(D, Graph, S) : std::nullopt) {
    R.Why = *Obstacle;
    return;
  }
  if (S.IsFree) {
    R.recipe() = S.recipe();
    R.Why = S.Why;
    return;
  }
  R.SmemSpilling = S.SmemSpilling;
  if (S.SmemSpilling && !S.Target)
    R.What = Decision::Pragma;
  R.Why = reasonUnderCap(D);
}

/// Whether the cost model may choose a cap.
bool isFree(const KernelFacts &Facts, const Options &O) {
  const SMLimits *Limits = lookupSMLimits(Facts.Arch);
  return O.RunMode == Mode::Auto && Limits &&
         !statedObjective(Facts, O, *Limits);
}

/// Holds a kernel that is declined to the cap stated for it, where ptxas can.
void holdDeclined(KernelDecision &D, const Options &O) {
  Outcome &R = D.Result;
  R.LosesCap = statesNewCap(R.Facts, O);
  std::optional<Objective> Held = capDespite(R.Because, R.Facts, O);
  if (!Held)
    return;
  D.Goal = *Held;
  R.What = Decision::Cap;
  R.MaxRegs = Held->MaxRegs;
  R.LosesCap = O.MinBlocks != 0;
}

/// What is left to say of a kernel without a stated cap for which no builds
/// were tried: Why registers that limit it stay as they are, or less.
Reason reasonWithoutBuilds(const Outcome &R, const Options &O, Reason Why) {
  if (O.RunMode != Mode::Auto)
    return Reason::NoCap;
  switch (R.Before.Limit) {
  case Limiter::Registers:
    return Why;
  case Limiter::TooLarge:
    return Reason::DoesNotFit;
  default:
    return Reason::NotRegisterLimited;
  }
}

/// Why no builds are there to be compared.
Reason reasonNotCompared(const Options &O) {
  return comparesBuilds(O) ? Reason::NoAssembler : Reason::WorkSpent;
}

/// The decision without the occupancy figures.
void choose(KernelDecision &D, const Options &O, const KernelGraph &Graph,
            const Outcome *Settled) {
  Outcome &R = D.Result;
  if (R.LeaveAlone && R.FromProfile) {
    R.Why = Reason::Profiled;
    return;
  }
  R.Because = findObstacle(R.Facts, O);
  // What shared memory takes is not what such a kernel lacks.
  if (R.Because == findSharedObstacle(R.Facts) && O.RunMode != Mode::Auto &&
      !O.Stated && !statedObjective(R.Facts, O, *lookupSMLimits(R.Facts.Arch)))
    R.Because = Obstacle::None;
  if (R.Because != Obstacle::None && mayTryBuilds(R.Because, R.Facts, O)) {
    if (Settled ? Settled->isLegalDespite(R.Because) : !isFree(R.Facts, O)) {
      R.Because = Obstacle::None;
    } else if (isFree(R.Facts, O) &&
               isNeverLimited(R.Facts, R.PressureBefore,
                              *lookupSMLimits(R.Facts.Arch))) {
      R.Because = Obstacle::None;
      R.Why = Reason::NotRegisterLimited;
      return;
    }
  }
  if (R.Because != Obstacle::None) {
    R.Why = Reason::Declined;
    holdDeclined(D, O);
    return;
  }
  if (R.LeaveAlone) {
    R.Why = namedBy(R).value_or(Reason::ToolFailed);
    return;
  }
  const SMLimits &Limits = *lookupSMLimits(R.Facts.Arch);
  if (R.IsFree) {
    D.Goal = objectiveForCap(R.Facts, O, Limits, Settled->MaxRegs);
    D.Goal.CapIsNew = Settled->MaxRegs != 0;
    carryOut(D, Graph, *Settled);
    return;
  }
  std::optional<Objective> Stated =
      statedObjective(R.Facts, Settled ? optionsUnder(O, *Settled) : O, Limits);
  auto Named = namedBy(R);
  if (!Stated && Named && (any(R.Rewrites) || Settled->SmemSpilling)) {
    R.SmemSpilling = Settled->SmemSpilling;
    R.What = R.SmemSpilling ? Decision::Pragma : Decision::Rewrite;
    R.Why = *Named;
    return;
  }
  if (!Stated) {
    R.Why = Reason::NoCap;
    return;
  }
  if (Stated->CapIsNew && R.Facts.HasCalls && !Settled) {
    R.Because = Obstacle::CalleeRegisters;
    R.Why = Reason::Declined;
    R.LosesCap = true;
    return;
  }
  D.Goal = *Stated;
  R.MaxRegs = D.Goal.MaxRegs;
  // Stock may keep to a cap by itself, and then better than ptxas that is told.
  bool IsStock = Settled && Settled->Chosen && Settled->choosesStock();
  R.What = D.Goal.CapIsNew && !IsStock ? Decision::Cap
           : R.changesCode()           ? Decision::Rewrite
                                       : Decision::Stock;
  if (!Settled) {
    R.Why = reasonNotCompared(O);
    return;
  }
  if (D.Goal.CapIsNew && R.Facts.statesBlockSize())
    R.MinBlocks = Settled->MinBlocks;
  carryOut(D, Graph, *Settled);
}

} // namespace

PlanFigures figuresOf(const DemotionPlan &Plan, const KernelGraph &Graph) {
  PlanFigures Its;
  Its.PressureAfter = Plan.PressureAfter;
  for (const PlanAction &A : Plan.Actions)
    if (A.What != PlanAction::Recompute)
      Its.SlotAccesses += Graph.words(A.Value);
    else if (!Graph.Values[A.Value].Negated) // What ptxas negates is free.
      ++Its.Recomputations;
  return Its;
}

void notePlan(Outcome &R, const DemotionPlan &Plan) {
  R.Slots = Plan.Words;
  R.SlotBytes = R.ThreadBytes ? addedBytes(R.ThreadBytes, R.Facts.Threads)
                              : alignTo(4 * Plan.Words * R.Facts.Threads,
                                        R.Facts.regionUnit());
  R.Stores = Plan.count(PlanAction::Store);
  R.Reloads = Plan.count(PlanAction::Reload);
}

Outcome decideByBuilds(const KernelFacts &Facts, const Options &O,
                       const std::optional<Objective> &Goal, Outcome Settled) {
  KernelDecision D;
  Outcome &R = D.Result;
  R = std::move(Settled);
  R.Facts = Facts;
  if (Goal) {
    D.Goal = *Goal;
    R.MaxRegs = Goal->MaxRegs;
    R.Why = reasonUnderCap(D);
  }
  rateOccupancy(D, O);
  if (R.Why == Reason::WorkSpent)
    R.Why = reasonWithoutBuilds(R, O, Reason::WorkSpent);
  return std::move(R);
}

KernelDecision decide(const KernelFacts &Facts, const Options &O,
                      const KernelGraph &Graph, const Outcome *Settled) {
  KernelDecision D;
  Outcome &R = D.Result;
  // Whatever comes of it here, code has been rewritten and ordered by now.
  BuildRecipe Done;
  if (Settled) {
    Done.Rewrites = Settled->Rewrites;
    Done.Order = Settled->Order;
  }
  // A free choice that came with the code is void where a cap is stated now.
  if (Settled && Settled->IsFree && !isFree(Facts, O))
    Settled = nullptr;
  if (Settled)
    R = *Settled;
  R.recipe() = Done;
  R.Why = Reason::NoCap;
  R.Facts = Facts;
  R.PressureBefore = R.PressureAfter = maxPressure(Graph);
  choose(D, O, Graph, Settled);
  rateOccupancy(D, O);
  if (R.Why == Reason::NoCap)
    R.Why = reasonWithoutBuilds(
        R, O, O.Stated ? Reason::Stated : reasonNotCompared(O));
  else if (R.Why == Reason::WorkSpent)
    R.Why = reasonWithoutBuilds(R, O, Reason::WorkSpent);
  return D;
}

} // namespace regdem
