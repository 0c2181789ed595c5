//===- FrameChoice.cpp - is a frame better off in shared memory? ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A build whose frames have moved is the build that it was, but for what local
// memory cost it and what shared memory takes: L1 and, perhaps, blocks. Both
// are known exactly, so that one prediction for each decides.
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/FrameChoice.h"

#include "regdem/Constants.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "regdem/Decision/Model/CostModel.h"

using namespace llvm;

namespace regdem {

SassKernel withMovedFrame(SassKernel Code, const FrameResult &Frame) {
  for (SassBlock &B : Code.Blocks)
    for (SassInstruction &I : B.Instructions) {
      bool Loads = I.Class == SassClass::LocalLoad;
      if ((!Loads && I.Class != SassClass::LocalStore) ||
          is_contained(Frame.Staying, I.Address))
        continue;
      I.Class = Loads ? SassClass::SharedLoad : SassClass::SharedStore;
      I.Opcode.replace(0, 3, Loads ? "LDS" : "STS");
      I.Bytes = std::max<decltype(I.Bytes)>(I.Bytes, Frame.Widest);
    }
  return Code;
}

/// Has all threads of a warp access the same place of their frames in Code: how
/// far their indices are apart is a guess, which must not speak for a move.
static void alignIndices(VariantCode &Code) {
  for (TraceStep &S : Code.Trace)
    if (S.Unit != TraceUnit::GlobalLoad)
      S.IsScattered = false;
}

/// All that Code stores to local memory counts as spilled in V.
static void countSpills(Variant &V, const SassKernel &Code) {
  V.SpillStoreBytes = V.SpillLoadBytes = 0;
  for (const SassBlock &B : Code.Blocks)
    for (const SassInstruction &I : B.Instructions) {
      if (I.Class == SassClass::LocalStore)
        V.SpillStoreBytes += I.Bytes;
      if (I.Class == SassClass::LocalLoad)
        V.SpillLoadBytes += I.Bytes;
    }
}

/// What is known of the build as it is.
static Variant buildAsItIs(const FrameResult &Frame, const SassKernel &Code) {
  Variant V;
  V.Regs = Frame.Registers;
  V.FrameBytes = Frame.FrameBytes;
  V.StaticShared = static_cast<unsigned>(Frame.SharedBefore);
  countSpills(V, Code);
  return V;
}

/// The launch that Frame has room for.
static Launch launchOf(const FrameResult &Frame) {
  return {Frame.Threads, static_cast<unsigned>(Frame.DynamicShared)};
}

Variant withMovedFrame(Variant V, const FrameResult &Frame,
                       const SMLimits &Limits) {
  V.MovedBytes = Frame.MovedBytes;
  V.SpillStoreBytes = V.SpillLoadBytes = 0;
  V.FrameBytes = Frame.FrameBytes - Frame.MovedBytes;
  V.StaticShared = static_cast<unsigned>(Frame.SharedAfter);
  V.ThreadBytes = Frame.AtEnd ? static_cast<unsigned>(Frame.Stride) : 0;
  setResidency(V, launchOf(Frame), Limits);
  return V;
}

namespace {

/// What moving a frame is expected to do.
struct Forecast {
  double Gain = 0;          ///< Share of the kernel's time that it saves.
  bool TakesBlocks = false; ///< Fewer blocks fit an SM then.
};

} // namespace

static std::optional<Forecast> forecastMove(const FrameResult &Frame,
                                            const SassKernel &Code) {
  const SMLimits *Limits = lookupSMLimits(parseArch(Frame.Arch));
  if (!Limits || !Frame.Threads)
    return std::nullopt;
  Variant Now = buildAsItIs(Frame, Code);
  setResidency(Now, launchOf(Frame), *Limits);
  Variant Moved = withMovedFrame(Now, Frame, *Limits);
  if (!Now.BlocksPerSM || !Moved.BlocksPerSM)
    return std::nullopt;
  SassKernel MovedCode = withMovedFrame(Code, Frame);
  countSpills(Moved, MovedCode);
  VariantCode Local = summarize(Code);
  VariantCode Shared = summarize(MovedCode);
  alignIndices(Local);
  alignIndices(Shared);
  std::vector<double> Cycles = predictTogether(
      {Now, Moved}, {Local, Shared}, launchOf(Frame), Predictor{*Limits});
  return Forecast{1 - Cycles[1] / Cycles[0],
                  Moved.BlocksPerSM < Now.BlocksPerSM};
}

std::optional<double> gainOfMoving(const FrameResult &Frame,
                                   const SassKernel &Code) {
  std::optional<Forecast> F = forecastMove(Frame, Code);
  return F ? std::optional(F->Gain) : std::nullopt;
}

std::optional<std::string> whyNotMove(const FrameResult &Frame,
                                      const SassKernel &Code) {
  // The architectures on which programs with moved frames were run.
  if (Frame.Arch != "sm_90")
    return "no moved frame was run on " + Frame.Arch +
           " yet; REGDEM_FINISH=on and regdem-finish --all move it";
  std::optional<Forecast> F = forecastMove(Frame, Code);
  // A move that takes no blocks has only to be no loss. Where data index the
  // frame, the code does not show where and how often, nor what warps wait for:
  // more is wanted if that takes blocks.
  double Least = !F || !F->TakesBlocks ? 0
                 : Frame.Indexed       ? Tuned.IndexedFrameMargin
                                       : Tuned.Tie;
  if (!F || F->Gain < Least)
    return "shared memory is not expected to be faster";
  return std::nullopt;
}

std::map<std::string, FrameRoom> frameRooms(StringRef Cubin) {
  std::map<std::string, FrameRoom> Rooms;
  Expected<LaunchTables> Tables = readLaunchTables(Cubin);
  if (!Tables) {
    consumeError(Tables.takeError()); // No launch takes a build then.
    return Rooms;
  }
  for (const LaunchTable &T : Tables->Kernels)
    for (const LaunchRow &R : T.Rows)
      if (R.MovesFrame) {
        FrameRoom &Room = Rooms[launchBuildName(T.Kernel, R.Build)];
        Room.Threads = std::max(Room.Threads, R.Threads);
        Room.Stride = R.ThreadBytes;
      }
  return Rooms;
}

Expected<FinishedProgram> finishWhatPays(StringRef Cubin,
                                         const Ptxas &Assembler,
                                         const Disassembler &Reader,
                                         std::optional<uint64_t> DynamicShared,
                                         std::map<std::string, FrameRoom> AtEnd,
                                         const ToolLimits &Limits) {
  FinishSettings Settings;
  Settings.DynamicShared = DynamicShared;
  Settings.AtEnd = std::move(AtEnd);
  Settings.WhyNot = whyNotMove;
  Settings.Limits = Limits;
  return finishProgram(Cubin, Assembler, Reader, Settings);
}

} // namespace regdem
