//===- FrameChoice.h - is a frame better off in shared memory? --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_FRAMECHOICE_H
#define REGDEM_DECISION_CHOICE_FRAMECHOICE_H

#include "regdem/Finish/Finisher.h"

namespace regdem {

/// The share of its time that a kernel is expected to save with its frames in
/// shared memory: the cost model's prediction for Code, as it is and with its
/// accesses to local memory made accesses to shared memory. Negative where it
/// loses: fewer blocks on an SM, less L1. None where that is not known.
std::optional<double> gainOfMoving(const FrameResult &Frame,
                                   const SassKernel &Code);

/// Why Frame is to stay, if it is: that gain is not worth it, or no program
/// with moved frames was run on its architecture yet. For
/// FinishSettings::WhyNot.
std::optional<std::string> whyNotMove(const FrameResult &Frame,
                                      const SassKernel &Code);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_FRAMECHOICE_H
