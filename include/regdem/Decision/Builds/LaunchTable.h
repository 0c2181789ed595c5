//===- LaunchTable.h - which build a launch takes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that states no block size may have builds beside it, each for
// launches of some block sizes. Its record (ProgramRecord.h) has a row for each
// of these. A launch that no row is for takes the kernel itself.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_LAUNCHTABLE_H
#define REGDEM_DECISION_BUILDS_LAUNCHTABLE_H

#include "regdem/Decision/Builds/JSONFields.h"
#include <cmath>
#include <string>
#include <vector>

namespace regdem {

/// What an SM is expected to take for blocks of one entry.
struct BlockTimes {
  unsigned Blocks = 1; ///< That it holds at a time.
  /// Cycles for one that it has by itself, and for as many as it holds.
  unsigned Alone = 1, Full = 1;
};

/// So many cycles and more count as this many.
inline constexpr unsigned MostCycles = 1u << 31;

/// The launches that one build is for: with blocks of FromThreads to Threads
/// threads, and MostDynamic bytes of dynamic shared memory or less, in grids
/// for which it is expected to be faster.
struct LaunchRow {
  unsigned FromThreads = 0, Threads = 0; ///< Per block.
  unsigned Build = 0;                    ///< The build's number, from 1.
  unsigned MostDynamic = 0;
  /// Bytes that the launch adds for each thread at the end of its dynamic
  /// shared memory, of which it has a multiple of 16 then.
  unsigned ThreadBytes = 0;
  /// The build runs right, and can be launched, with any block, grid and shared
  /// memory with which stock does: it may become a graph's node.
  bool AnyLaunch = false;
  /// The kernel itself cannot be launched with these blocks: its registers do
  /// not suffice for them.
  bool OnlyBuild = false;
  /// Blocks that are resident at once may wait for each other (KernelFacts.h).
  bool MayWait = false;
  double Gain = 0; ///< Expected share of the time of what is built in place.
  /// Of the build, with what it has to gain on top (rowFor), and of stock.
  BlockTimes Own, Stock;
};

/// Bytes that a launch of Threads threads a block adds for ThreadBytes each.
inline unsigned addedBytes(unsigned ThreadBytes, unsigned Threads) {
  return (ThreadBytes * Threads + 15) / 16 * 16;
}

/// The fewest threads that make as many warps as Threads.
inline unsigned leastThreadsLike(unsigned Threads) {
  return (Threads - 1) / 32 * 32 + 1;
}

/// Most builds that a kernel has beside it.
inline constexpr unsigned MostLaunchBuilds = 3;

/// What a build's name has after that of its kernel, before its number.
inline constexpr const char *LaunchBuildSuffix = "$regdem";

/// The name of a kernel's build. Tag: ProgramRecord::Tag.
std::string launchBuildName(llvm::StringRef Kernel, unsigned Build,
                            llvm::StringRef Tag);

/// The kernel of which Name is a build, or Name itself.
inline llvm::StringRef kernelOfBuild(llvm::StringRef Name) {
  return Name.split(LaunchBuildSuffix).first;
}

/// A share in percent, with one decimal, as JSON texts have it.
inline double percent(double Share) { return std::round(1000 * Share) / 10; }

/// How JSON texts have R.
void fields(JSONFields &J, LaunchRow &R);

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_LAUNCHTABLE_H
