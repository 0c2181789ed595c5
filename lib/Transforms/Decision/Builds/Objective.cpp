//===- Objective.cpp - the cap to reach and the room for it ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Objective.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Builds/Build.h"
#include "regdem/Options.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace regdem {

/// Words of slots that fit into Words of a thread, padded as threadBytes()
/// does: to an odd number or, where all values are pairs, to an odd number of
/// pairs.
static unsigned wordsWithPadding(unsigned Words) {
  unsigned Pairs = Words / 2;
  return Pairs % 2 ? (Words - 1) | 1 : std::max(2 * Pairs, 1u) - 1;
}

Promises promisesOf(const KernelFacts &Facts, const Options &O,
                    const std::optional<Objective> &Cap) {
  Promises P;
  P.MaxRegs = Cap ? Cap->MaxRegs : 0;
  P.KeepsAllBlocks = Facts.IsCooperative;
  if (O.DynamicSmem)
    P.DynamicShared = *O.DynamicSmem;
  else if (!Facts.UsesDynamicShared)
    P.DynamicShared = 0;
  P.MayBeDynamic = !Facts.knowsDynamicShared();
  if (!Facts.knowsBlockSize())
    return P;
  P.Threads = Facts.Threads;
  P.IsExact = Facts.ThreadsFrom == BlockSizeSource::ReqNTID ||
              Facts.ThreadsFrom == BlockSizeSource::Launch;
  P.BlocksPerSM =
      std::min(std::max(Facts.MinBlocks, O.MinBlocks), MinBlocksRange.High);
  return P;
}

Objective objectiveForCap(const KernelFacts &Facts, const Options &O,
                          const SMLimits &Limits, unsigned MaxRegs) {
  Objective Result;
  Result.MaxRegs = MaxRegs;
  unsigned Static = static_cast<unsigned>(Facts.StaticShared);
  Launch Stated = statedLaunch(Facts, O);
  unsigned Dynamic = Stated.DynamicShared;
  Result.BlocksPerSM = occupancyAt(Stated, MaxRegs, Static, Limits).BlocksPerSM;
  if (Result.BlocksPerSM == 0 || findSharedObstacle(Facts) != Obstacle::None)
    return Result;
  uint64_t ByOccupancy = sharedBytesForBlocks(Limits, Result.BlocksPerSM);
  uint64_t Taken = uint64_t(Static) + Dynamic;
  if (Facts.launchesAddShared()) {
    constexpr unsigned Unit = 16; // What each part is rounded up to.
    Taken = llvm::alignTo(Static, Unit) + llvm::alignTo(Dynamic, Unit);
    uint64_t Room =
        ByOccupancy > Taken ? llvm::alignDown(ByOccupancy - Taken, Unit) : 0;
    Result.SlotBytes = uint64_t(4) * Facts.Threads *
                       wordsWithPadding(unsigned(Room / 4 / Facts.Threads));
    return Result;
  }
  // A block that need not opt in to more is held to the static limit in all;
  // and beside launches that have to, for Static, there may be others.
  uint64_t Most = Limits.StaticSharedBytesPerBlock;
  uint64_t Held = Dynamic <= Most ? Taken : Static;
  if (ByOccupancy <= Taken || Most <= Held)
    return Result;
  uint64_t Room = std::min(ByOccupancy - Taken, Most - Held);
  // The region starts at a multiple of 16 bytes after the kernel's own.
  uint64_t Padding = Static % 16 ? 16 - Static % 16 : 0;
  Result.SlotBytes =
      llvm::alignDown(Room > Padding ? Room - Padding : 0, Facts.regionUnit());
  return Result;
}

std::optional<Objective> statedObjective(const KernelFacts &Facts,
                                         const Options &O,
                                         const SMLimits &Limits) {
  unsigned ForOneBlock = maxRegsForBlocks(Limits, Facts.Threads, 1);
  unsigned Own = Facts.MaxRegs ? Facts.MaxRegs : ~0u;
  // A minimum of blocks that takes no register from a thread, as that of one
  // block does, says nothing of how many are best: auto is free to find out.
  if (Facts.MinBlocks)
    if (unsigned R = maxRegsForBlocks(Limits, Facts.Threads, Facts.MinBlocks))
      if (R < ForOneBlock || O.RunMode != Mode::Auto)
        Own = std::min(Own, R);
  unsigned Asked = O.MaxRegs ? O.MaxRegs : ~0u;
  if (O.MinBlocks && Facts.knowsBlockSize())
    if (unsigned R = maxRegsForBlocks(Limits, Facts.Threads, O.MinBlocks))
      Asked = std::min(Asked, R);
  // A cap above what one block can have would override what ptxas derives from
  // the block size, and the kernel could not be launched.
  if (Asked != ~0u && ForOneBlock)
    Asked = std::min(Asked, ForOneBlock);
  unsigned Cap = std::min(Own, Asked);
  if (Cap == ~0u)
    return std::nullopt;
  Objective Result = objectiveForCap(Facts, O, Limits, Cap);
  Result.CapIsNew = Asked < Own;
  return Result;
}

bool mayTryBuilds(Obstacle Why, const KernelFacts &Facts, const Options &O) {
  if (Why == Obstacle::None)
    return true;
  if (Why != findSharedObstacle(Facts))
    return false;
  // How many registers so many blocks leave a thread is not known.
  if (O.MinBlocks && !Facts.knowsBlockSize())
    return false;
  // Such a kernel's architecture is known.
  return O.RunMode == Mode::Auto ||
         statedObjective(Facts, O, *lookupSMLimits(Facts.Arch));
}

bool statesNewCap(const KernelFacts &Facts, const Options &O) {
  if (!O.MaxRegs && !O.MinBlocks)
    return false;
  const SMLimits *Limits = lookupSMLimits(Facts.Arch);
  if (!Limits)
    return O.MinBlocks || !Facts.MaxRegs || O.MaxRegs < Facts.MaxRegs;
  if (O.MinBlocks && (!Facts.knowsBlockSize() ||
                      !maxRegsForBlocks(*Limits, Facts.Threads, O.MinBlocks)))
    return true;
  std::optional<Objective> Stated = statedObjective(Facts, O, *Limits);
  return Stated && Stated->CapIsNew;
}

std::optional<Objective> capDespite(Obstacle Why, const KernelFacts &Facts,
                                    const Options &O) {
  switch (Why) {
  case Obstacle::UnknownArch:
  case Obstacle::AsyncRegisters:
  case Obstacle::AsmShared:
  case Obstacle::ReadsTotalShared:
  case Obstacle::HostStatesShared:
  case Obstacle::UnknownBlockSize:
  case Obstacle::UnknownDynamicShared:
  case Obstacle::TooManyBlocks:
    break;
  default: // ptxas stops, or may make wrong code, or does not optimize.
    return std::nullopt;
  }
  // Functions that it calls may need more registers.
  if (Facts.HasCalls || !statesNewCap(Facts, O))
    return std::nullopt;
  if (const SMLimits *Limits = lookupSMLimits(Facts.Arch)) {
    std::optional<Objective> Stated = statedObjective(Facts, O, *Limits);
    return Stated && Stated->CapIsNew ? Stated : std::nullopt;
  }
  if (!O.MaxRegs)
    return std::nullopt;
  Objective Result;
  Result.MaxRegs = O.MaxRegs;
  Result.CapIsNew = true;
  return Result;
}

// ptxas keeps a few registers for addresses and for values in flight that the
// machine code does not show. Over 200 kernels (benchmarks/calibration) the
// error is +2.1 in the mean, 8.7 in its absolute; no line through pressure and
// loads in flight had less than 8.2.
unsigned estimatedRegs(unsigned Words) {
  constexpr unsigned Headroom = 4;
  return std::clamp(Words + Headroom, MaxRegsRange.Low, MaxRegsRange.High);
}

} // namespace regdem
