//===- FrameChoice.h - is a frame better off in shared memory? --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_FRAMECHOICE_H
#define REGDEM_DECISION_CHOICE_FRAMECHOICE_H

#include "regdem/Decision/Builds/FrameOrder.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/MachineCode/Sass.h"
#include <vector>

namespace regdem {

/// What moving a frame is expected to do.
struct MoveForecast {
  /// Share of the kernel's time that it saves; negative where it loses.
  double Gain = 0;
  bool TakesBlocks = false; ///< Fewer blocks fit an SM then.
  /// Scattered loads find too little L1 then (l1ForScatteredLoads).
  bool CrowdsL1 = false;
};

/// Of each of Ways, in which one frame can move: the cost model's prediction
/// for Code, as it is and with what moves made accesses to shared memory: fewer
/// blocks on an SM, less L1. Empty where that is not known.
std::vector<MoveForecast> forecastMoves(llvm::ArrayRef<FrameResult> Ways,
                                        const SassKernel &Code);

/// Which of Ways is expected to be the fastest by their Forecasts. An error
/// says why the frame is to stay: no gain is worth it, or no program with moved
/// frames was run on its architecture yet.
llvm::Expected<size_t> chooseByForecast(llvm::ArrayRef<FrameResult> Ways,
                                        llvm::ArrayRef<MoveForecast> Forecasts);

/// The same by what is forecast for Code: for FinishSettings::Choose.
llvm::Expected<size_t> chooseMove(llvm::ArrayRef<FrameResult> Ways,
                                  const SassKernel &Code);

/// V with Frame in shared memory: its figures as they will be.
Build withMovedFrame(Build V, const FrameResult &Frame, const SMLimits &Limits);

/// Code with Frame, or what moves of it, in shared memory. Frames are apart by
/// an odd number of the widest accesses, so that those meet no bank conflicts;
/// narrower ones do, and take as long.
SassKernel withMovedFrame(SassKernel Code, const FrameResult &Frame);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_FRAMECHOICE_H
