//===- CandidateBuilder.cpp - compile one kernel in several ways ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateBuilder.h"

#include "CalleeCopies.h"
#include "KernelIsolation.h"
#include "StockRoundings.h"
#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Analysis/KernelHash.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "regdem/Decision/Choice/FrameChoice.h"
#include "regdem/MachineCode/PtxText.h"
#include "regdem/MachineCode/RawCode.h"
#include "regdem/Options.h"
#include "regdem/Toolchain/Invocation.h"
#include "regdem/Toolchain/Parallel.h"
#include "regdem/Transform/FixedRounding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <set>

using namespace llvm;

namespace regdem {

bool endsInWholeProgram(const Options &O) {
  return O.Pragma == Permission::On || runEndsInPlainPtxas();
}

/// The functions of M that have bodies. An isolated kernel's module may keep
/// others as declarations: annotations name them.
static size_t definitionsOf(const Module &M) {
  return count_if(M, [](const Function &F) { return !F.isDeclaration(); });
}

CandidateBuilder::CandidateBuilder(const Module &M, const Function &Kernel,
                                   const TargetMachine &TM, CapOrigin CapFrom,
                                   std::shared_ptr<CompiledTexts> Texts)
    : TM(TM), Texts(std::move(Texts)), KernelName(Kernel.getName().str()),
      CapFrom(CapFrom),
      Opts(cantFail(optionsFor(Kernel, commandLineOptions()))) {
  std::unique_ptr<Module> Clone = isolateKernel(Kernel, M);
  // Copies of a kernel by its own name are the same to the assembler.
  StringRef Own = kernelOfBuild(Kernel.getName());
  if (!Clone->getNamedValue(Own)) {
    Clone->getFunction(KernelName)->setName(Own);
    KernelName = Own.str();
  }
  // So are they to code generation where the size does not matter. So is the
  // kernel, unless it has bounds or a freedom that its copies do not have.
  Function &Copy = *Clone->getFunction(KernelName);
  Copy.setComdat(nullptr); // PTX has none.
  KnownRoundings = roundingsOf(Copy).str();
  stateCallees(Copy);
  if (launchSize(Copy)) {
    if (Copy.hasFnAttribute("nvvm.maxntid") ||
        Copy.hasFnAttribute("nvvm.reqntid") ||
        commandLineOptions().MayFuseOtherwise)
      setLaunchSize(Copy, {LaunchBuildSizes[0], std::nullopt});
    else
      clearLaunchSize(Copy);
  }
  raw_svector_ostream OS(Source.Image.Bitcode);
  WriteBitcodeToFile(*Clone, OS, /*ShouldPreserveUseListOrder=*/true);
  Source.Image.DiscardsNames = M.getContext().shouldDiscardValueNames();
  Source.Digest = digest(OS.str());
  Source.KernelName = KernelName;
  Source.CapIsFree = CapFrom == CapOrigin::Free;
  IsWholeModule = !knowsRoundings() &&
                  definitionsOf(*Clone) == definitionsOf(M) &&
                  Clone->global_size() == M.global_size();
  Relocatable = runIsRelocatable() || needsLinker(*Clone);
  if (std::optional<Outcome> Settled = readSettled(Kernel))
    Opts = optionsUnder(Opts, *Settled); // What a profile states is promised.
  Facts = collectKernelFacts(Kernel, Opts);
  MustLinkBothWays =
      Facts.HasCalls && CapFrom != CapOrigin::Own && !endsInWholeProgram(Opts);
  Stated = statedLaunch(Facts, Opts);
  Finishing.Promised.Others = promisesOf(Facts, Opts);
  Finishing.SharedLimit = Opts.SharedLimit;
  Finishing.Choose = chooseMove;
  Finishing.Limits = Opts.Limits;
  if (Facts.launchesAddShared())
    Finishing.Orders[KernelName] = {FrameOrder::AtEnd, Stated.Threads,
                                    /*Stride=*/0};
  SmallVector<const Function *, 4> All = {&Kernel};
  append_range(All, calledFunctions(Kernel));
  Roundings Are =
      findRoundings(All, TM.Options.AllowFPOpFusion == FPOpFusion::Fast);
  HasOpenRoundings = !knowsRoundings() &&
                     (Are == Roundings::Open || Are == Roundings::Reorderable);
}

Expected<const CandidateText &>
CandidateBuilder::compile(const BuildRecipe &Wanted, bool InOneGo) const {
  bool IsFixed = needsRoundings(Wanted.Rewrites) && knowsRoundings();
  return Texts->compile(IsFixed ? Fixed : Source, TM, Wanted,
                        threadsFor(Wanted, Facts), InOneGo);
}

std::optional<std::vector<CandidateText>>
CandidateBuilder::compileAll(ArrayRef<BuildRecipe> Wanted) {
  // Threads that compile equal ones would wait for each other.
  std::set<BuildRecipe> Different(Wanted.begin(), Wanted.end());
  std::vector<BuildRecipe> Recipes(Different.begin(), Different.end());
  forEachInParallel(Recipes.size(), Opts.Limits.Jobs, [&](size_t I) {
    consumeError(compile(Recipes[I], /*InOneGo=*/false).takeError());
  });
  std::vector<CandidateText> Compiled;
  bool Succeeded = true;
  for (const BuildRecipe &R : Wanted) {
    // What has been made above.
    Expected<const CandidateText &> Text = compile(R, /*InOneGo=*/false);
    if (!Text) {
      Problem = toString(Text.takeError());
      Succeeded = false;
      continue;
    }
    if (R == plain(R.Rewrites, R.Order))
      Plain.try_emplace(R, *Text);
    Compiled.push_back(*Text);
  }
  if (!Succeeded)
    return std::nullopt;
  return Compiled;
}

/// Whether R's text differs from that of a plain build in directives only.
/// Another order depends on the cap, which a plain build has where it is the
/// kernel's anyway.
bool CandidateBuilder::isLikePlain(const BuildRecipe &R) {
  auto HasTables = [this] {
    const CandidateText *Text = stockText();
    return Text && StringRef(Text->PTX).contains("brx.idx");
  };
  bool HasPlainBranches =
      R.changesCode() || keepsTables(R, StockBuild ? &*StockBuild : nullptr);
  return R.What != Decision::Pragma && R.What != Decision::Demote &&
         (R.Order == InstOrder::Source || CapFrom != CapOrigin::Free) &&
         (HasPlainBranches || !HasTables());
}

/// PTX with Change to its only kernel; none where it has another number of
/// them. Builds that differ in a cap only have the same code otherwise.
static std::optional<std::string> withChange(StringRef PTX,
                                             const PtxChange &Change) {
  PtxFile File(PTX);
  std::map<std::string, PtxChange> Changes;
  for (const PtxFunction &F : File.functions())
    if (F.IsEntry)
      Changes[F.Name] = Change;
  if (Changes.size() != 1)
    return std::nullopt;
  return File.changed(Changes);
}

std::optional<std::vector<CandidateText>>
CandidateBuilder::textsOf(ArrayRef<BuildRecipe> Wanted) {
  std::vector<BuildRecipe> Sources; // What is compiled for each.
  for (const BuildRecipe &R : Wanted)
    Sources.push_back(isLikePlain(R) ? plain(R.Rewrites, R.Order) : R);
  std::optional<std::vector<CandidateText>> Texts = compileAll(Sources);
  if (!Texts)
    return std::nullopt;
  for (auto [R, Text] : zip_equal(Wanted, *Texts)) {
    if (!isLikePlain(R) || (R.What != Decision::Cap && !R.MaxRegs))
      continue;
    PtxChange Change;
    (R.MinBlocks ? Change.MinBlocks : Change.MaxRegs) =
        R.MinBlocks ? R.MinBlocks : R.MaxRegs;
    if (auto PTX = withChange(Text.PTX, Change)) {
      Text.PTX = std::move(*PTX);
    } else if (auto Own = compileAll(R)) {
      Text = std::move(Own->front());
    } else {
      return std::nullopt;
    }
  }
  return Texts;
}

Ptxas::Job CandidateBuilder::jobFor(const CandidateText &Text,
                                    bool IsRelocatable, bool KeepCode) const {
  return {Text.PTX, IsRelocatable, KeepCode, /*LineTable=*/false,
          Opts.PtxasFlags};
}

std::optional<std::vector<PtxasFigures>>
CandidateBuilder::assemble(ArrayRef<CandidateText> Texts,
                           const Ptxas &Assembler) {
  TimeTraceScope Scope("RegDem ptxas", KernelName);
  std::vector<Ptxas::Job> Jobs;
  for (const CandidateText &T : Texts)
    Jobs.push_back(jobFor(T, Relocatable, /*KeepCode=*/true));
  if (MustLinkBothWays && !Relocatable)
    for (const CandidateText &T : Texts)
      Jobs.push_back(jobFor(T, /*IsRelocatable=*/true, /*KeepCode=*/false));
  Expected<std::vector<PtxasFigures>> Figures =
      Assembler.attempt(Jobs, Facts.ArchName, Opts.Limits);
  if (!Figures) {
    Problem = toString(Figures.takeError());
    return std::nullopt;
  }
  for (size_t I = Texts.size(); I != Figures->size(); ++I)
    if (std::string &Refusal = (*Figures)[I - Texts.size()].Refusal;
        Refusal.empty())
      Refusal = (*Figures)[I].Refusal;
  Figures->resize(Texts.size());
  return std::move(*Figures);
}

Build rated(Build V, const PtxasFigures &Figures, const Launch &Stated,
            const SMLimits &Limits) {
  V.Regs = Figures.Regs;
  V.SpillStoreBytes = Figures.SpillStoreBytes;
  V.SpillLoadBytes = Figures.SpillLoadBytes;
  V.FrameBytes = Figures.FrameBytes;
  V.StaticShared = static_cast<unsigned>(
      Figures.StaticShared + sharedToBeLinked(Figures.Cubin) +
      addedBytes(V.ThreadBytes, Stated.Threads));
  V.Refusal = Figures.Refusal;
  if (V.isRefused())
    return V;
  V.CodeBytes = static_cast<unsigned>(codeBytesOf(Figures.Cubin));
  return residentAt(Stated, V, Limits);
}

std::optional<std::vector<Build>>
CandidateBuilder::build(ArrayRef<BuildRecipe> Wanted, const Ptxas &Assembler) {
  Problem.clear();
  std::optional<std::vector<CandidateText>> Texts = textsOf(Wanted);
  if (!Texts)
    return std::nullopt;
  std::optional<std::vector<PtxasFigures>> Figures =
      assemble(*Texts, Assembler);
  if (!Figures)
    return std::nullopt;
  std::vector<Build> Built;
  for (auto [R, T, F] : zip_equal(Wanted, *Texts, *Figures)) {
    Built.push_back(
        rated(Build(R, T.Planned), F, Stated, *lookupSMLimits(Facts.Arch)));
    Built.back().Program =
        std::make_shared<const std::string>(std::move(F.Cubin));
    if (R.isStock())
      StockBuild = Built.back();
  }
  return Built;
}

Expected<Build> CandidateBuilder::move(const Build &V) const {
  Expected<SassKernel> Code = decodeKernel(*V.Program);
  if (!Code)
    return Code.takeError();
  Expected<FrameResult> Frame =
      chosenWay(*V.Program, KernelName, *Code, Finishing);
  if (!Frame)
    return Frame.takeError();
  return withMovedFrame(V, *Frame, *lookupSMLimits(Facts.Arch));
}

/// Nothing but the arrays of threads is in shared memory, where these never
/// meet in a bank.
static void clearConflicts(CodeSummary &Code) {
  for (TraceStep &S : Code.Trace)
    if (S.Unit == TraceUnit::SharedLoad || S.Unit == TraceUnit::SharedStore)
      S.IsScattered = false;
}

std::optional<std::vector<ReadBuild>>
CandidateBuilder::readCode(ArrayRef<Build> Wanted, bool MovesFrames) {
  TimeTraceScope Scope("RegDem read code", KernelName);
  std::vector<StringRef> Cubins;
  for (const Build &V : Wanted)
    Cubins.push_back(*V.Program);
  Expected<std::vector<SassKernel>> Kernels = decodeKernels(Cubins);
  if (!Kernels) {
    Problem = toString(Kernels.takeError());
    return std::nullopt;
  }
  std::vector<ReadBuild> Result, Moved;
  auto Stock = Plain.find(BuildRecipe());
  // Where arrays may become registers or calls are inlined, loops may be
  // unrolled completely, as some are by themselves.
  if (!Summaries)
    Summaries.emplace(
        /*MayUnroll=*/Stock != Plain.end() &&
        (Stock->second.UnrollsFully ||
         has(~Stock->second.Idle,
             Rewrite::LowerArrays | Rewrite::InlineCalls)));
  for (auto [V, Cubin, K] : zip_equal(Wanted, Cubins, *Kernels)) {
    CodeSummary Code = Summaries->summarize(K, V.Rewrites);
    if (has(V.Rewrites, Rewrite::LowerArrays) && Stock != Plain.end() &&
        !StringRef(Stock->second.PTX).contains(".shared"))
      clearConflicts(Code);
    Result.push_back({V, std::move(Code)});
    // Slots lie where the frame would.
    if (!MovesFrames || !V.FrameBytes || V.ThreadBytes)
      continue;
    if (auto Frame =
            expectedToOptional(chosenWay(Cubin, KernelName, K, Finishing)))
      Moved.push_back({withMovedFrame(V, *Frame, *lookupSMLimits(Facts.Arch)),
                       Summaries->summarize(
                           withMovedFrame(std::move(K), *Frame), V.Rewrites)});
  }
  llvm::move(Moved, std::back_inserter(Result));
  return Result;
}

// Builds without demotion and directives: stock's, rewritten ones and those in
// another order, and what they show without ptxas.

const CandidateText *CandidateBuilder::stockText() {
  const BuildRecipe Stock;
  if (!Plain.count(Stock)) {
    // In one go: of most kernels no other build is compiled.
    Expected<const CandidateText &> Text = compile(Stock, /*InOneGo=*/true);
    if (!Text) {
      Problem = toString(Text.takeError());
      return nullptr;
    }
    Plain.emplace(Stock, *Text);
  }
  return &Plain.at(Stock);
}

std::optional<std::vector<unsigned>>
CandidateBuilder::pressures(ArrayRef<BuildRecipe> Wanted) {
  Problem.clear();
  std::optional<std::vector<CandidateText>> Texts = textsOf(Wanted);
  if (!Texts)
    return std::nullopt;
  std::vector<unsigned> Words;
  for (const CandidateText &Text : *Texts)
    Words.push_back(Text.Planned.PressureAfter);
  return Words;
}

std::optional<std::string> CandidateBuilder::wholeStockText() {
  const CandidateText *Stock = IsWholeModule ? stockText() : nullptr;
  if (!Stock || !Stock->IsSilent)
    return std::nullopt;
  return Stock->PTX;
}

bool CandidateBuilder::mayHaveFrame() {
  const CandidateText *Stock = stockText();
  return Stock && (StringRef(Stock->PTX).contains(".local") ||
                   StringRef(Stock->PTX).contains("call"));
}

} // namespace regdem
