//===- SettlePtx.cpp - how the kernels of a PTX file are built ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Builder/SettlePtx.h"

#include "DecisionCache.h"
#include "PtxBuilds.h"
#include "regdem/Analysis/KernelHash.h"
#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Analysis/SmemSpilling.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Decision/Choice/Decide.h"
#include "regdem/Decision/Choice/FrameChoice.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

namespace {

/// One PTX file on its way.
class PtxSettler {
public:
  PtxSettler(const PtxProgram &P, const Options &O, const Ptxas &Assembler)
      : P(P), O(O), Assembler(Assembler), File(P.PTX) {}

  Expected<SettledPtx> run();

private:
  Error readKernels();
  void openCache();
  std::string keyOf(const PtxKernel &K) const;
  void settle(PtxKernel &K) const;
  void settleAll();
  FinishSettings settings() const;
  std::map<std::string, PtxChange> changes() const;
  Expected<FinishedProgram> finished(StringRef Cubin) const;
  Expected<FinishedProgram> buildChanged(std::string &Culprit) const;
  Error check(StringRef Cubin, std::string &Culprit) const;
  void drop(StringRef Culprit, StringRef Why);
  Outcome decided(PtxKernel &K, ArrayRef<FrameResult> Frames) const;

  const PtxProgram &P;
  const Options &O;
  const Ptxas &Assembler;
  PtxFile File;
  std::map<std::string, KernelFigures> Before; ///< Of ptxas's own program.
  std::vector<PtxKernel> Kernels;
  std::optional<DecisionCache> Cache;
  std::string Programs; ///< keyOfPrograms(); empty: nothing is cached.
  std::vector<std::string> Warnings, Notes;
};

/// What is to change in K's PTX, if anything is.
std::optional<PtxChange> changeOf(const PtxKernel &K) {
  const Build *Chosen = K.Result ? K.Result->chosen() : nullptr;
  if (!Chosen)
    return std::nullopt;
  PtxChange Change = changeFor(*Chosen, K, K.Rounding);
  return Change == PtxChange() ? std::nullopt : std::optional(Change);
}

/// Whether ptxas takes the pragma for spilling to shared memory in K's kernel.
static bool maySpillToShared(const PtxFile &File, const PtxKernel &K) {
  return !K.IsRelocatable && knowsSmemSpilling(File.version()) &&
         K.Facts.statesBlockSize() && !K.Facts.UsesDynamicShared &&
         !K.O.DynamicSmem.value_or(0) && !K.Facts.HasCalls &&
         !K.Facts.AsksForSmemSpilling &&
         findSharedObstacle(K.Facts) == Obstacle::None;
}

Error PtxSettler::readKernels() {
  auto Figures = figuresOfKernels(P.Cubin);
  if (!Figures)
    return Figures.takeError();
  Before = std::move(*Figures);
  for (const PtxFunction &F : File.functions()) {
    if (!F.IsEntry)
      continue;
    auto Its = Before.find(F.Name);
    if (Its == Before.end() && P.WhyKept.empty())
      return createStringError("ptxas's program lacks '" + F.Name + "'");
    if (Its == Before.end()) // ptxas was told to leave it out.
      continue;
    auto K = readPtxKernel(P, File, F, O, Its->second);
    if (!K)
      return K.takeError();
    Kernels.push_back(std::move(*K));
  }
  if (Kernels.size() != Before.size())
    return createStringError("its PTX was not understood");
  return Error::success();
}

void PtxSettler::openCache() {
  Cache = DecisionCache::open(O.Cache);
  if (!Cache)
    return;
  if (!Cache->refusal().empty()) {
    bool IsStated = O.Cache != Options().Cache;
    (IsStated ? Warnings : Notes)
        .push_back("decisions are not cached: " + Cache->refusal());
    Cache.reset();
    return;
  }
  Programs = keyOfPrograms(*Cache, Assembler);
}

std::string PtxSettler::keyOf(const PtxKernel &K) const {
  if (Programs.empty())
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "decision on PTX 3\n"
     << Programs << K.Facts.Name << " " << K.Facts.ArchName << " "
     << K.Facts.MaxRegs << " " << K.Facts.UsesDynamicShared << " "
     << K.Facts.HostStatesShared << " " << P.IsRelocatable << "\n";
  addOptions(OS, K.O);
  if (K.Noted)
    for (const NotedGrid &G : K.Noted->Grids)
      OS << "grid " << G.BlocksOnSM << " " << G.Share << "\n";
  OS << "limit " << K.Limit << " \n" << File.isolated(K.Facts.Name, {});
  return digest(Text);
}

/// The build of R, with nothing else tried; none where that cannot be made.
static std::optional<Outcome> builtAs(const BuildRecipe &R, PtxBuilds &From) {
  auto Made = From.make({BuildRecipe(), R});
  if (!Made || Made->back().isRefused())
    return std::nullopt;
  return settledOn(std::move(*Made), 1);
}

/// Has the frame of what is settled move where it has not been decided among
/// builds, and where what finishes the program could not: it does not know how
/// many threads there are.
static void moveFrame(PtxKernel &K, Outcome &Settled, PtxBuilds &From) {
  const Build &Chosen = *Settled.chosen();
  if (K.Facts.statesBlockSize() || !K.Facts.knowsBlockSize() ||
      !Chosen.FrameBytes)
    return;
  auto Read = From.read(Chosen);
  if (!Read || Read->size() < 2)
    return;
  Settled.Builds.push_back(Read->back().Of);
  Settled.Chosen = Settled.Builds.size() - 1;
}

/// Searches for the best build of K's kernel.
void PtxSettler::settle(PtxKernel &K) const {
  // Nothing is to be done for a cap that it keeps to anyway.
  if (K.Goal && !K.O.Stated && K.Stock.Regs <= K.Goal->MaxRegs &&
      !K.Stock.FrameBytes) {
    K.Result = settledOn({K.Stock}, 0);
    return;
  }
  Question Q{K.Facts, K.O, *K.Limits, K.Goal};
  Q.MaySpillToShared = maySpillToShared(File, K);
  Q.MayOrder = false;
  Q.MayDemote = K.Graph != nullptr;
  if (K.Graph)
    Q.Pressure = maxPressure(K.Graph->Graph);
  PtxBuilds From(K, Assembler);
  Q.MovesFrames = From.MovesFrames;
  Q.Noted = K.Noted;
  auto Decide = [&]() -> std::optional<Outcome> {
    if (K.IsHeld)
      return builtAs(K.cappedAlone(), From);
    if (!K.O.Stated)
      return search(Q, From);
    BuildRecipe R = *K.O.Stated;
    if (R.What == Decision::Demote && (!K.Graph || K.planFor(R).empty()))
      R = K.cappedAlone();
    auto Made = builtAs(R, From);
    if (Made)
      Made->IsStated = true;
    return Made;
  };
  K.Result = Decide();
  if (K.Result && !K.Result->chosen()->MovedBytes)
    moveFrame(K, *K.Result, From);
  if (K.Result && K.Result->chosen()->MovedBytes &&
      !From.moves(*K.Result->chosen())) {
    From.MovesFrames = Q.MovesFrames = false;
    K.Result = Decide();
  }
  K.Rounding = From.rounding();
  K.Fault = From.Fault;
  if (K.Result)
    K.Result->EndedEarly = From.endedEarly();
  else
    K.Problem = !From.Problem.empty() ? From.Problem
                : !From.FirstRefusal.empty()
                    ? Assembler.describe(From.FirstRefusal)
                    : From.Fault;
  K.IsUnread = From.IsUnread;
}

/// Whether anything of what is settled needs a graph.
static bool demotes(const Outcome &Settled) {
  return Settled.What == Decision::Demote ||
         (Settled.chosen() && Settled.chosen()->What == Decision::Demote);
}

/// Before a decision in the cache: how open products are rounded under it, in
/// the order of PtxRounding.
static constexpr StringLiteral RoundingTexts[] = {"", "products apart\n",
                                                  "products fused\n"};

void PtxSettler::settleAll() {
  std::vector<PtxKernel *> Open;
  std::vector<KernelWork> Work;
  unsigned All = 0;
  for (PtxKernel &K : Kernels) {
    unsigned Size = K.Stock.CodeBytes / unsigned(InstructionBytes);
    All += Size;
    K.Result = settledOn({K.Stock}, 0);
    if (!P.WhyKept.empty() || (K.Because != Obstacle::None && !K.IsHeld))
      continue;
    Work.push_back({Size, K.Goal.has_value(), K.Goal && K.Goal->CapIsNew});
    Open.push_back(&K);
  }
  for (auto [K, Limit] : zip_equal(Open, FileBudget(O, All, Work).limits(Work)))
    K->Limit = Limit;
  erase_if(Open, [](PtxKernel *K) {
    bool IsLeft = K->Limit < BuildsToCompare;
    if (IsLeft && !K->Goal)
      K->Result->Why = Reason::WorkSpent;
    return IsLeft;
  });
  if (Open.empty())
    return;
  openCache();
  for (PtxKernel *K : Open) {
    K->readGraph();
    K->Key = keyOf(*K);
    if (K->Key.empty())
      continue;
    std::optional<std::string> Known = Cache->find(K->Key);
    StringRef Text = Known ? StringRef(*Known) : "";
    PtxRounding Rounding = PtxRounding::None;
    for (PtxRounding R : {PtxRounding::Apart, PtxRounding::Fused})
      if (Text.consume_front(RoundingTexts[static_cast<size_t>(R)]))
        Rounding = R;
    auto Settled = decodeOutcome(Text);
    if (Settled && (K->Graph || !demotes(*Settled))) {
      K->Result = std::move(Settled);
      K->Rounding = Rounding;
    }
  }
  erase_if(Open, [](PtxKernel *K) { return K->Result->FromCache; });
  forEachInParallel(Open.size(), O.Limits.Jobs,
                    [&](size_t I) { settle(*Open[I]); });
  for (PtxKernel *K : Open) {
    bool IsAskedFor = K->O.MaxRegs || K->O.MinBlocks;
    if (!K->Problem.empty())
      (K->IsUnread && !IsAskedFor ? Notes : Warnings)
          .push_back("'" + shownName(K->Facts.Name) + "': " + K->Problem +
                     "; the kernel is left as ptxas makes it");
    else if (!K->Fault.empty())
      Warnings.push_back("'" + shownName(K->Facts.Name) +
                         "': a demotion was left out: " + K->Fault +
                         "; please report this");
    else if (const Build *Its = K->Result->chosen();
             Its && Its->spillBytes() && !K->NoGraph.empty())
      Notes.push_back("'" + shownName(K->Facts.Name) +
                      "': nothing is demoted in its PTX: " + K->NoGraph);
    if (K->Problem.empty() && K->Result && Cache && !K->Key.empty())
      if (Error E = Cache->store(
              K->Key, RoundingTexts[static_cast<size_t>(K->Rounding)].str() +
                          encodeOutcome(*K->Result))) {
        Notes.push_back("decisions are not cached: " + toString(std::move(E)));
        Cache.reset();
      }
  }
  if (Cache)
    Cache->prune();
}

/// How frames are to move in the program that has all that is settled.
FinishSettings PtxSettler::settings() const {
  FinishSettings S;
  S.SharedLimit = O.SharedLimit;
  S.Choose = chooseMove;
  S.Limits = O.Limits;
  for (const PtxKernel &K : Kernels) {
    S.Promised.Named[K.Facts.Name] = K.promises();
    const Build *Chosen = K.Result ? K.Result->chosen() : nullptr;
    if (K.IsOptedOut || K.Facts.HostStatesShared)
      S.Orders[K.Facts.Name] = FrameOrder();
    else if (Chosen && Chosen->MovedBytes)
      S.Orders[K.Facts.Name] =
          frameOf(*Chosen, statedLaunch(K.Facts, K.O).Threads);
  }
  return S;
}

std::map<std::string, PtxChange> PtxSettler::changes() const {
  std::map<std::string, PtxChange> Changes;
  for (const PtxKernel &K : Kernels)
    if (auto Change = changeOf(K))
      Changes[K.Facts.Name] = *Change;
  return Changes;
}

/// Holds Cubin, whose frames have not moved yet, against what is promised and
/// what was settled. An error is about the kernel Culprit, if that is not
/// empty.
Error PtxSettler::check(StringRef Cubin, std::string &Culprit) const {
  auto Now = figuresOfKernels(Cubin);
  if (!Now)
    return Now.takeError();
  for (const PtxKernel &K : Kernels) {
    const std::string &Name = K.Facts.Name;
    auto Its = Now->find(Name);
    if (Its == Now->end() || Now->size() != Before.size())
      return createStringError("it has other kernels");
    const KernelFigures &Old = Before.at(Name), &New = Its->second;
    auto Parts = [](const KernelFigures &F) {
      return std::tie(F.Registers, F.StaticShared, F.FrameBytes);
    };
    if (!changeOf(K)) {
      if (Parts(Old) != Parts(New))
        return createStringError("'" + shownName(Name) + "' has changed");
      continue;
    }
    Culprit = Name;
    if (New.Registers != K.Result->chosen()->Regs)
      return createStringError("its code is not as it was by itself");
    if (Error E = checkChange(*K.Result->chosen(), K, K.Rounding))
      return E;
    if (Error E = keepsPromises(New, Old, K.promises(), *K.Limits))
      return E;
  }
  Culprit = "";
  return Error::success();
}

/// Cubin with its frames moved as is settled; as it is where it is to be linked
/// yet.
Expected<FinishedProgram> PtxSettler::finished(StringRef Cubin) const {
  if (P.IsRelocatable)
    return FinishedProgram{Cubin.str(), {}};
  return finishProgram(Cubin, Assembler, settings());
}

/// The program with all that is settled. An error is about the kernel Culprit,
/// if that is not empty.
Expected<FinishedProgram> PtxSettler::buildChanged(std::string &Culprit) const {
  Ptxas::Job Job{File.changed(changes()), P.IsRelocatable,
                 /*KeepCubin=*/true, /*LineTable=*/false, P.Flags};
  auto Built = Assembler.assemble(Job, P.ArchName, O.Limits);
  if (!Built)
    return Built.takeError();
  if (Error E = check(Built->front().Cubin, Culprit))
    return E;
  auto Finished = finished(Built->front().Cubin);
  if (!Finished)
    return Finished.takeError();
  FinishSettings Settings = settings();
  for (const FrameResult &F : Finished->Frames)
    if (!F.Moved && Settings.Orders.count(F.Kernel)) {
      Culprit = F.Kernel;
      return createStringError("its frame stays: " + F.Reason);
    }
  return Finished;
}

/// Has Culprit be as ptxas makes it or, if that is empty, all kernels.
void PtxSettler::drop(StringRef Culprit, StringRef Why) {
  Warnings.push_back((Culprit.empty() ? "kernels are left as ptxas makes them: "
                                      : "'" + shownName(Culprit) +
                                            "' is left as ptxas makes it: ") +
                     Why.str());
  for (PtxKernel &K : Kernels) {
    if (!Culprit.empty() && K.Facts.Name != Culprit)
      continue;
    K.Result = settledOn({K.Stock}, 0);
    K.Result->Why = Reason::ToolFailed;
    K.Result->LeaveAlone = true;
  }
}

/// What is told of K's kernel, whose frame may have moved since it was settled.
Outcome PtxSettler::decided(PtxKernel &K, ArrayRef<FrameResult> Frames) const {
  Outcome R = K.Result ? *K.Result : settledOn({K.Stock}, 0);
  if (!K.Result)
    R.Why = Reason::ToolFailed;
  for (const FrameResult &F : Frames) {
    const Build *Chosen = R.chosen();
    if (F.Kernel != K.Facts.Name || !Chosen || Chosen->MovedBytes)
      continue;
    if (F.Moved) {
      R.Builds.push_back(withMovedFrame(*Chosen, F, *K.Limits));
      R.Chosen = R.Builds.size() - 1;
    } else {
      R.Staying = {F.FrameBytes, F.Reason};
    }
  }
  R.Facts = K.Facts;
  R.MayDemote = K.Graph != nullptr;
  if (K.Graph)
    R.PressureBefore = R.PressureAfter = maxPressure(K.Graph->Graph);
  if (R.What == Decision::Demote) {
    const DemotionPlan &Plan = K.planFor(R);
    static_cast<PlanFigures &>(R) = figuresOf(Plan, K.Graph->Graph);
    notePlan(R, Plan);
  }
  bool IsDecided = K.Result && K.Because == Obstacle::None && P.WhyKept.empty();
  R = decideByBuilds(K.Facts, K.O,
                     IsDecided && !R.LeaveAlone ? K.Goal : std::nullopt,
                     std::move(R));
  if (K.Because != Obstacle::None) {
    R.Why = Reason::Declined;
    R.Because = K.Because;
    R.LosesCap = K.IsHeld ? K.O.MinBlocks != 0 : statesNewCap(K.Facts, K.O);
  }
  return R;
}

Expected<SettledPtx> PtxSettler::run() {
  if (Error E = readKernels())
    return E;
  settleAll();
  std::optional<FinishedProgram> Program;
  while (!Program && !changes().empty()) {
    std::string Culprit;
    if (auto Built = buildChanged(Culprit))
      Program = std::move(*Built);
    else
      drop(Culprit, toString(Built.takeError()));
  }
  if (!Program) {
    auto Finished = finished(P.Cubin);
    if (!Finished)
      return Finished.takeError();
    Program = std::move(*Finished);
  }
  SettledPtx Settled{
      std::move(Program->Cubin),  File.changed(changes()), {},
      std::move(Program->Frames), std::move(Warnings),     std::move(Notes)};
  for (PtxKernel &K : Kernels) {
    Settled.Kernels.push_back(decided(K, Settled.Frames));
    if (std::string Text = describeCapLoss(Settled.Kernels.back(), K.O);
        !Text.empty())
      Settled.Warnings.push_back(Text);
  }
  return Settled;
}

} // namespace

Expected<SettledPtx> settlePtx(const PtxProgram &P, const Options &O,
                               const Ptxas &Assembler) {
  return PtxSettler(P, O, Assembler).run();
}

} // namespace regdem
