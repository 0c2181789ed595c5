//===- PtxKernel.cpp - a kernel of a PTX file -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxKernel.h"

#include "regdem/MachineCode/RawCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace regdem {

/// Whether F has bounds of its own, for which ptxas ignores -maxrregcount. It
/// ignores .minnctapersm alone.
static bool hasBounds(const PtxFunction &F) {
  return any_of(ArrayRef({".maxntid", ".reqntid", ".maxnreg"}),
                [&](StringRef Name) { return F.find(Name); });
}

Expected<PtxKernel> readPtxKernel(const PtxProgram &P, const PtxFile &File,
                                  const PtxFunction &F, const Options &O,
                                  const KernelFigures &Its) {
  Expected<bool> Selected = isSelected(F.Name, O);
  if (!Selected)
    return Selected.takeError();
  PtxKernel K;
  K.File = &File;
  K.O = O;
  K.O.PtxasFlags = P.Flags;
  K.IsRelocatable = P.IsRelocatable;
  K.IsOptedOut = !*Selected;
  auto Found = P.Launches.find(F.Name);
  const NotedLaunches *Noted =
      Found == P.Launches.end() ? nullptr : &Found->second;
  if (Noted && !K.O.BlockSize)
    K.O.BlockSize = Noted->Threads;
  if (Noted && Noted->MostDynamic)
    K.O.DynamicSmem =
        std::max(K.O.DynamicSmem.value_or(0), *Noted->MostDynamic);
  K.Facts = collectPtxFacts(File, F, P.ArchName, K.O);
  K.Facts.UsesDynamicShared |= Noted && !Noted->MostDynamic;
  if (Noted && Noted->Threads == K.Facts.Threads)
    K.Noted = Noted;
  K.Facts.StaticShared = Its.StaticShared + sharedToBeLinked(P.Cubin, F.Name);
  K.Facts.HostStatesShared =
      P.StatesCarveout || (P.StatesDynamic && K.Facts.UsesDynamicShared);
  if (!P.FusesProducts) {
    K.Facts.RoundedApart.clear();
    K.Facts.RoundedFused.clear();
    K.Facts.HasUnstatedProducts = false;
  }
  if (P.MaxRegs && P.MaxRegs < MaxRegsRange.High && !hasBounds(F))
    K.Facts.MaxRegs = P.MaxRegs;
  K.Limits = lookupSMLimits(K.Facts.Arch);
  K.Stock.Regs = Its.Registers;
  K.Stock.FrameBytes = Its.FrameBytes;
  K.Stock.StaticShared = static_cast<unsigned>(K.Facts.StaticShared);
  K.Stock.CodeBytes = static_cast<unsigned>(codeBytesOf(P.Cubin, F.Name));
  if (K.Limits) {
    K.Stock = residentAt(statedLaunch(K.Facts, K.O), K.Stock, *K.Limits);
    if (!statedObjective(K.Facts, K.O, *K.Limits))
      K.O.RunMode = Mode::Auto;
  }
  if (K.IsOptedOut)
    K.Because = Obstacle::NotSelected;
  else if (K.IsRelocatable && K.Facts.HasCalls)
    K.Because = Obstacle::LinkedCallee;
  else
    K.Because = findObstacle(K.Facts, K.O);
  if (mayTryBuilds(K.Because, K.Facts, K.O)) {
    K.Because = Obstacle::None;
    K.Goal = statedObjective(K.Facts, K.O, *K.Limits);
  } else if (!K.IsOptedOut) {
    K.Goal = capDespite(K.Because, K.Facts, K.O);
    K.IsHeld = K.Goal.has_value();
  }
  if (K.Because == Obstacle::None && !K.Goal && !P.Launches.empty() && !Noted)
    K.Because = Obstacle::NotNoted;
  return K;
}

Promises PtxKernel::promises() const {
  Promises P = promisesOf(Facts, O, Goal);
  if (!Goal)
    P.MaxRegs = Facts.MaxRegs;
  return P;
}

std::vector<PtxEdit> PtxKernel::editsFor(PtxRounding R) const {
  if (R == PtxRounding::None)
    return {};
  return R == PtxRounding::Apart ? Facts.RoundedApart : Facts.RoundedFused;
}

void PtxKernel::readGraph() {
  if (IsRelocatable || findSharedObstacle(Facts) != Obstacle::None ||
      !Facts.knowsBlockSize() || Facts.HasIndirectCalls ||
      Facts.AsksForSmemSpilling)
    return;
  if (File->code().contains("regdem")) {
    NoGraph = "it has names that RegDem gives";
    return;
  }
  auto Read = readPtxGraph(File->bodyOf(*File->find(Facts.Name)));
  if (Read)
    Graph = std::make_shared<const PtxGraph>(std::move(*Read));
  else
    NoGraph = toString(Read.takeError());
}

BuildRecipe PtxKernel::cappedAlone() const {
  BuildRecipe Capped;
  Capped.What = Goal ? Decision::Cap : Decision::Stock;
  Capped.MaxRegs = Goal ? Goal->MaxRegs : 0;
  return Capped;
}

const DemotionPlan &PtxKernel::planFor(const BuildRecipe &R) const {
  auto [Plan, IsNew] = Plans.try_emplace(R);
  if (IsNew) {
    Objective Its =
        Goal ? *Goal : objectiveForCap(Facts, O, *Limits, R.MaxRegs);
    Plan->second = planDemotion(Graph->Graph,
                                {R.Target, Its.maxWords(Facts.Threads), R.How});
  }
  return Plan->second;
}

} // namespace regdem
