//===- Settling.cpp - what the tools settle for kernels -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settling.h"

#include "KnownDecisions.h"
#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Analysis/SmemSpilling.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

bool maySpillToShared(const Function &F, const KernelFacts &Facts,
                      const Options &O, const TargetMachine &TM) {
  return O.Pragma != Permission::Off &&
         allowsSmemSpilling(F, Facts, O, TM.getTargetFeatureString()) &&
         (O.Pragma != Permission::Auto || runEndsInPlainPtxas());
}

bool willMoveFrames(const Options &O) {
  return O.Finish == Permission::On ||
         (O.Finish == Permission::Auto && runHasHost() && !runIsRelocatable());
}

bool choosesAtLaunch(const Options &O) {
  return O.Launch == Permission::On ||
         (O.Launch == Permission::Auto && runHasHost());
}

BuildRecipe profiledRecipe(const Outcome &S,
                           const std::optional<Objective> &Goal) {
  BuildRecipe R = S.recipe();
  bool IsCapped = Goal && Goal->CapIsNew;
  if (IsCapped)
    R.MaxRegs = Goal->MaxRegs;
  R.What = R.Target          ? Decision::Demote
           : R.SmemSpilling  ? Decision::Pragma
           : IsCapped        ? Decision::Cap
           : R.changesCode() ? Decision::Rewrite
                             : Decision::Stock;
  return R;
}

/// Whether frames of C's builds can move where that pays: on the architecture
/// on which moved frames were run (chooseByForecast).
static bool movesFrames(const Candidate &C) {
  return C.MovesFrames && C.Facts.Arch == 90;
}

/// Whether C's kernel, however it is built, may have a frame that moves.
static bool mayMoveFrame(const Candidate &C) {
  return movesFrames(C) && !C.Facts.IsForDebugger &&
         !C.Facts.HasIndirectCalls && !C.Facts.HasExternalCalls &&
         (C.Facts.LocalBytes || C.Facts.HasCalls || C.Fixed->MaxRegs ||
          any_of(C.Kernel->args(),
                 [](const Argument &A) { return A.hasByValAttr(); }));
}

KernelWork workOf(const Candidate &C) {
  KernelWork Work;
  for (const Function *F : withCalledFunctions(*C.Kernel))
    Work.Instructions += F->getInstructionCount();
  Work.GainsMost = C.Goal || C.Facts.LocalBytes;
  Work.IsAskedFor = C.Goal && C.Goal->CapIsNew;
  Work.IsShown = C.Facts.Shown.isAny();
  Work.IsUnknown = !C.Facts.knowsLaunch() && !Work.IsShown;
  return Work;
}

/// Those of Kernels that are searched.
static auto searchedOf(ArrayRef<Candidate *> Kernels) {
  return make_filter_range(Kernels,
                           [](const Candidate *C) { return !C->Fixed; });
}

/// workOf() each of them.
static std::vector<KernelWork> workOfSearched(ArrayRef<Candidate *> Kernels) {
  std::vector<KernelWork> Work;
  for (const Candidate *C : searchedOf(Kernels))
    Work.push_back(workOf(*C));
  return Work;
}

FileBudget budgetFor(ArrayRef<Candidate *> Kernels, const Module &M,
                     const Options &CommandLine) {
  return {CommandLine, M.getInstructionCount(), workOfSearched(Kernels)};
}

void setLimits(ArrayRef<Candidate *> Kernels, const FileBudget &Budget) {
  for (auto [C, Limit] :
       zip_equal(searchedOf(Kernels), Budget.limits(workOfSearched(Kernels))))
    C->Limit = Limit;
}

std::optional<Candidate> candidate(Function &F, const Options &O,
                                   const TargetMachine &TM) {
  std::optional<Outcome> Profiled = readSettled(F);
  if (O.RunMode == Mode::Off || (Profiled && Profiled->LeaveAlone))
    return std::nullopt;
  Candidate C;
  C.Kernel = &F;
  C.O = Profiled ? optionsUnder(O, *Profiled) : O;
  C.Facts = collectKernelFacts(F, O);
  C.IsToldOf = isToldOf(F, O);
  C.MovesFrames = willMoveFrames(O);
  Obstacle Why = findObstacle(C.Facts, O);
  bool MayTry = !Profiled && mayTryBuilds(Why, C.Facts, O);
  if (const SMLimits *Limits = lookupSMLimits(C.Facts.Arch))
    if (Profiled || MayTry)
      C.Goal = statedObjective(C.Facts, C.O, *Limits);
  if (Profiled) {
    C.Fixed = profiledRecipe(*Profiled, C.Goal);
  } else if (!MayTry) {
    C.Fixed = BuildRecipe();
    if (auto Held = capDespite(Why, C.Facts, O)) {
      omitJumpTables(F); // What it spills then is not known.
      C.Fixed->What = Decision::Cap;
      C.Fixed->MaxRegs = Held->MaxRegs;
    }
  } else if (!C.Goal && O.RunMode != Mode::Auto) {
    return std::nullopt;
  }
  if (C.Fixed)
    return mayMoveFrame(C) ? std::optional(std::move(C)) : std::nullopt;
  // Frames that move afterwards are as fast or faster: without this, 71 cells
  // are predicted to take 1.0005 of the time, 1.018 at worst.
  C.MaySpillToShared = Why == Obstacle::None &&
                       (!movesFrames(C) || O.Pragma == Permission::On) &&
                       maySpillToShared(F, C.Facts, O, TM);
  return C;
}

KernelRecord recordOf(const Candidate &C, const Build &V) {
  unsigned Threads = statedLaunch(C.Facts, C.O).Threads;
  KernelRecord R;
  R.Kernel = C.Facts.Name;
  R.Recipe = toText(V);
  R.Frame = frameOf(V, Threads);
  R.Keep = promisesOf(C.Facts, C.O, C.Goal);
  R.Expected = figuresOf(V, Threads);
  return R;
}

/// Kernels, those together that share what they may cost.
static std::vector<ArrayRef<Candidate *>>
groupsOf(ArrayRef<Candidate *> Kernels) {
  std::vector<ArrayRef<Candidate *>> Groups;
  while (!Kernels.empty()) {
    const auto &Paid = Kernels.front()->Paid;
    auto Group = Kernels.take_while(
        [&](const Candidate *C) { return Paid && C->Paid == Paid; });
    Groups.push_back(Kernels.take_front(std::max<size_t>(Group.size(), 1)));
    Kernels = Kernels.drop_front(Groups.back().size());
  }
  return Groups;
}

std::vector<Settled> settleAll(ArrayRef<Candidate *> Kernels, const Module &M,
                               const TargetMachine &TM, const Tools &T,
                               const Options &CommandLine) {
  std::vector<Settled> All(Kernels.size());
  std::vector<std::vector<KernelSettler *>> Searches;
  auto Next = All.begin();
  for (ArrayRef<Candidate *> Group : groupsOf(Kernels)) {
    MutableArrayRef<Settled> Its(&*Next, Group.size());
    Next += Group.size();
    bool IsKnown = T.Known && T.Known->apply(Group);
    if (!IsKnown)
      Searches.emplace_back();
    for (auto [C, S] : zip_equal(Group, Its)) {
      if (IsKnown) {
        S.Result = readSettled(*C->Kernel);
        continue;
      }
      S.Settler = std::make_unique<KernelSettler>(M, TM, *C, T);
      Searches.back().push_back(S.Settler.get());
    }
  }
  KernelSettler::runAll(Searches, CommandLine.Limits);
  for (auto [C, S] : zip_equal(Kernels, All)) {
    if (S.Settler)
      S.Result = S.Settler->settle();
    bool IsStock = !S.Result || S.Result->choosesStock();
    if (IsStock && !C->Fixed)
      forgetRoundings(*C->Kernel);
    if (!S.Settler || !S.Result)
      continue;
    writeSettled(*C->Kernel, *S.Result);
    if (T.Known && S.Settler->isRepeatable())
      T.Known->keep(*C->Kernel, C->Key, encodeDecision(*C->Kernel));
  }
  return All;
}

} // namespace regdem
