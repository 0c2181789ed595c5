//===- FrameChoice.cpp - is a frame better off in shared memory? ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A build whose frames have moved is the build that it was, but for what local
// memory cost it and what shared memory takes: L1 and, perhaps, blocks. Both
// are known exactly, so that one prediction for each way to move decides.
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/FrameChoice.h"

#include "regdem/Constants.h"
#include "regdem/Decision/Model/CostModel.h"

using namespace llvm;

namespace regdem {

SassKernel withMovedFrame(SassKernel Code, const FrameResult &Frame) {
  bool IsGeneric = hasGenericFrame(Code);
  for (SassBlock &B : Code.Blocks)
    for (SassInstruction &I : B.Instructions) {
      TraceUnit Unit = unitOf(I);
      bool IsMoved = isLocalAccess(Unit) || (IsGeneric && isGenericAccess(I));
      if (!IsMoved || is_contained(Frame.Staying, I.Address))
        continue;
      bool Loads =
          Unit == TraceUnit::LocalLoad || Unit == TraceUnit::GlobalLoad;
      I.Class = Loads ? SassClass::SharedLoad : SassClass::SharedStore;
      I.Opcode = Loads ? "LDS" : "STS";
      I.Bytes = std::max<decltype(I.Bytes)>(I.Bytes, Frame.Widest);
    }
  return Code;
}

/// Has all threads of a warp access the same place of their frames in Code: how
/// far their indices are apart is a guess, which must not speak for a move.
static void alignIndices(CodeSummary &Code) {
  for (TraceStep &S : Code.Trace)
    if (S.Unit != TraceUnit::GlobalLoad)
      S.IsScattered = false;
}

/// What is known of the build as it is. All that Code stores to local memory
/// counts as spilled.
static Build buildAsItIs(const FrameResult &Frame, const SassKernel &Code) {
  Build V;
  V.Regs = Frame.Registers;
  V.FrameBytes = Frame.FrameBytes;
  V.StaticShared = static_cast<unsigned>(Frame.SharedBefore);
  for (const SassBlock &B : Code.Blocks)
    for (const SassInstruction &I : B.Instructions) {
      if (I.Class == SassClass::LocalStore)
        V.SpillStoreBytes += I.Bytes;
      if (I.Class == SassClass::LocalLoad)
        V.SpillLoadBytes += I.Bytes;
    }
  return V;
}

/// The launch that Frame has room for.
static Launch launchOf(const FrameResult &Frame) {
  return {Frame.Threads, static_cast<unsigned>(Frame.DynamicShared)};
}

Build withMovedFrame(Build V, const FrameResult &Frame,
                     const SMLimits &Limits) {
  V.MovedBytes = Frame.MovedBytes;
  V.FrameStride = static_cast<unsigned>(Frame.Stride);
  V.SpillStoreBytes = Frame.StayingStoreBytes;
  V.SpillLoadBytes = Frame.StayingLoadBytes;
  V.FrameBytes = Frame.FrameBytes - Frame.MovedBytes;
  V.StaticShared = static_cast<unsigned>(Frame.SharedAfter);
  V.ThreadBytes = Frame.AtEnd ? static_cast<unsigned>(Frame.Stride) : 0;
  return residentAt(launchOf(Frame), V, Limits);
}

std::vector<MoveForecast> forecastMoves(ArrayRef<FrameResult> Ways,
                                        const SassKernel &Code) {
  const FrameResult &First = Ways.front();
  const SMLimits *Limits = lookupSMLimits(parseArch(First.Arch));
  if (!Limits || !First.Threads)
    return {};
  Build AsItIs = residentAt(launchOf(First), buildAsItIs(First, Code), *Limits);
  Summarizer Summaries;
  std::vector<ReadBuild> Builds = {{AsItIs, Summaries.summarize(Code)}};
  for (const FrameResult &Way : Ways)
    Builds.push_back({withMovedFrame(AsItIs, Way, *Limits),
                      Summaries.summarize(withMovedFrame(Code, Way))});
  for (ReadBuild &B : Builds) {
    if (!B.Of.BlocksPerSM)
      return {};
    alignIndices(B.Code);
  }
  bool AreScattered = loadsAreScattered(Builds.front().Code);
  std::vector<Build> Predicted =
      predictTogether(std::move(Builds), launchOf(First), Predictor{*Limits});
  std::vector<MoveForecast> Result;
  for (const Build &Moved : drop_begin(Predicted))
    Result.push_back(
        {1 - Moved.Cycles / Predicted.front().Cycles,
         Moved.BlocksPerSM < AsItIs.BlocksPerSM,
         AreScattered && Moved.L1Bytes < l1ForScatteredLoads(Moved.BlocksPerSM *
                                                             First.Threads)});
  return Result;
}

Expected<size_t> chooseByForecast(ArrayRef<FrameResult> Ways,
                                  ArrayRef<MoveForecast> Forecasts) {
  // The architectures on which programs with moved frames were run.
  if (Ways.front().Arch != "sm_90")
    return createStringError("no moved frame was run on " + Ways.front().Arch +
                             " yet; regdem-finish --all moves it");
  // A move that takes no blocks has to gain as other builds with as many: tti's
  // frame, to gain nothing, takes 1.027 of the time. Where data index the
  // frame, the code does not show where and how often, nor what warps wait for:
  // more is wanted if that takes blocks.
  auto Pays = [&](const FrameResult &Way, const MoveForecast &F) {
    if (F.CrowdsL1)
      return false;
    double Least = Way.Indexed ? Tuned.IndexedFrameMargin : Tuned.Tie;
    return F.Gain >= (F.TakesBlocks ? Least : Tuned.Margin);
  };
  std::optional<size_t> Best;
  for (size_t I = 0; I != Forecasts.size(); ++I)
    if (Pays(Ways[I], Forecasts[I]) &&
        (!Best || Forecasts[I].Gain > Forecasts[*Best].Gain))
      Best = I;
  if (!Best)
    return createStringError(
        any_of(Forecasts, [](const MoveForecast &F) { return F.CrowdsL1; })
            ? "its loads from scattered places need the L1 that it would take"
            : "shared memory is not expected to be faster");
  return *Best;
}

Expected<size_t> chooseMove(ArrayRef<FrameResult> Ways,
                            const SassKernel &Code) {
  return chooseByForecast(Ways, forecastMoves(Ways, Code));
}

} // namespace regdem
