//===- Decide.cpp - the decision for one kernel ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Decide.h"

#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Decision/Choice/Search.h"
#include "regdem/Decision/Plan/Planner.h"
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

/// Fills the occupancy before and after.
void rateOccupancy(KernelDecision &D, const Options &O) {
  Outcome &R = D.Result;
  const SMLimits *Limits = lookupSMLimits(R.Facts.Arch);
  if (!Limits)
    return;
  Launch Stated = statedLaunch(R.Facts, O);
  const Build *Stock = R.stock();
  unsigned Own = R.MaxRegs && !D.Goal.CapIsNew ? R.MaxRegs : R.Facts.MaxRegs;
  unsigned Before = Stock ? Stock->Regs : regsUnder(Own, R.PressureBefore);
  R.Before = occupancyAt(Stated, Before, R.Facts.StaticShared, *Limits);
  const Build *Chosen = R.chosen();
  bool MovesFrame = Chosen && Chosen->MovedBytes;
  if (R.What == Decision::Stock && !MovesFrame) {
    R.After = R.Before;
    return;
  }
  unsigned After =
      Chosen ? Chosen->Regs : regsUnder(R.MaxRegs, R.PressureAfter);
  uint64_t Shared = R.Facts.StaticShared + R.SlotBytes;
  if ((R.SmemSpilling && Chosen) || MovesFrame)
    Shared = Chosen->StaticShared; // More is added after RegDem.
  R.After = occupancyAt(Stated, After, Shared, *Limits);
}

/// Plans by Recipe under D's goal and makes the decision one to demote; false,
/// with D as it was, where no value can leave its register.
bool plan(KernelDecision &D, const KernelGraph &Graph,
          const BuildRecipe &Recipe) {
  Outcome &R = D.Result;
  unsigned Words = D.Goal.maxWords(R.Facts.Threads);
  D.Plan = planDemotion(Graph, {Recipe.Target, Words, Recipe.How});
  unsigned Added = R.Facts.launchesAddShared() ? threadBytes(D.Plan, Graph) : 0;
  // What launches add was settled by a trial's plan, which is the same one.
  if (D.Plan.empty() || Added != R.Facts.AddedBytes.value_or(Added)) {
    D.Plan = DemotionPlan();
    return false;
  }
  R.What = Decision::Demote;
  R.Slots = D.Plan.Words;
  R.ThreadBytes = Added;
  R.SlotBytes =
      R.Facts.launchesAddShared()
          ? addedBytes(Added, R.Facts.Threads)
          : alignTo(4 * D.Plan.Words * R.Facts.Threads, R.Facts.regionUnit());
  R.PressureAfter = D.Plan.PressureAfter;
  for (const PlanAction &A : D.Plan.Actions)
    if (A.What != PlanAction::Recompute)
      R.SlotAccesses += Graph.words(A.Value);
    else if (!Graph.Values[A.Value].Negated) // What ptxas negates is free.
      ++R.Recomputations;
  R.Stores = D.Plan.count(PlanAction::Store);
  R.Reloads = D.Plan.count(PlanAction::Reload);
  return true;
}

/// Carries out what was chosen among builds without a stated cap.
void applyFreeChoice(KernelDecision &D, const Options &O,
                     const KernelGraph &Graph, const Outcome &S) {
  Outcome &R = D.Result;
  R.Why = S.Why;
  if (S.What == Decision::Stock)
    return;
  const SMLimits &Limits = *lookupSMLimits(R.Facts.Arch);
  D.Goal = objectiveForCap(R.Facts, O, Limits, S.MaxRegs);
  D.Goal.CapIsNew = S.MaxRegs != 0;
  if (S.What == Decision::Demote && !plan(D, Graph, S)) {
    R.Why = Reason::NothingToDemote;
    return;
  }
  R.What = S.What;
  R.SmemSpilling = S.SmemSpilling;
  R.MaxRegs = S.MaxRegs;
  R.MinBlocks = S.MinBlocks;
}

/// Keeps the kernel to its cap without demotion, as was settled.
void applyCapOnly(KernelDecision &D, bool SmemSpilling) {
  Outcome &R = D.Result;
  if (SmemSpilling) {
    R.What = Decision::Pragma;
    R.SmemSpilling = true;
  }
  const Build *Chosen = R.chosen();
  bool Spills = Chosen && Chosen->spillBytes();
  R.Why = R.FromProfile                                ? Reason::Profiled
          : Chosen && Chosen->MovedBytes               ? Reason::MovesFrame
          : SmemSpilling                               ? Reason::SmemSpilling
          : Spills && D.Goal.maxWords(R.Facts.Threads) ? Reason::NoBetter
          : Spills                                     ? Reason::NoSharedMemory
          : any(R.Rewrites)                            ? Reason::FitsRewritten
                                                       : Reason::Fits;
}

/// Keeps the kernel to the cap of D's goal: as was settled or, where no
/// assembler was asked, by the estimate.
void applyCap(KernelDecision &D, const Options &O, const KernelGraph &Graph,
              const Outcome *Settled) {
  Outcome &R = D.Result;
  BuildRecipe Recipe;
  if (Settled) {
    Recipe = Settled->recipe();
    if (!Recipe.Target) {
      applyCapOnly(D, Recipe.SmemSpilling);
      return;
    }
  } else {
    Recipe.Target = O.Target ? O.Target : estimatedTarget(D.Goal.MaxRegs);
    Recipe.How = O.How;
  }
  if (R.PressureBefore <= Recipe.Target) {
    R.Why = Reason::Fits;
    return;
  }
  if (!D.Goal.maxWords(R.Facts.Threads)) {
    R.Why = Reason::NoSharedMemory;
    return;
  }
  if (!plan(D, Graph, Recipe)) {
    R.Why = Reason::NothingToDemote;
    return;
  }
  R.SmemSpilling = Recipe.SmemSpilling;
  const Build *Chosen = R.chosen();
  bool Fits =
      Chosen ? !Chosen->spillBytes() : R.PressureAfter <= D.Goal.MaxRegs;
  R.Why = R.FromProfile ? Reason::Profiled
          : Fits        ? Reason::BelowCap
                        : Reason::AboveCap;
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
/// were tried.
Reason reasonWithoutBuilds(const Outcome &R, const Options &O) {
  if (O.RunMode != Mode::Auto)
    return Reason::NoCap;
  switch (R.Before.Limit) {
  case Limiter::Registers:
    return Reason::NoAssembler;
  case Limiter::TooLarge:
    return Reason::DoesNotFit;
  default:
    return Reason::NotRegisterLimited;
  }
}

/// The decision without the occupancy figures.
void choose(KernelDecision &D, const Options &O, const KernelGraph &Graph,
            const Outcome *Settled) {
  Outcome &R = D.Result;
  R.Because = findObstacle(R.Facts, O);
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
    R.Why = R.FromProfile ? Reason::Profiled : Reason::ToolFailed;
    return;
  }
  if (R.IsFree) {
    applyFreeChoice(D, O, Graph, *Settled);
    return;
  }
  const SMLimits &Limits = *lookupSMLimits(R.Facts.Arch);
  std::optional<Objective> Stated =
      statedObjective(R.Facts, Settled ? optionsUnder(O, *Settled) : O, Limits);
  if (!Stated && R.FromProfile && (any(R.Rewrites) || Settled->SmemSpilling)) {
    R.SmemSpilling = Settled->SmemSpilling;
    R.What = R.SmemSpilling ? Decision::Pragma : Decision::Rewrite;
    R.Why = Reason::Profiled;
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
  if (!Settled)
    R.Order = O.Order;
  R.MaxRegs = D.Goal.MaxRegs;
  // Stock may keep to a cap by itself, and then better than ptxas that is told.
  bool IsStock = Settled && Settled->Chosen && Settled->choosesStock();
  R.What = D.Goal.CapIsNew && !IsStock                       ? Decision::Cap
           : any(R.Rewrites) || R.Order != InstOrder::Source ? Decision::Rewrite
                                                             : Decision::Stock;
  if (Settled && D.Goal.CapIsNew && R.Facts.statesBlockSize())
    R.MinBlocks = Settled->MinBlocks;

  applyCap(D, O, Graph, Settled);
}

} // namespace

KernelDecision decide(const KernelFacts &Facts, const Options &O,
                      const KernelGraph &Graph, const Outcome *Settled,
                      Rewrite Rewrites) {
  KernelDecision D;
  Outcome &R = D.Result;
  // Whatever comes of it here, code has been rewritten and ordered by now.
  InstOrder Order = Settled ? Settled->Order : InstOrder::Source;
  // A free choice that came with the code is void where a cap is stated now.
  if (Settled && Settled->IsFree && !isFree(Facts, O))
    Settled = nullptr;
  if (Settled)
    R = *Settled;
  R.recipe() = BuildRecipe();
  R.Rewrites = Rewrites;
  R.Order = Order;
  R.Why = Reason::NoCap;
  R.Facts = Facts;
  R.PressureBefore = R.PressureAfter = maxPressure(Graph);
  choose(D, O, Graph, Settled);
  rateOccupancy(D, O);
  if (R.Why == Reason::NoCap)
    R.Why = reasonWithoutBuilds(R, O);
  return D;
}

} // namespace regdem
