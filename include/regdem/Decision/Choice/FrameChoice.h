//===- FrameChoice.h - is a frame better off in shared memory? --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_FRAMECHOICE_H
#define REGDEM_DECISION_CHOICE_FRAMECHOICE_H

#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Finish/Finisher.h"

namespace regdem {

/// The share of its time that a kernel is expected to save with its frame, or
/// the part of it that Way names, in shared memory: the cost model's prediction
/// for Code, as it is and with accesses to local memory made accesses to shared
/// memory. Negative where it loses: fewer blocks on an SM, less L1. None where
/// that is not known.
std::optional<double> gainOfMoving(const FrameResult &Way,
                                   const SassKernel &Code);

/// Which of Ways, in which one frame can move, is expected to be the fastest.
/// An error says why the frame is to stay: no gain is worth it, or no program
/// with moved frames was run on its architecture yet. For
/// FinishSettings::Choose.
llvm::Expected<size_t> chooseMove(llvm::ArrayRef<FrameResult> Ways,
                                  const SassKernel &Code);

/// The room that launches of Cubin's builds have for frames, as its launch
/// tables say, by the builds' names: for FinishSettings::AtEnd. These frames
/// are to move whatever is expected of it now.
std::map<std::string, FrameRoom> frameRooms(llvm::StringRef Cubin);

/// finishProgram() with the ways to move that chooseMove() chooses.
/// DynamicShared, AtEnd: as in FinishSettings.
llvm::Expected<FinishedProgram> finishWhatPays(
    llvm::StringRef Cubin, const Ptxas &Assembler, const Disassembler &Reader,
    std::optional<uint64_t> DynamicShared,
    std::map<std::string, FrameRoom> AtEnd, const ToolLimits &Limits);

/// V with Frame in shared memory: its figures as they will be.
Variant withMovedFrame(Variant V, const FrameResult &Frame,
                       const SMLimits &Limits);

/// Code with Frame, or what moves of it, in shared memory. Frames are apart by
/// an odd number of the widest accesses, so that those meet no bank conflicts;
/// narrower ones do, and take as long.
SassKernel withMovedFrame(SassKernel Code, const FrameResult &Frame);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_FRAMECHOICE_H
