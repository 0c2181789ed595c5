//===- KernelSettler.cpp - one kernel's builds and what they settle -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settling.h"

#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Choice/Search.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/TimeProfiler.h"

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
    auto Built = Builder.build(Taken, T.Assembler);
    if (!Built)
      return Built;
    for (const Build &V : *Built)
      if (FirstRefusal.empty())
        FirstRefusal = V.Refusal;
    return Built;
  }
  size_t left() const override { return Share.left(); }
  bool endedEarly() const { return Share.endedEarly(); }
  unsigned paid() const { return Share.paid(); }
  std::optional<std::vector<ReadBuild>> read(ArrayRef<Build> Made) override {
    auto Result = Builder.readCode(Made, MovesFrames);
    IsUnread |= !Result;
    return Result;
  }
  std::vector<Rewrite> worthwhile(ArrayRef<Rewrite> Single) override {
    // Where loops are over local arrays, unrolled ones share accesses.
    Rewrite Saving = C.Facts.LocalBytes ? MemoryRewrites : AccessRewrites;
    bool SavesAccesses =
        any_of(Single, [Saving](Rewrite R) { return has(R, Saving); });
    if (!SavesAccesses && C.Limit < BuildsOfRewrites)
      return {};
    // A stated cap asks for what keeps it.
    auto Pay = [this](ProofStep S) {
      return (C.Goal && S == ProofStep::Usual) || Share.pay(buildsOf(S));
    };
    return Builder.worthwhileRewrites(Single, T.Assembler, Pay);
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

/// The build with a minimum of one block in place of those that C's launch
/// bounds ask for, where stock's spills for them and it is expected to be much
/// faster than what S settles.
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

CandidateBuilder KernelSettler::newBuilder() const {
  return CandidateBuilder(M, *C.Kernel, TM, capOrigin(C.Goal), T.Texts);
}

KernelSettler::KernelSettler(const Module &M, const TargetMachine &TM,
                             const Candidate &C, const Tools &T)
    : M(M), TM(TM), C(C), T(T), Builds(newBuilder()),
      MovesFrames(C.MovesFrames) {}

/// Notes what problem From has with the kernel, or else why ptxas refuses it,
/// and what comes of that. That its code cannot be read is nothing to warn of
/// where nobody asks for builds of it.
void KernelSettler::warn(const CandidateBuilder &From, StringRef Refusal,
                         const char *Consequence, bool IsUnread) {
  std::string Problem =
      From.problem().empty() ? T.Assembler.describe(Refusal) : From.problem();
  std::string Text = "'" + shownName(C.Kernel->getName()) + "': " + Problem +
                     "; " + Consequence;
  bool IsAskedFor = C.Goal && C.Goal->CapIsNew;
  if (!IsUnread || IsAskedFor)
    Warnings.push_back(std::move(Text));
  else if (Unread.empty())
    Unread = std::move(Text);
}

/// Searches for what Builder's builds settle; nothing, with a warning noted,
/// where a tool fails.
void KernelSettler::run(CandidateBuilder &Builder) {
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
  const CandidateText *Stock = Builder.stockText();
  if (Stock)
    Q.OfMemory = memoryRewrites(Stock->Idle, C.Limit);
  if (C.Goal) {
    Result = search(Q, From);
  } else if (Stock) {
    Q.Pressure = Stock->Planned.PressureAfter;
    Result = isSurelyNotLimited(Q) ? freelyStock(Reason::NotRegisterLimited)
                                   : search(Q, From);
  }
  if (!Result)
    return warn(Builder, From.FirstRefusal, LeftAsItIs, From.IsUnread);
  if (C.Goal)
    Result->Unbounded = tellUnbounded(C, *Result, From);
  if (From.IsUnread)
    warn(Builder, From.FirstRefusal, "builds of it are not compared",
         /*IsUnread=*/true);
  // A callee may need more registers than a cap leaves it.
  if (!C.Goal && Result->choosesStock() &&
      any_of(Result->Builds,
             [](const Build &V) { return blamesCallee(V.Refusal); }))
    Result->Why = Reason::CalleesNeedMore;
  Result->EndedEarly = From.endedEarly();
  Result->Work = static_cast<uint64_t>(From.paid() * workOfBuild(workOf(C)));
}

/// Has what is settled move its frame where that is expected to be faster and
/// was not decided among builds: the kernel was built in one way only, or not
/// at all. Builds that launches choose have been compared with and without.
/// If users are to be told of a kernel that nobody has assembled, whether ptxas
/// gives it a frame at all is found out, too.
void KernelSettler::settleFrame(CandidateBuilder &Builder) {
  if (!Result || (!MovesFrames && !C.IsToldOf) || C.Facts.launchesAddShared())
    return;
  std::vector<Build> Now;
  if (const Build *Chosen = Result->chosen()) {
    Now = {*Chosen};
  } else if (C.Fixed || Builder.mayHaveFrame()) {
    auto Built = Builder.build(C.Fixed.value_or(BuildRecipe()), T.Assembler);
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
  Expected<Build> Moved = Builder.move(Now.front());
  if (!Moved) {
    Result->Staying = {Now.front().FrameBytes, toString(Moved.takeError())};
    return;
  }
  if (!Result->Chosen)
    append_range(Result->Builds, Now);
  Result->Builds.push_back(*Moved);
  Result->Chosen = Result->Builds.size() - 1;
}

void KernelSettler::runAll(ArrayRef<std::vector<KernelSettler *>> Groups,
                           const ToolLimits &Limits) {
  forEachInParallel(Groups.size(), Limits.Jobs, [&](size_t I) {
    for (KernelSettler *S : Groups[I]) {
      S->run(S->Builds);
      S->settleFrame(S->Builds);
    }
  });
}

/// Builds what is settled once more, as the kernel is now, and has Result tell
/// the figures of that; false, with a warning noted, where a tool fails.
bool KernelSettler::rebuildChosen() {
  CandidateBuilder Anew = newBuilder();
  if (const Build *Stock = Result->stock())
    Anew.knowStock(*Stock);
  const Build &Chosen = *Result->chosen();
  bool Moves = Chosen.MovedBytes != 0;
  auto Built = Anew.build(Chosen.recipe(), T.Assembler);
  if (!Built || Built->front().isRefused()) {
    warn(Anew, Built ? Built->front().Refusal : "", LeftAsItIs,
         /*IsUnread=*/false);
    return false;
  }
  if (Moves) {
    auto Moved = expectedToOptional(Anew.move(Built->front()));
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
/// round in another way or might. Whether the build that is settled is another
/// one then.
bool KernelSettler::stateRoundings() {
  Rewrite O = Result->chosen()->Rewrites;
  return roundingsOf(*C.Kernel).empty() && Builds.mayRoundOtherwise(O) &&
         Builds.stateRoundings(*C.Kernel, T.Assembler) &&
         !Builds.needsRoundings(O); // Else it was built so.
}

/// Has the kernel say where its rewrites may fuse other products.
void KernelSettler::noteFusing() {
  const Build *Chosen = Result ? Result->chosen() : nullptr;
  if (Chosen && C.O.MayFuseOtherwise && any(Chosen->Rewrites) &&
      Builds.mayFuseOtherwise(Chosen->Rewrites))
    setFusesOtherwise(*C.Kernel);
}

std::optional<Outcome> KernelSettler::settle() {
  if (!C.Fixed && Result && !Result->choosesStock() && stateRoundings() &&
      !rebuildChosen())
    Result.reset();
  if (Builds.areRoundingsUnknown())
    setRoundings(*C.Kernel, RoundingsUnknown);
  noteFusing();
  for (const std::string &Warning : Warnings)
    reportWarning(C.Kernel->getContext(), Warning);
  if (!Unread.empty() &&
      kernelOfBuild(C.Kernel->getName()) == C.Kernel->getName())
    emitMissed(*C.Kernel, Missed::UnknownCode, Unread);
  return std::move(Result);
}

} // namespace regdem
