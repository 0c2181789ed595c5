//===- PtxBuilds.cpp - builds of a kernel's PTX ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxBuilds.h"

#include "CandidateBuilder.h"
#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Decision/Choice/Decide.h"
#include "regdem/Decision/Choice/FrameChoice.h"
#include "regdem/MachineCode/RawCode.h"
#include "regdem/Transform/Checker/PtxDemotionChecker.h"
#include "regdem/Transform/PtxDemoter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

namespace regdem {

/// The change for V but for what it demotes.
static PtxChange changeWithoutDemotion(const Build &V, const PtxKernel &K,
                                       PtxRounding Rounding) {
  PtxChange Change;
  Change.SmemSpilling = V.SmemSpilling;
  bool HasOwnCap = K.Goal && !K.Goal->CapIsNew;
  if (V.What != Decision::Stock && !HasOwnCap) {
    Change.MinBlocks = V.MinBlocks;
    if (!V.MinBlocks)
      Change.MaxRegs = V.MaxRegs;
  }
  bool NeedsThreads = V.MovedBytes || V.What == Decision::Demote;
  if (NeedsThreads && !K.Facts.statesBlockSize()) {
    Change.Threads = K.Facts.Threads;
    if (!Change.MaxRegs) // Knowing them, ptxas might take more.
      Change.MaxRegs = K.Stock.Regs;
  }
  if (!(Change == PtxChange()) || NeedsThreads)
    Change.Body = K.editsFor(Rounding);
  return Change;
}

PtxChange changeFor(const Build &V, const PtxKernel &K, PtxRounding Rounding) {
  PtxChange Change = changeWithoutDemotion(V, K, Rounding);
  if (V.What != Decision::Demote)
    return Change;
  const DemotionPlan &Plan = K.planFor(V);
  SlotLayout Slots = layOutSlots(Plan, K.Graph->Graph, K.Facts.Threads,
                                 /*AtEnd=*/false);
  append_range(Change.Body,
               demoteInPtx(*K.File, *K.File->find(K.Facts.Name), *K.Graph, Plan,
                           Slots, alignTo(Slots.bytes(), K.Facts.regionUnit()),
                           K.Facts.Dims));
  return Change;
}

Error checkChange(const Build &V, const PtxKernel &K, PtxRounding Rounding) {
  if (V.What != Decision::Demote)
    return Error::success();
  auto TextWith = [&](const PtxChange &Change) {
    return PtxFile(K.File->isolated(K.Facts.Name, Change));
  };
  return checkPtxDemotion(TextWith(changeWithoutDemotion(V, K, Rounding)),
                          TextWith(changeFor(V, K, Rounding)), K.Facts.Name);
}

PtxBuilds::PtxBuilds(const PtxKernel &K, const Ptxas &Assembler)
    : MovesFrames(!K.Facts.HostStatesShared && !K.IsRelocatable), K(K),
      Assembler(Assembler), Paid(K.Limit), Count(Paid, /*IsLast=*/true) {
  Finishing.Promised.Others = K.promises();
  Finishing.SharedLimit = K.O.SharedLimit;
  Finishing.Choose = chooseMove;
  Finishing.Limits = K.O.Limits;
}

/// The kernel by itself with Change.
Ptxas::Job PtxBuilds::jobFor(const PtxChange &Change) const {
  return {K.File->isolated(K.Facts.Name, Change), K.IsRelocatable,
          /*KeepCubin=*/true, /*LineTable=*/false, K.O.PtxasFlags};
}

/// R with what its plan says; refused where there is none, or the checker does.
Build PtxBuilds::planned(const BuildRecipe &R) {
  Build V(R);
  if (!K.Graph)
    return V;
  V.PressureAfter = maxPressure(K.Graph->Graph);
  if (R.What != Decision::Demote)
    return V;
  if (R.SmemSpilling) {
    V.Refusal = "ptxas's spilling to shared memory goes without slots";
    return V;
  }
  const DemotionPlan &Plan = K.planFor(R);
  static_cast<PlanFigures &>(V) = figuresOf(Plan, K.Graph->Graph);
  if (Plan.empty() || Rounding == PtxRounding::Fused) // Of other PTX.
    V.Refusal = "no value can be demoted";
  else if (Error E = checkChange(V, K, Rounding))
    Fault = V.Refusal = "the checker refused: " + toString(std::move(E));
  return V;
}

/// Builds of Wanted, each of the kernel by itself.
std::optional<std::vector<Build>>
PtxBuilds::assemble(ArrayRef<BuildRecipe> Wanted) {
  TimeTraceScope Scope("RegDem ptxas", K.Facts.Name);
  std::vector<Build> Built;
  std::vector<Ptxas::Job> Jobs;
  for (const BuildRecipe &R : Wanted)
    if (!Built.emplace_back(planned(R)).isRefused())
      Jobs.push_back(jobFor(changeFor(Built.back(), K, Rounding)));
  Expected<std::vector<PtxasFigures>> Figures =
      Assembler.attempt(Jobs, K.Facts.ArchName, K.O.Limits);
  if (!Figures) {
    Problem = toString(Figures.takeError());
    return std::nullopt;
  }
  auto Its = Figures->begin();
  for (Build &V : Built) {
    if (V.isRefused())
      continue;
    PtxasFigures &F = *Its++;
    V = rated(V, F, statedLaunch(K.Facts, K.O), *K.Limits);
    V.Program = std::make_shared<const std::string>(std::move(F.Cubin));
    if (std::string Why = whyUnsafe(V); !V.isRefused() && !Why.empty()) {
      static_cast<Residency &>(V) = Residency();
      V.Refusal = Why;
    }
    if (FirstRefusal.empty())
      FirstRefusal = V.Refusal;
  }
  return Built;
}

/// What runs of the kernel's program with Body; none where ptxas makes none.
std::optional<std::string>
PtxBuilds::programWith(std::vector<PtxEdit> Body) const {
  PtxChange Change;
  Change.Body = std::move(Body);
  auto Made = expectedToOptional(
      Assembler.assemble(jobFor(Change), K.Facts.ArchName, K.O.Limits));
  if (!Made)
    return std::nullopt;
  return loadedPartsOf(Made->front().Cubin);
}

/// Finds out how ptxas's own program rounds, for other builds to do the same:
/// it is the one that is made of PTX which says so.
void PtxBuilds::proveRoundings() {
  if (ProductsAreSafe)
    return;
  bool HasOpen = !K.Facts.RoundedApart.empty();
  ProductsAreSafe = !HasOpen && !K.Facts.HasUnstatedProducts;
  if (!HasOpen || K.Facts.HasUnstatedProducts)
    return;
  auto Its = programWith({});
  for (PtxRounding R : {PtxRounding::Apart, PtxRounding::Fused})
    if (Its && !Its->empty() && Its == programWith(K.editsFor(R))) {
      ProductsAreSafe = true;
      Rounding = R;
      return;
    }
}

/// Why V, which ptxas has made, might give other results; empty: it does not.
std::string PtxBuilds::whyUnsafe(const Build &V) const {
  if (V.What == Decision::Stock)
    return "";
  // Who states a cap gets what ptxas makes of that.
  bool IsAskedFor = K.Goal && K.Goal->CapIsNew && !V.SmemSpilling &&
                    V.What != Decision::Demote;
  if (!*ProductsAreSafe && !IsAskedFor)
    return "may fuse other products with sums then: compile with -fmad=false";
  if (V.spillBytes() && K.Facts.HasJumpTable)
    return "may lose values that it spills where a table says where control "
           "goes";
  return "";
}

/// Whether kernel Name of Program takes the registers and the frame of V, as
/// the program says: ptxas's words have recursive callees' frames apart.
static bool takes(StringRef Program, const std::string &Name, const Build &V) {
  auto All = expectedToOptional(figuresOfKernels(Program));
  if (!All || !All->count(Name))
    return false;
  const KernelFigures &Its = All->at(Name);
  return Its.Registers == V.Regs && Its.FrameBytes == V.FrameBytes;
}

/// Makes Stock by itself; false where that is not what ptxas has made of it
/// among others.
bool PtxBuilds::assembleStock(Build &Stock) {
  auto Alone = assemble(Stock.recipe());
  if (!Alone)
    return false;
  Build &V = Alone->front();
  if (V.isRefused() || !takes(*V.Program, K.Facts.Name, Stock)) {
    Problem = V.isRefused() ? "alone, " + Assembler.describe(V.Refusal)
                            : "ptxas makes other code of it alone than among "
                              "the file's kernels";
    return false;
  }
  Stock = std::move(V);
  return true;
}

std::optional<std::vector<Build>>
PtxBuilds::make(ArrayRef<BuildRecipe> Wanted) {
  std::vector<BuildRecipe> Taken = Count.take(Wanted, K.Facts);
  Wanted = Taken;
  std::vector<Build> Built;
  if (!Wanted.empty() && Wanted.front().What == Decision::Stock) {
    Build Stock = K.Stock;
    Stock.recipe() = Wanted.front();
    // How much of a frame is spill code is all that is not known of it; it has
    // none if that is just as large as its arrays.
    bool HasArraysOnly =
        !K.Facts.HasCalls && Stock.FrameBytes == K.Facts.LocalBytes;
    if (Stock.FrameBytes && !HasArraysOnly && !assembleStock(Stock))
      return std::nullopt;
    Built.push_back(std::move(Stock));
    Wanted = Wanted.drop_front();
  }
  if (Wanted.empty())
    return Built;
  proveRoundings();
  auto Others = assemble(Wanted);
  if (!Others)
    return std::nullopt;
  append_range(Built, *Others);
  return Built;
}

std::optional<std::vector<ReadBuild>> PtxBuilds::read(ArrayRef<Build> Made) {
  std::vector<Build> Builds = Made.vec();
  std::vector<StringRef> Cubins;
  for (Build &V : Builds) {
    if (!V.Program && !assembleStock(V))
      return std::nullopt;
    Cubins.push_back(*V.Program);
  }
  auto Kernels = decodeKernels(Cubins, K.Facts.Name);
  if (!Kernels) {
    Problem = toString(Kernels.takeError());
    IsUnread = true;
    return std::nullopt;
  }
  std::vector<ReadBuild> Result, Moved;
  for (auto [V, Code] : zip_equal(Builds, *Kernels)) {
    Result.push_back({V, Summaries.summarize(Code)});
    if (auto Of = moved(V, std::move(Code)))
      Moved.push_back(std::move(*Of));
  }
  llvm::move(Moved, std::back_inserter(Result));
  return Result;
}

/// V, built so that its frame can move: with the threads of a block.
std::optional<Build> PtxBuilds::withThreads(Build V) {
  if (K.Facts.statesBlockSize())
    return V;
  proveRoundings();
  if (!*ProductsAreSafe)
    return std::nullopt;
  V.MovedBytes = V.FrameBytes;
  Ptxas::Job Job = jobFor(changeFor(V, K, Rounding));
  V.MovedBytes = 0;
  auto Figures =
      expectedToOptional(Assembler.attempt(Job, K.Facts.ArchName, K.O.Limits));
  if (!Figures || !Figures->front().Refusal.empty())
    return std::nullopt;
  V = rated(V, Figures->front(), statedLaunch(K.Facts, K.O), *K.Limits);
  V.Program =
      std::make_shared<const std::string>(std::move(Figures->front().Cubin));
  return V;
}

/// V, which is Code, with its frame moved; none where that cannot be or is not
/// expected to pay.
std::optional<ReadBuild> PtxBuilds::moved(const Build &V, SassKernel Code) {
  if (!MovesFrames || !V.FrameBytes || !K.Facts.knowsBlockSize())
    return std::nullopt;
  std::optional<Build> From = withThreads(V);
  if (!From || !From->FrameBytes)
    return std::nullopt;
  if (From->Program != V.Program) {
    auto Read = expectedToOptional(decodeKernel(*From->Program, K.Facts.Name));
    if (!Read)
      return std::nullopt;
    Code = std::move(*Read);
  }
  auto Frame = expectedToOptional(
      chosenWay(*From->Program, K.Facts.Name, Code, Finishing));
  if (!Frame)
    return std::nullopt;
  return ReadBuild{
      withMovedFrame(*From, *Frame, *K.Limits),
      Summaries.summarize(withMovedFrame(std::move(Code), *Frame))};
}

bool PtxBuilds::moves(const Build &V) const {
  auto Finished =
      expectedToOptional(finishProgram(*V.Program, Assembler, Finishing));
  return Finished && any_of(Finished->Frames, [&](const FrameResult &F) {
           return F.Moved && F.Kernel == K.Facts.Name &&
                  F.MovedBytes == V.MovedBytes;
         });
}

} // namespace regdem
