//===- Settling.cpp - what the tools settle for one kernel ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settling.h"

#include "KnownDecisions.h"
#include "StockRoundings.h"
#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Analysis/Legality.h"
#include "regdem/Analysis/SmemSpilling.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Choice/Search.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Toolchain/Invocation.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

constexpr const char *LeftAsItIs = "the kernel is left as it is";

/// The builds of one kernel that one search asks for.
class KernelBuilds final : public BuildSource {
public:
  KernelBuilds(CandidateBuilder &Builder, const Tools &T, const Candidate &C,
               bool MovesFrames)
      : Builder(Builder), T(T), C(C), MovesFrames(MovesFrames), Own(C.Limit),
        Share(C.Paid ? *C.Paid : Own, C.PaysLast) {}

  std::optional<std::vector<Build>>
  make(ArrayRef<BuildRecipe> Wanted) override {
    std::vector<BuildRecipe> Taken = Share.take(Wanted, C.Facts);
    if (Taken.empty())
      return std::vector<Build>();
    auto Built = Builder.build(Taken, T.Assembler, /*KeepCode=*/true);
    if (!Built)
      return Built;
    for (const Build &V : *Built)
      if (FirstRefusal.empty())
        FirstRefusal = V.Refusal;
    return Built;
  }
  size_t left() const override { return Share.left(); }
  bool endedEarly() const { return Share.endedEarly(); }
  std::optional<std::vector<ReadBuild>> read(ArrayRef<Build> Made) override {
    auto Result = Builder.readCode(Made, T.Reader, MovesFrames);
    IsUnread |= !Result;
    return Result;
  }
  std::vector<Rewrite> worthwhile(ArrayRef<Rewrite> Single) override {
    // Where loops are over local arrays, unrolled ones share accesses.
    Rewrite Saving = C.Facts.LocalBytes ? MemoryRewrites : AccessRewrites;
    bool SavesAccesses =
        any_of(Single, [Saving](Rewrite R) { return has(R, Saving); });
    if (!SavesAccesses && C.Limit.Builds && *C.Limit.Builds < BuildsOfRewrites)
      return {};
    return Builder.worthwhileRewrites(
        Single, T.Assembler, T.Reader,
        [this](unsigned Cost) { return Share.pay(Cost); });
  }
  std::optional<std::vector<unsigned>>
  pressures(ArrayRef<BuildRecipe> Wanted) override {
    return Builder.pressures(Wanted);
  }

  /// Made beside what is built, at the stated launch; none where code cannot be
  /// read.
  std::optional<std::vector<Build>> predict(ArrayRef<Build> Made) {
    auto Code = read(Made);
    if (!Code)
      return std::nullopt;
    return predictTogether(std::move(*Code), statedLaunch(C.Facts, C.O),
                           {*lookupSMLimits(C.Facts.Arch), C.O.Limits.Jobs});
  }

  std::string FirstRefusal; ///< By ptxas; empty: it takes all.
  bool IsUnread = false;    ///< Some code could not be read.

private:
  CandidateBuilder &Builder;
  const Tools &T;
  const Candidate &C;
  bool MovesFrames;
  PaidBuilds Own; ///< Where no other search has them in common.
  PaidBuilds::Share Share;
};

/// The build without the minimum of blocks that C's launch bounds ask for,
/// where stock's spills for them and it is expected to be much faster than what
/// S settles.
std::optional<UnboundedBuild>
tellUnbounded(const Candidate &C, const Outcome &S, KernelBuilds &From) {
  const Build *Stock = S.stock();
  const Build *Chosen = S.chosen();
  bool IsBoundedBySource =
      C.Facts.MinBlocks && !C.Facts.MaxRegs && !C.Goal->CapIsNew;
  if (C.O.RunMode != Mode::Auto || !IsBoundedBySource || !Stock->spillBytes() ||
      !Chosen->BlocksPerSM)
    return std::nullopt;
  auto Built = From.make(liftedLimit());
  if (!Built || Built->empty() || !Built->front().BlocksPerSM ||
      Built->front().Regs <= Chosen->Regs)
    return std::nullopt;
  std::vector<Build> Unread = {Built->front()};
  if (!Chosen->Cycles)
    Unread.push_back(*Chosen);
  std::optional<std::vector<Build>> Predicted = From.predict(Unread);
  if (!Predicted)
    return std::nullopt;
  double Gain = 1 - Predicted->front().Cycles /
                        (Chosen->Cycles ? Chosen : &Predicted->back())->Cycles;
  if (Gain < Tuned.GainWorthTelling)
    return std::nullopt;
  return UnboundedBuild{Built->front().Regs, Built->front().BlocksPerSM, Gain};
}

} // namespace

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

FinalProgram programOf(const KernelFacts &Facts, const Options &O) {
  bool IsWhole =
      Facts.HasCalls && (O.Pragma == Permission::On || runEndsInPlainPtxas());
  return IsWhole ? FinalProgram::Whole : FinalProgram::Unknown;
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

/// Instructions of C's kernel and of what it calls, before code generation.
static unsigned instructionsOf(const Candidate &C) {
  unsigned Count = 0;
  for (const Function *F : withCalledFunctions(*C.Kernel))
    Count += F->getInstructionCount();
  return Count;
}

void setLimits(ArrayRef<Candidate *> Kernels, const Module &M,
               const Options &CommandLine) {
  std::vector<Candidate *> Searched;
  std::vector<KernelWork> Work;
  for (Candidate *C : Kernels)
    if (!C->Fixed) {
      Searched.push_back(C);
      Work.push_back({instructionsOf(*C),
                      C->Goal.has_value() || C->Facts.LocalBytes,
                      C->Goal && C->Goal->CapIsNew, C->Facts.Shown.isAny()});
    }
  for (auto [C, Limit] : zip_equal(
           Searched, limitsFor(CommandLine, M.getInstructionCount(), Work)))
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
  C.Is = programOf(C.Facts, O);
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
  R.Keep = promisesOf(C.Facts, C.O);
  if (C.Goal)
    R.Keep.MaxRegs = C.Goal->MaxRegs;
  R.Expected = figuresOf(V, Threads);
  return R;
}

CandidateBuilder KernelSearch::newBuilder() const {
  return CandidateBuilder(M, *C.Kernel, TM, capOrigin(C.Goal), C.Is, T.Texts);
}

KernelSearch::KernelSearch(const Module &M, const TargetMachine &TM,
                           const Candidate &C, const Tools &T)
    : M(M), TM(TM), C(C), T(T), Builds(newBuilder()),
      MovesFrames(C.MovesFrames) {
  if (!C.Roundings.empty())
    Builds.knowRoundings(C.Roundings);
}

/// Notes what problem From has with the kernel, or else why ptxas refuses it,
/// and what comes of that.
void KernelSearch::warn(const CandidateBuilder &From, StringRef Refusal,
                        const char *Consequence) {
  std::string Problem =
      From.problem().empty() ? T.Assembler.describe(Refusal) : From.problem();
  Warnings.push_back("'" + shownName(C.Kernel->getName()) + "': " + Problem +
                     "; " + Consequence);
}

/// Searches for what Builder's builds settle; nothing, with a warning noted,
/// where a tool fails.
void KernelSearch::run(CandidateBuilder &Builder) {
  TimeTraceScope Scope("RegDem search", C.Kernel->getName());
  Result.reset();
  if (C.Fixed) {
    Result = readSettled(*C.Kernel).value_or(Outcome());
    return;
  }
  Question Q{C.Facts, C.O, *lookupSMLimits(C.Facts.Arch), C.Goal};
  Q.MaySpillToShared = C.MaySpillToShared;
  Q.MovesFrames = MovesFrames;
  Q.InPlace = C.InPlace;
  Q.IsForAnyLaunch = C.IsForAnyLaunch;
  KernelBuilds From(Builder, T, C, MovesFrames);
  if (const CandidateText *Stock = Builder.stockText())
    Q.OfMemory = memoryRewrites(Stock->Idle, C.Limit);
  if (C.Goal) {
    Result = search(Q, From);
  } else if (const CandidateText *Stock = Builder.stockText()) {
    Q.Pressure = Stock->Planned.PressureAfter;
    Result = isSurelyNotLimited(Q) ? freelyStock(Reason::NotRegisterLimited)
                                   : search(Q, From);
  }
  if (!Result)
    return warn(Builder, From.FirstRefusal, LeftAsItIs);
  if (C.Goal)
    Result->Unbounded = tellUnbounded(C, *Result, From);
  if (From.IsUnread)
    warn(Builder, From.FirstRefusal, "nothing but its cap is tried");
  // A callee may need more registers than a cap leaves it.
  if (!C.Goal && Result->choosesStock() &&
      any_of(Result->Builds,
             [](const Build &V) { return blamesCallee(V.Refusal); }))
    Result->Why = Reason::CalleesNeedMore;
  Result->EndedEarly = From.endedEarly();
}

/// Has what is settled move its frame where that is expected to be faster and
/// was not decided among builds: the kernel was built in one way only, or not
/// at all. Builds that launches choose have been compared with and without.
/// If users are to be told of a kernel that nobody has assembled, whether ptxas
/// gives it a frame at all is found out, too.
void KernelSearch::settleFrame(CandidateBuilder &Builder) {
  if (!Result || (!MovesFrames && !C.IsToldOf) || C.Facts.launchesAddShared())
    return;
  std::vector<Build> Now;
  if (const Build *Chosen = Result->chosen()) {
    Now = {*Chosen};
  } else if (C.Fixed || Builder.mayHaveFrame()) {
    auto Built = Builder.build(C.Fixed.value_or(BuildRecipe()), T.Assembler,
                               /*KeepCode=*/true);
    if (!Built)
      return; // Nothing but the frame depends on it.
    Now = std::move(*Built);
  }
  if (!Result->Chosen && !C.Fixed && !C.Goal && !Now.empty() &&
      !Now.front().isRefused() && !(MovesFrames && Now.front().FrameBytes)) {
    Result->Builds = std::move(Now);
    Result->Chosen = 0;
    return;
  }
  if (Now.empty() || !MovesFrames || !Now.front().Program ||
      !Now.front().FrameBytes || Now.front().MovedBytes)
    return;
  Expected<Build> Moved = Builder.move(Now.front(), T.Reader);
  if (!Moved) {
    Result->Staying = {Now.front().FrameBytes, toString(Moved.takeError())};
    return;
  }
  if (!Result->Chosen)
    append_range(Result->Builds, Now);
  Result->Builds.push_back(*Moved);
  Result->Chosen = Result->Builds.size() - 1;
}

void KernelSearch::runAll(ArrayRef<std::vector<KernelSearch *>> Groups,
                          const ToolLimits &Limits) {
  forEachInParallel(Groups.size(), Limits.Jobs, [&](size_t I) {
    for (KernelSearch *S : Groups[I]) {
      S->run(S->Builds);
      S->settleFrame(S->Builds);
    }
  });
}

/// Builds what is settled once more, as the kernel is now, and has Result tell
/// the figures of that; false, with a warning noted, where a tool fails.
bool KernelSearch::rebuildChosen() {
  CandidateBuilder Anew = newBuilder();
  if (const Build *Stock = Result->stock())
    Anew.knowStock(*Stock);
  const Build &Chosen = *Result->chosen();
  bool Moves = Chosen.MovedBytes != 0;
  auto Built = Anew.build(Chosen.recipe(), T.Assembler,
                          Moves || C.Facts.launchesAddShared());
  if (!Built || Built->front().isRefused()) {
    warn(Anew, Built ? Built->front().Refusal : "", LeftAsItIs);
    return false;
  }
  if (Moves) {
    auto Moved = expectedToOptional(Anew.move(Built->front(), T.Reader));
    if (!Moved) {
      MovesFrames = false;
      run(Anew);
      return Result.has_value();
    }
    Built->front() = *Moved;
  }
  Result->Builds[*Result->Chosen] = Built->front();
  return true;
}

/// Has the kernel state how the stock build rounds, where what is settled would
/// round in another way or might: what ptxas fuses with sums of other blocks
/// depends on the cap and on what is demoted. Whether the build that is settled
/// is another one then.
bool KernelSearch::stateRoundings() {
  if (!roundingsOf(*C.Kernel).empty())
    return false;
  bool WasBuiltSo = Builds.needsRoundings(Result->chosen()->Rewrites);
  if (!WasBuiltSo)
    if (const CandidateText *Stock = Builds.stockText();
        !Stock || !Stock->HasCrossBlockFMA)
      return false;
  if (!Builds.fixRoundings(T.Assembler, T.Reader,
                           [](unsigned) { return true; }))
    return false;
  stateFinalRoundings(*C.Kernel, Builds.roundings());
  return !WasBuiltSo;
}

/// Has the kernel say where its rewrites may fuse other products.
void KernelSearch::noteFusing() {
  const Build *Chosen = Result ? Result->chosen() : nullptr;
  if (Chosen && C.O.MayFuseOtherwise && any(Chosen->Rewrites) &&
      Builds.mayFuseOtherwise(Chosen->Rewrites))
    setFusesOtherwise(*C.Kernel);
}

std::optional<Outcome> KernelSearch::settle() {
  if (!C.Fixed && Result && !Result->choosesStock()) {
    bool WereStated = !roundingsOf(*C.Kernel).empty();
    if (stateRoundings() && !rebuildChosen())
      Result.reset();
    bool IsStock = !Result || Result->choosesStock();
    if (IsStock && !WereStated)
      for (Function *F : withCalledFunctions(*C.Kernel))
        setRoundings(*F, "");
  }
  if (Builds.areRoundingsUnknown())
    setRoundings(*C.Kernel, RoundingsUnknown);
  noteFusing();
  for (const std::string &Warning : Warnings)
    reportWarning(C.Kernel->getContext(), Warning);
  return std::move(Result);
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
  std::vector<std::vector<KernelSearch *>> Searches;
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
      S.Search = std::make_unique<KernelSearch>(M, TM, *C, T);
      Searches.back().push_back(S.Search.get());
    }
  }
  KernelSearch::runAll(Searches, CommandLine.Limits);
  for (auto [C, S] : zip_equal(Kernels, All)) {
    if (!S.Search)
      continue;
    S.Result = S.Search->settle();
    if (!S.Result)
      continue;
    writeSettled(*C->Kernel, *S.Result);
    if (T.Known && S.Search->isRepeatable())
      T.Known->keep(*C->Kernel, C->Key, encodeDecision(*C->Kernel));
  }
  return All;
}

} // namespace regdem
