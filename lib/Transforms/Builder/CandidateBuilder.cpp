//===- CandidateBuilder.cpp - compile one kernel in several ways ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateBuilder.h"

#include "KernelIsolation.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Choice/FrameChoice.h"
#include "regdem/Options.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace regdem {

CandidateBuilder::CandidateBuilder(const Module &M, const Function &Kernel,
                                   const TargetMachine &TM, CapOrigin CapFrom,
                                   FinalProgram Is)
    : TM(TM), KernelName(Kernel.getName().str()), CapFrom(CapFrom) {
  std::unique_ptr<Module> Clone = isolateKernel(Kernel, M);
  // Copies of a kernel by its own name are the same to the assembler.
  StringRef Own = Kernel.getName().split(LaunchBuildSuffix).first;
  if (!Clone->getNamedValue(Own)) {
    Clone->getFunction(KernelName)->setName(Own);
    KernelName = Own.str();
  }
  raw_svector_ostream OS(Source.Bitcode);
  WriteBitcodeToFile(*Clone, OS, /*ShouldPreserveUseListOrder=*/true);
  Source.DiscardsNames = M.getContext().shouldDiscardValueNames();
  IsWholeModule =
      Clone->size() == M.size() && Clone->global_size() == M.global_size();
  Relocatable = needsLinker(*Clone);
  Options O = cantFail(optionsFor(Kernel, commandLineOptions()));
  KernelFacts Facts = collectKernelFacts(Kernel, O);
  MustLinkBothWays = Facts.HasCalls && CapFrom != CapOrigin::Own &&
                     Is == FinalProgram::Unknown;
  Arch = Facts.Arch;
  ArchName = Facts.ArchName;
  Stated = statedLaunch(Facts, O);
  DynamicShared = O.DynamicSmem;
  IsForLaunches = Facts.launchesAddShared();
  MayFuseOtherwise = O.MayFuseOtherwise;
  Limits = O.Limits;
}

void CandidateBuilder::prepare(ArrayRef<Variant> Wanted) {
  std::vector<std::pair<Rewrite, PreparedIR *>> Missing;
  for (const Variant &V : Wanted)
    if (auto [At, IsNew] = Prepared.try_emplace(rewritesOfIR(V.Rewrites));
        IsNew)
      Missing.emplace_back(At->first, &At->second);
  forEachInParallel(Missing.size(), Limits.Jobs, [&](size_t I) {
    auto [Rewrites, Into] = Missing[I];
    Expected<ModuleImage> Image =
        prepareCandidate(Source, KernelName, TM, Rewrites);
    if (Image)
      Into->Image = std::move(*Image);
    else
      Into->Problem = toString(Image.takeError());
  });
}

bool CandidateBuilder::compileTogether(
    ArrayRef<Variant> Wanted,
    function_ref<void(size_t, CandidateText)> Finished) {
  TimeTraceScope Scope("RegDem generate PTX", KernelName);
  prepare(Wanted);
  std::vector<std::optional<Expected<CandidateText>>> Compiled(Wanted.size());
  forEachInParallel(Wanted.size(), Limits.Jobs, [&](size_t I) {
    const PreparedIR &From = Prepared.at(rewritesOfIR(Wanted[I].Rewrites));
    if (From.Problem.empty())
      Compiled[I].emplace(compileCandidate(
          From.Image, KernelName, TM, Wanted[I], CapFrom == CapOrigin::Free));
    else
      Compiled[I].emplace(createStringError(From.Problem));
  });
  bool Succeeded = true;
  for (size_t I = 0; I != Wanted.size(); ++I) {
    if (Expected<CandidateText> &Result = *Compiled[I]) {
      Finished(I, std::move(*Result));
    } else {
      Problem = toString(Result.takeError());
      Succeeded = false;
    }
  }
  return Succeeded;
}

/// Whether V's text differs from that of a plain build in directives only.
/// Another order depends on the cap, which a plain build has where it is the
/// kernel's anyway.
bool CandidateBuilder::isLikePlain(const Variant &V) const {
  return V.What != Decision::Pragma && V.What != Decision::Demote &&
         (V.Order == InstOrder::Source || CapFrom != CapOrigin::Free);
}

/// The text of V where it is like that of a plain build, which must have been
/// compiled.
std::optional<CandidateText>
CandidateBuilder::deriveFromPlain(const Variant &V) const {
  if (!isLikePlain(V))
    return std::nullopt;
  const CandidateText &From = Plain.at({V.Rewrites, V.Order});
  std::optional<std::string> PTX = From.PTX;
  if (V.What == Decision::Cap || V.MaxRegs)
    PTX =
        withEntryDirectives(From.PTX, V.MinBlocks ? 0 : V.MaxRegs, V.MinBlocks);
  if (!PTX)
    return std::nullopt;
  CandidateText Result = From;
  Result.PTX = std::move(*PTX);
  Result.Shown = V;
  Result.Shown.PressureAfter = From.Shown.PressureAfter;
  Result.Shown.WordsInFlight = From.Shown.WordsInFlight;
  return Result;
}

std::optional<std::vector<CandidateText>>
CandidateBuilder::textsOf(ArrayRef<Variant> Wanted) {
  std::vector<PlainBuild> Builds;
  for (const Variant &V : Wanted)
    if (isLikePlain(V))
      Builds.emplace_back(V.Rewrites, V.Order);
  if (!compilePlain(Builds))
    return std::nullopt;
  std::vector<CandidateText> Texts(Wanted.size());
  std::vector<size_t> Places; // Of those that code generation is needed for.
  std::vector<Variant> Others;
  for (size_t I = 0; I != Wanted.size(); ++I) {
    auto Known = find_if(
        Measured, [&](auto &M) { return isSameBuild(M.first, Wanted[I]); });
    if (std::optional<CandidateText> Derived = deriveFromPlain(Wanted[I])) {
      Texts[I] = std::move(*Derived);
    } else if (Known != Measured.end()) {
      Texts[I] = Known->second;
    } else {
      Places.push_back(I);
      Others.push_back(Wanted[I]);
    }
  }
  auto Finished = [&](size_t I, CandidateText T) {
    Texts[Places[I]] = std::move(T);
  };
  if (!compileTogether(Others, Finished))
    return std::nullopt;
  return Texts;
}

bool CandidateBuilder::assemble(ArrayRef<CandidateText> Texts,
                                const Ptxas &Assembler, bool KeepCode) {
  TimeTraceScope Scope("RegDem ptxas", KernelName);
  std::vector<Ptxas::Job> Jobs;
  for (const CandidateText &T : Texts)
    if (Assembled.try_emplace(T.PTX).second)
      Jobs.push_back({T.PTX, Relocatable, KeepCode});
  size_t Distinct = Jobs.size();
  if (MustLinkBothWays && !Relocatable)
    for (size_t I = 0; I != Distinct; ++I)
      Jobs.push_back({Jobs[I].PTX, /*Relocatable=*/true, /*KeepCubin=*/false});
  Expected<std::vector<PtxasFigures>> Figures =
      Assembler.assemble(Jobs, ArchName, Limits);
  if (!Figures) {
    Problem = toString(Figures.takeError());
    for (size_t I = 0; I != Distinct; ++I)
      Assembled.erase(Jobs[I].PTX);
    return false;
  }
  for (size_t I = 0; I != Distinct; ++I)
    Assembled[Jobs[I].PTX] = std::move((*Figures)[I]);
  return true;
}

void CandidateBuilder::rate(Variant &V, const PtxasFigures &Figures) const {
  V.Regs = Figures.Regs;
  V.SpillStoreBytes = Figures.SpillStoreBytes;
  V.SpillLoadBytes = Figures.SpillLoadBytes;
  V.FrameBytes = Figures.FrameBytes;
  V.StaticShared =
      Figures.StaticShared + addedBytes(V.ThreadBytes, Stated.Threads);
  V.Alone = followProgram(Figures.Cubin);
  setResidency(V, Stated, *lookupSMLimits(Arch));
}

std::optional<std::vector<Variant>>
CandidateBuilder::build(ArrayRef<Variant> Wanted, const Ptxas &Assembler,
                        bool KeepCode) {
  Problem.clear();
  std::optional<std::vector<CandidateText>> Texts = textsOf(Wanted);
  if (!Texts || !assemble(*Texts, Assembler, KeepCode))
    return std::nullopt;
  std::vector<Variant> Built;
  for (const CandidateText &T : *Texts) {
    auto Program = Assembled.find(T.PTX);
    Built.push_back(T.Shown);
    rate(Built.back(), Program->second);
    Programs.emplace_back(T.Shown, Program->first());
  }
  return Built;
}

StringRef CandidateBuilder::cubinOf(const Variant &V) const {
  for (const auto &[Known, PTX] : Programs)
    if (isSameBuild(Known, V))
      return Assembled.find(PTX)->second.Cubin;
  llvm_unreachable("only what was built has a program");
}

std::optional<FrameResult>
CandidateBuilder::movableFrame(StringRef Cubin, const SassKernel &Code) const {
  FrameRoom Room{Stated.Threads, 0};
  Expected<std::vector<FrameResult>> Ways = waysToMove(
      Cubin, KernelName, Code, DynamicShared, IsForLaunches ? &Room : nullptr);
  if (!Ways) {
    consumeError(Ways.takeError());
    return std::nullopt;
  }
  Expected<size_t> Chosen = chooseMove(*Ways, Code);
  if (!Chosen) {
    consumeError(Chosen.takeError());
    return std::nullopt;
  }
  return std::move((*Ways)[*Chosen]);
}

/// Nothing but the arrays of threads is in shared memory, where these never
/// meet in a bank.
static void clearConflicts(VariantCode &Code) {
  for (TraceStep &S : Code.Trace)
    if (S.Unit == TraceUnit::SharedLoad || S.Unit == TraceUnit::SharedStore)
      S.IsScattered = false;
}

std::optional<std::vector<VariantCode>>
CandidateBuilder::readCode(std::vector<Variant> &Wanted, CodeReader &Reader,
                           bool MovesFrames) {
  TimeTraceScope Scope("RegDem nvdisasm", KernelName);
  std::vector<StringRef> Cubins;
  for (const Variant &V : Wanted)
    Cubins.push_back(cubinOf(V));
  Expected<std::vector<SassKernel>> Kernels =
      Reader.read(Cubins, ArchName, Limits);
  if (!Kernels) {
    Problem = toString(Kernels.takeError());
    return std::nullopt;
  }
  std::vector<Variant> Moved;
  std::vector<VariantCode> Codes, MovedCodes;
  auto Stock = Plain.find(PlainBuild{Rewrite()});
  for (auto [V, Cubin, K] : zip_equal(Wanted, Cubins, *Kernels)) {
    ArrayRef<LoopWork> Rolled;
    if (has(V.Rewrites, Rewrite::UnrollLoops))
      Rolled = RolledLoops;
    // Where arrays may become registers, loops may be unrolled completely.
    if (!CountsLoops)
      CountsLoops = Stock != Plain.end() &&
                    !hasAll(Stock->second.Idle, ArrayRewrites) &&
                    showsInnerCounts(K);
    Codes.push_back(summarize(K, Rolled, *CountsLoops));
    if (has(V.Rewrites, Rewrite::SharedArrays) && Stock != Plain.end() &&
        !StringRef(Stock->second.PTX).contains(".shared"))
      clearConflicts(Codes.back());
    if (RolledLoops.empty() && !has(V.Rewrites, Rewrite::UnrollLoops))
      RolledLoops = Codes.back().InnermostLoops;
    // Slots lie where the frame would.
    if (!MovesFrames || !V.FrameBytes || V.ThreadBytes)
      continue;
    if (std::optional<FrameResult> Frame = movableFrame(Cubin, K)) {
      Moved.push_back(withMovedFrame(V, *Frame, *lookupSMLimits(Arch)));
      MovedCodes.push_back(summarize(withMovedFrame(std::move(K), *Frame),
                                     Rolled, *CountsLoops));
    }
  }
  append_range(Wanted, Moved);
  Codes.insert(Codes.end(), std::make_move_iterator(MovedCodes.begin()),
               std::make_move_iterator(MovedCodes.end()));
  return Codes;
}

std::optional<Variant>
CandidateBuilder::finish(const Variant &V, const Ptxas &Assembler,
                         const Disassembler &Reader) const {
  TimeTraceScope Scope("RegDem finish", KernelName);
  std::map<std::string, FrameRoom> AtEnd;
  if (IsForLaunches)
    AtEnd[KernelName] = {Stated.Threads, 0};
  Expected<FinishedProgram> Finished = finishWhatPays(
      cubinOf(V), Assembler, Reader, DynamicShared, std::move(AtEnd), Limits);
  if (!Finished) {
    consumeError(Finished.takeError());
    return std::nullopt;
  }
  for (const FrameResult &F : Finished->Frames)
    if (F.Moved && F.Kernel == KernelName)
      return withMovedFrame(V, F, *lookupSMLimits(Arch));
  return std::nullopt;
}

// Builds without demotion and directives: stock's, rewritten ones and those in
// another order, and what they show without ptxas.

bool CandidateBuilder::compilePlain(ArrayRef<PlainBuild> Wanted) {
  std::set<PlainBuild> Missing;
  for (const PlainBuild &B : Wanted)
    if (!Plain.count(B))
      Missing.insert(B);
  std::vector<Variant> Variants;
  for (const PlainBuild &B : Missing) {
    Variant V; // As the stock compiler builds it otherwise.
    V.Rewrites = B.Rewrites;
    V.Order = B.Order;
    Variants.push_back(V);
  }
  return compileTogether(Variants, [&](size_t I, CandidateText T) {
    Plain.emplace(PlainBuild(Variants[I].Rewrites, Variants[I].Order),
                  std::move(T));
  });
}

const CandidateText *CandidateBuilder::stockText() {
  const PlainBuild Stock{Rewrite()};
  if (!Plain.count(Stock)) {
    // In one go: of most kernels no other build is compiled.
    Expected<CandidateText> Text = compileCandidate(
        Source, KernelName, TM, Variant(), CapFrom == CapOrigin::Free);
    if (!Text) {
      Problem = toString(Text.takeError());
      return nullptr;
    }
    Plain.emplace(Stock, std::move(*Text));
  }
  return &Plain.at(Stock);
}

std::optional<unsigned> CandidateBuilder::pressure() {
  if (const CandidateText *Stock = stockText())
    return Stock->Shown.PressureAfter;
  return std::nullopt;
}

std::optional<std::vector<unsigned>>
CandidateBuilder::pressures(ArrayRef<Variant> Wanted) {
  Problem.clear();
  Measured.clear();
  std::optional<std::vector<CandidateText>> Texts = textsOf(Wanted);
  if (!Texts)
    return std::nullopt;
  std::vector<unsigned> Words;
  for (auto [V, Text] : zip_equal(Wanted, *Texts)) {
    Words.push_back(Text.Shown.PressureAfter);
    if (!isLikePlain(V))
      Measured.emplace_back(V, std::move(Text));
  }
  return Words;
}

/// Whether a plain build with O fuses the products that one with Sunk does.
/// Sinking moves products, unrolling changes the code around them, joining
/// which blocks ptxas makes conditional, rewrites of arrays say so; the other
/// passes are about integers alone.
bool CandidateBuilder::isExact(Rewrite O, Rewrite Sunk) const {
  const CandidateText &Text = Plain.at(O);
  if (Text.HasOtherArithmetic || Text.FusesOtherwise)
    return false;
  bool KeepsProducts =
      has(O, Rewrite::SkipMachineSink) == has(Sunk, Rewrite::SkipMachineSink) &&
      has(O, Rewrite::UnrollLoops) == has(Sunk, Rewrite::UnrollLoops) &&
      has(O, Rewrite::JoinBranches) == has(Sunk, Rewrite::JoinBranches);
  return KeepsProducts ||
         (!Text.HasDistantProduct && !Plain.at(Sunk).HasDistantProduct);
}

bool CandidateBuilder::mayFuseOtherwise(Rewrite O) {
  return !stockText() || !compilePlain(PlainBuild(O)) || !isExact(O, Rewrite());
}

std::vector<Rewrite>
CandidateBuilder::worthwhileRewrites(ArrayRef<Rewrite> Single) {
  constexpr Rewrite None{};
  const CandidateText *Stock = stockText();
  if (!Stock)
    return {};
  auto PressureOf = [this](Rewrite O) {
    return Plain.at(O).Shown.PressureAfter;
  };
  auto Lowers = [&](Rewrite O, Rewrite From) {
    return isLessBy(Tuned.Relief, PressureOf(O), PressureOf(From));
  };
  auto MayFuse = [this](Rewrite O, Rewrite Sunk) {
    return MayFuseOtherwise || isExact(O, Sunk);
  };
  const Rewrite Idle = Stock->Idle;
  std::vector<PlainBuild> Tried;
  for (Rewrite O : Single)
    if ((O | Idle) != Idle)
      Tried.emplace_back(O);
  compilePlain(Tried); // One that cannot be compiled is not worth a build.
  std::vector<Rewrite> Result, UnseenByPressure;
  for (const PlainBuild &B : Tried) {
    Rewrite O = B.Rewrites;
    if (!Plain.count(O) || !MayFuse(O, None))
      continue;
    if (has(O, Rewrite::SkipSLSR) || has(O, Rewrite::ChainAddresses) ||
        has(O, Rewrite::FoldCopies) || has(O, Rewrite::UnrollLoops) ||
        has(O, FreeRewrites))
      UnseenByPressure.push_back(O);
    else if (Lowers(O, None))
      Result.push_back(O);
  }
  if (Result.size() == 2) {
    Rewrite Both = Result[0] | Result[1];
    if (compilePlain(PlainBuild(Both)) && Lowers(Both, Result[0]) &&
        Lowers(Both, Result[1]) && MayFuse(Both, Rewrite::SkipLoopReduce))
      Result.push_back(Both);
  }
  stable_sort(Result, [&](Rewrite A, Rewrite B) {
    return PressureOf(A) < PressureOf(B);
  });
  append_range(Result, UnseenByPressure);
  return Result;
}

bool CandidateBuilder::hasFreeRewrites() {
  const CandidateText *Stock = stockText();
  return Stock && !hasAll(Stock->Idle, FreeRewrites);
}

bool CandidateBuilder::hasDistantProduct() {
  const CandidateText *Stock = stockText();
  return Stock && Stock->HasDistantProduct;
}

bool CandidateBuilder::hasOpenProduct() {
  const CandidateText *Stock = stockText();
  return !Stock || Stock->HasOpenProduct;
}

std::optional<std::string> CandidateBuilder::stockCode(const Ptxas &Assembler) {
  const CandidateText *Stock = stockText();
  if (!Stock)
    return std::nullopt;
  Ptxas::Job Job{Stock->PTX, Relocatable, /*KeepCubin=*/true};
  auto Figures = Assembler.assemble(Job, ArchName, Limits);
  if (!Figures) {
    consumeError(Figures.takeError());
    return std::nullopt;
  }
  return std::move(Figures->front().Cubin);
}

std::optional<std::string> CandidateBuilder::wholeStockText() {
  const CandidateText *Stock = IsWholeModule ? stockText() : nullptr;
  if (!Stock || !Stock->IsSilent)
    return std::nullopt;
  return Stock->PTX;
}

bool CandidateBuilder::hasJumpTable() const {
  return any_of(Plain, [](const auto &Built) {
    return StringRef(Built.second.PTX).contains("brx.idx");
  });
}

} // namespace regdem
