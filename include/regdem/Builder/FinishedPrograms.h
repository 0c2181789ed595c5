//===- FinishedPrograms.h - frames are moved once ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_BUILDER_FINISHEDPROGRAMS_H
#define REGDEM_BUILDER_FINISHEDPROGRAMS_H

#include "regdem/Finish/Finisher.h"
#include "regdem/Options.h"

namespace regdem {

/// Moves those frames of Cubin for which a gain is expected (chooseMove), with
/// the tools that O names. What an earlier compilation has made of the same
/// program is taken from the decision cache.
llvm::Expected<FinishedProgram> finishOnce(llvm::StringRef Cubin,
                                           const Options &O);

} // namespace regdem

#endif // REGDEM_BUILDER_FINISHEDPROGRAMS_H
