//===- Objective.h - the cap to reach and the room for it -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_OBJECTIVE_H
#define REGDEM_DECISION_BUILDS_OBJECTIVE_H

#include "regdem/Analysis/Legality.h"
#include "regdem/Target/Promises.h"
#include <cstdint>
#include <optional>

namespace regdem {

struct KernelFacts;
struct Options;
struct SMLimits;

/// What demotion has to achieve for a kernel, and the shared memory that it
/// may take for that without costing a block per SM.
struct Objective {
  /// Registers a thread may have.
  unsigned MaxRegs = 0;
  /// The cap is not in the kernel's own launch bounds, so ptxas has to be told.
  bool CapIsNew = false;
  /// Blocks per SM that the cap makes room for, given the shared memory that
  /// the kernel takes without RegDem.
  unsigned BlocksPerSM = 0;
  /// Shared memory in bytes that the slots of a block may take: within the
  /// 48 KB of static shared memory, the kernel's own included, unless launches
  /// add it, and without losing one of BlocksPerSM; without padding. None where
  /// the block size is not known.
  uint64_t SlotBytes = 0;

  /// SlotBytes in words a thread.
  unsigned maxWords(unsigned Threads) const {
    return static_cast<unsigned>(SlotBytes / 4 / Threads);
  }
};

/// What is promised of a kernel by its launch bounds, its kind, the options and
/// the Cap that is stated for it.
Promises promisesOf(const KernelFacts &Facts, const Options &O,
                    const std::optional<Objective> &Cap = std::nullopt);

/// The objective that the user or the kernel's launch bounds state; none where
/// neither states a cap, which for auto a minimum of blocks that takes no
/// register from a thread is not. Limits must be those of Facts.Arch.
std::optional<Objective> statedObjective(const KernelFacts &Facts,
                                         const Options &O,
                                         const SMLimits &Limits);

/// The objective of holding the kernel to MaxRegs registers.
Objective objectiveForCap(const KernelFacts &Facts, const Options &O,
                          const SMLimits &Limits, unsigned MaxRegs);

/// Whether a kernel in whose way Why stands may be built otherwise than stock:
/// in all ways where nothing does, and in those that take no shared memory
/// where only these may be made (findSharedObstacle) and either a cap in
/// registers is stated or auto may choose one.
bool mayTryBuilds(Obstacle Why, const KernelFacts &Facts, const Options &O);

/// Whether options or an annotation state a cap that the kernel's own bounds do
/// not bring with them.
bool statesNewCap(const KernelFacts &Facts, const Options &O);

/// The cap that options or an annotation state for a kernel that is declined
/// because of Why, where ptxas keeps it to that without another look and makes
/// correct code; none elsewhere.
std::optional<Objective> capDespite(Obstacle Why, const KernelFacts &Facts,
                                    const Options &O);

/// Registers that ptxas is expected to use for a pressure of Words.
unsigned estimatedRegs(unsigned Words);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_OBJECTIVE_H
