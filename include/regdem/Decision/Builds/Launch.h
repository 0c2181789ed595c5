//===- Launch.h - the launches that builds are for --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How fast a build is depends on its launch. A kernel whose launches nobody
// states gets builds for usual block sizes beside it, and is itself rebuilt
// only where that is no slower with any of them.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_LAUNCH_H
#define REGDEM_DECISION_BUILDS_LAUNCH_H

#include "regdem/Target/Occupancy.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace regdem {

struct KernelFacts;
struct Options;

/// What a launch is to a build.
struct Launch {
  unsigned Threads = 0;       ///< Per block.
  unsigned DynamicShared = 0; ///< Bytes per block.
  /// Blocks that the grid has for each SM; 0: as many as fit.
  unsigned GridBlocks = 0;

  /// The same with one block for each SM, as in a grid too small to fill the
  /// GPU.
  Launch alone() const { return {Threads, DynamicShared, 1}; }
};

/// The launch that is stated for a kernel. Of what is not stated, it has the
/// block size that Facts assume, and no dynamic shared memory.
Launch statedLaunch(const KernelFacts &Facts, const Options &O);

/// Threads a block that a kernel gets builds for beside it, the most usual
/// first: of 1,120 launch sites in 239 public programs 44 % have 256 threads,
/// 10 % 128, 5 % 512 and 64 each, 4 % 1024.
inline constexpr unsigned LaunchBuildSizes[] = {256, 128, 512, 64, 1024};

/// The block sizes that stand for all that launches of a kernel with Facts may
/// have: the only one; or the usual ones up to its bound, and that.
llvm::SmallVector<unsigned, 6> launchSizes(const KernelFacts &Facts);

/// What is resident at L of a build with so many registers a thread and so many
/// bytes of static shared memory, where the grid has blocks enough.
Occupancy occupancyAt(const Launch &L, unsigned Regs, uint64_t StaticShared,
                      const SMLimits &Limits);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_LAUNCH_H
