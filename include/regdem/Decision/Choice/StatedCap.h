//===- StatedCap.h - caps of kernels that are not demoted -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cap that users state holds whatever keeps RegDem from demotion, wherever
// ptxas makes correct code under it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_CHOICE_STATEDCAP_H
#define REGDEM_DECISION_CHOICE_STATEDCAP_H

#include "regdem/Analysis/Legality.h"
#include "regdem/Decision/Builds/Objective.h"

namespace regdem {

/// Whether a kernel in whose way Why stands may be built otherwise than stock:
/// in all ways where nothing does, and in those that take no shared memory
/// where no more than the block size or the size of its dynamic shared memory
/// is missing and either a cap in registers is stated or auto may choose one.
bool mayTryBuilds(Obstacle Why, const KernelFacts &Facts, const Options &O);

/// Whether options or an annotation state a cap that the kernel's own bounds do
/// not bring with them.
bool statesNewCap(const KernelFacts &Facts, const Options &O);

/// The cap that options or an annotation state for a kernel that is declined
/// because of Why, where ptxas keeps it to that without another look and makes
/// correct code; none elsewhere.
std::optional<Objective> capDespite(Obstacle Why, const KernelFacts &Facts,
                                    const Options &O);

} // namespace regdem

#endif // REGDEM_DECISION_CHOICE_STATEDCAP_H
