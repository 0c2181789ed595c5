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
#include "regdem/Decision/Model/CostModel.h"
#include "regdem/Decision/Model/KnownHits.h"

using namespace llvm;

namespace regdem {

/// Code with its frames in shared memory.
static SassKernel withMovedFrames(SassKernel Code) {
  for (SassBlock &B : Code.Blocks)
    for (SassInstruction &I : B.Instructions) {
      bool Loads = I.Class == SassClass::LocalLoad;
      if (!Loads && I.Class != SassClass::LocalStore)
        continue;
      I.Class = Loads ? SassClass::SharedLoad : SassClass::SharedStore;
      I.Opcode.replace(0, 3, Loads ? "LDS" : "STS");
    }
  return Code;
}

/// What is known of the build as it is. All that it stores to local memory
/// counts as spilled.
static Variant buildAsItIs(const FrameResult &Frame, const SassKernel &Code) {
  Variant V;
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

std::optional<double> gainOfMoving(const FrameResult &Frame,
                                   const SassKernel &Code) {
  const SMLimits *Limits = lookupSMLimits(parseArch(Frame.Arch));
  if (!Limits || !Frame.Threads)
    return std::nullopt;
  Variant Now = buildAsItIs(Frame, Code), Moved = Now;
  Moved.SpillStoreBytes = Moved.SpillLoadBytes = Moved.FrameBytes = 0;
  Moved.StaticShared = static_cast<unsigned>(Frame.SharedAfter);
  auto Predict = [&](Variant &V, const VariantCode &Summary) {
    setResidency(V, *Limits, Frame.Threads,
                 static_cast<unsigned>(Frame.DynamicShared));
    return V.BlocksPerSM ? predictCycles(V, &Summary, Frame.Threads, *Limits)
                         : 0;
  };
  VariantCode Local = summarize(Code);
  VariantCode Shared = summarize(withMovedFrames(Code));
  KnownHits Hits = knownHits(Local);
  setKnownHits(Local, Hits);
  setKnownHits(Shared, Hits);
  double Before = Predict(Now, Local), After = Predict(Moved, Shared);
  if (!Before || !After)
    return std::nullopt;
  return 1 - After / Before;
}

std::optional<std::string> whyNotMove(const FrameResult &Frame,
                                      const SassKernel &Code) {
  // The architectures on which programs with moved frames were run.
  if (Frame.Arch != "sm_90")
    return "no moved frame was run on " + Frame.Arch +
           " yet; REGDEM_FINISH=on and regdem-finish --all move it";
  std::optional<double> Gain = gainOfMoving(Frame, Code);
  if (!Gain || *Gain <= Tuned.Tie)
    return "shared memory is not expected to be faster";
  return std::nullopt;
}

} // namespace regdem
