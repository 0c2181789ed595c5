//===- LoadParallelism.h - registers that loads in flight want --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_LOADPARALLELISM_H
#define REGDEM_ANALYSIS_LOADPARALLELISM_H

#include "regdem/Analysis/KernelGraph.h"

namespace regdem {

/// Registers, in words, that ptxas could fill with loads in flight if it had
/// them: the results of loads from memory that are read up within a few
/// instructions in the block that weighs most, by executions times such words.
/// The machine code's order hides them, since each is live for a moment only.
unsigned wordsInFlight(const KernelGraph &Graph);

} // namespace regdem

#endif // REGDEM_ANALYSIS_LOADPARALLELISM_H
