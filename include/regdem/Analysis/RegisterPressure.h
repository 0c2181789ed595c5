//===- RegisterPressure.h - registers that live values take -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_REGISTERPRESSURE_H
#define REGDEM_ANALYSIS_REGISTERPRESSURE_H

#include "regdem/Analysis/KernelGraph.h"

namespace regdem {

/// The most words that live values take inside each block, by BlockId.
/// Predicates, and values that ptxas recomputes for nothing, take none.
std::vector<unsigned> blockPressures(const KernelGraph &Graph);

/// The most words that they take anywhere in the kernel.
unsigned maxPressure(const KernelGraph &Graph);

/// Registers, in words, that ptxas could fill with loads in flight if it had
/// them: the results of loads from memory that are read up within a few
/// instructions in the block that weighs most, by executions times such words.
/// The machine code's order hides them, since each is live for a moment only.
unsigned wordsInFlight(const KernelGraph &Graph);

} // namespace regdem

#endif // REGDEM_ANALYSIS_REGISTERPRESSURE_H
