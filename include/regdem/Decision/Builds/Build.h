//===- Build.h - a kernel built in one way ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A build is a recipe and what became of it: what the plan says, the figures of
// ptxas, what an SM holds of it, and how long it is predicted to take. Searches
// hand out recipes and get builds.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_BUILD_H
#define REGDEM_DECISION_BUILDS_BUILD_H

#include "regdem/Decision/Builds/Recipe.h"
#include "regdem/Options.h"
#include "regdem/Target/Occupancy.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <string>

namespace regdem {

struct KernelFacts;

/// What a launch is to a build.
struct Launch {
  unsigned Threads = 0;       ///< Per block.
  unsigned DynamicShared = 0; ///< Bytes per block.
  /// Blocks that the grid has for each SM; 0: so many that the last ones do not
  /// count.
  unsigned GridBlocks = 0;

  /// The same with one block for each SM, as in a grid too small to fill the
  /// GPU.
  Launch alone() const { return {Threads, DynamicShared, 1}; }
};

/// The launch that is stated for a kernel. Of what is not stated, it has the
/// block size that Facts assume, and no dynamic shared memory.
Launch statedLaunch(const KernelFacts &Facts, const Options &O);

// How fast a build is depends on its launch. A kernel whose launches nobody
// states gets builds for usual block sizes beside it, and is itself rebuilt
// only where that is no slower with any of them.

/// Threads a block that a kernel gets builds for beside it, the most usual
/// first: of 1,120 launch sites in 239 public programs 44 % have 256 threads,
/// 10 % 128, 5 % 512 and 64 each, 4 % 1024.
inline constexpr unsigned LaunchBuildSizes[] = {256, 128, 512, 64, 1024};

/// Whether arrays of a kernel with Facts may be in shared memory, where they
/// have room for blocks of one size: that is stated, or it is a build for
/// launches of so few sizes that each may have its own.
bool mayShareArrays(const KernelFacts &Facts);

/// Whether R may have some there.
bool mayShareArrays(const BuildRecipe &R, const KernelFacts &Facts);

/// Threads of a block that R's PTX for a kernel with Facts is for, where that
/// is a build for launches; 0: for blocks of any size.
unsigned threadsFor(const BuildRecipe &R, const KernelFacts &Facts);

/// The block sizes that stand for all that launches of a kernel with Facts may
/// have: the only one; or those that host code shows, in full warps, then the
/// usual ones up to its bound, and that. AsShown: without the usual ones where
/// the file shows no other launches.
llvm::SmallVector<unsigned, 6> launchSizes(const KernelFacts &Facts,
                                           bool AsShown);

/// What is resident at L of a build with so many registers a thread and so many
/// bytes of static shared memory, where the grid has blocks enough.
Occupancy occupancyAt(const Launch &L, unsigned Regs, uint64_t StaticShared,
                      const SMLimits &Limits);

/// What an SM holds of a build at a launch.
struct Residency {
  unsigned BlocksPerSM = 0;
  unsigned SpillFootprint = 0; ///< Spilled bytes of all resident threads.
  unsigned L1Bytes = 0;        ///< L1 cache that the carve-out leaves.
};

/// What code generation has made of a recipe, in words, as no figure of ptxas
/// shows it. Counts are static.
struct PlanFigures {
  unsigned PressureAfter = 0;  ///< As planned.
  unsigned SlotAccesses = 0;   ///< That the plan stores to slots or reloads.
  unsigned Recomputations = 0; ///< Their number.
  /// Bytes that a thread has at the end of dynamic shared memory, to which its
  /// launches add them; 0: none.
  unsigned ThreadBytes = 0;
};

/// What ptxas makes of a recipe, and RegDem of that.
struct PtxasResult {
  unsigned Regs = 0; ///< Registers that ptxas used.
  unsigned SpillStoreBytes = 0, SpillLoadBytes = 0; ///< Static, per thread.
  unsigned FrameBytes = 0; ///< Of local memory per thread, with arrays.
  /// Of a frame that ptxas puts into local memory and RegDem moves to shared
  /// memory then, per thread; 0: none. Figures are those after the move.
  unsigned MovedBytes = 0;
  unsigned FrameStride = 0; ///< Then, from one thread's frame to the next.
  /// Bytes per block, what RegDem adds included: a moved frame, and what the
  /// launch adds for ThreadBytes.
  unsigned StaticShared = 0;
  unsigned CodeBytes = 0; ///< Of machine code; 0: not known.
  std::shared_ptr<const std::string> Program; ///< The cubin; null: not kept.
  /// Why ptxas refuses the build, which is none of those that an SM holds then:
  /// it cannot be chosen, and its figures are all that it is good for. Empty:
  /// it does not.
  std::string Refusal;

  /// Static bytes per thread that ptxas stores to and loads from local memory.
  unsigned spillBytes() const { return SpillStoreBytes + SpillLoadBytes; }
  bool isRefused() const { return !Refusal.empty(); }
};

/// A recipe that is assembled. Its residency is that at the stated launch.
struct Build : BuildRecipe, PlanFigures, PtxasResult, Residency {
  /// Predicted, for comparison with those of other builds only; 0: not
  /// predicted.
  double Cycles = 0;     ///< At the stated launch.
  double LoneCycles = 0; ///< For Launch::alone().
  /// Most loads of its code are from scattered places; known in searches.
  bool LoadsAreScattered = false;

  Build() = default;
  explicit Build(const BuildRecipe &Recipe, const PlanFigures &Planned = {})
      : BuildRecipe(Recipe), PlanFigures(Planned) {}
};

/// The recipe that lifts ptxas's own limit and leaves no pass out.
inline BuildRecipe liftedLimit() {
  BuildRecipe R;
  R.What = Decision::Cap;
  R.MinBlocks = 1;
  return R;
}

/// The recipe that tells ptxas of the registers that an SM gives Stock anyway.
/// Where ptxas knows of no limit it may have loads come late, right ahead of
/// what reads them, to take fewer: Sturm sequences of CUDA's eigenvalues sample
/// take 1.35 of the time then (13.0 on an H200).
BuildRecipe ownLimit(const Build &Stock, const SMLimits &Limits);

/// Whether R's code may branch by jump tables where Stock's does, which is null
/// where it is not known: ptxas, which loses values there when it runs out of
/// registers, has as many as for Stock, which spills nothing.
inline bool keepsTables(const BuildRecipe &R, const Build *Stock) {
  bool IsEnough = Stock && !Stock->spillBytes() &&
                  (R.liftsLimit() || R.MaxRegs >= Stock->Regs);
  return R.isStock() ||
         (R.What == Decision::Cap && !R.changesCode() && IsEnough);
}

/// Whether A and B are built in the same way.
inline bool isSameBuild(const Build &A, const Build &B) {
  return A.recipe() == B.recipe() && !A.MovedBytes == !B.MovedBytes;
}

/// Most registers with which a kernel can be launched with as many threads as
/// Stock can.
unsigned mostLaunchable(const Build &Stock, const SMLimits &Limits);

/// What an SM of Limits holds at L of a build with V's figures.
Residency residencyAt(const Launch &L, const Build &V, const SMLimits &Limits);

/// V, resident as at L.
inline Build residentAt(const Launch &L, Build V, const SMLimits &Limits) {
  static_cast<Residency &>(V) = residencyAt(L, V, Limits);
  return V;
}

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_BUILD_H
