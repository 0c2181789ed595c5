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

} // namespace regdem

#endif // REGDEM_ANALYSIS_REGISTERPRESSURE_H
