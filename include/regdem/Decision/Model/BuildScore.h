//===- BuildScore.h - rank builds under one cap -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_MODEL_BUILDSCORE_H
#define REGDEM_DECISION_MODEL_BUILDSCORE_H

#include "regdem/Decision/Builds/Outcome.h"

namespace regdem {

/// Estimated cost of V against other builds of the same kernel under the
/// same cap; lower is better. The unit is one word stored to or reloaded from
/// a slot.
unsigned scoreOf(const Build &V);

/// Whether A and B are in all likelihood the same code.
bool haveSameFigures(const Build &A, const Build &B);

/// Order of preference by figures: by score, then least shared memory, then the
/// least change.
bool hasBetterFigures(const Build &A, const Build &B);

/// Whether what V's code spills takes no more than half of L1; the rest is left
/// to the kernel's own data.
bool spillsStayInL1(const Build &V);

} // namespace regdem

#endif // REGDEM_DECISION_MODEL_BUILDSCORE_H
