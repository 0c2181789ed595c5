//===- Occupancy.cpp - Blocks and warps resident on an SM -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/Occupancy.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <iterator>

using namespace llvm;

namespace regdem {

static bool isLaunchable(const SMLimits &Limits, unsigned Threads) {
  return Threads != 0 && Threads <= Limits.MaxThreadsPerBlock;
}

unsigned warpsPerBlock(const SMLimits &Limits, unsigned Threads) {
  return divideCeil(Threads, Limits.WarpSize);
}

/// Blocks of \p Warps warps whose registers fit one SM. A sub-partition holds
/// only whole warps, so the SM holds four times what one of them holds.
/// The limit on a block's registers needs no check of its own: the launch
/// counts a block's warps rounded up to a multiple of the sub-partitions, and
/// as the limit is the whole register file, such a block fits exactly if one
/// fits here.
static unsigned blocksByRegisters(const SMLimits &Limits, unsigned Regs,
                                  unsigned Warps) {
  if (Regs > Limits.MaxRegsPerThread)
    return 0;
  if (Regs == 0)
    return UnlimitedBlocks;
  unsigned Unit = Limits.RegisterUnitPerWarp;
  unsigned RegsPerWarp = divideCeil(Regs * Limits.WarpSize, Unit) * Unit;
  unsigned WarpsPerPartition =
      Limits.RegistersPerSM / Limits.SubPartitions / RegsPerWarp;
  return WarpsPerPartition * Limits.SubPartitions / Warps;
}

/// What a block with \p Bytes of shared memory really takes, in bytes.
static std::uint64_t allocatedSharedBytes(const SMLimits &Limits,
                                          std::uint64_t Bytes) {
  return alignTo(Bytes + Limits.ReservedSharedBytesPerBlock,
                 Limits.SharedGranuleBytes);
}

static unsigned blocksBySharedMemory(const SMLimits &Limits,
                                     const KernelResources &K) {
  std::uint64_t Bytes =
      static_cast<std::uint64_t>(K.StaticSharedBytes) + K.DynamicSharedBytes;
  if (Bytes > Limits.OptInSharedBytesPerBlock)
    return 0;
  std::uint64_t Allocated = allocatedSharedBytes(Limits, Bytes);
  if (Allocated == 0)
    return UnlimitedBlocks;
  return static_cast<unsigned>(Limits.SharedBytesPerSM / Allocated);
}

StringRef toString(Limiter L) {
  // In the order of Limiter.
  static constexpr StringLiteral Names[] = {
      "unknown", "registers", "shared memory", "warps", "blocks", "none fits"};
  static_assert(std::size(Names) ==
                static_cast<unsigned>(Limiter::TooLarge) + 1);
  return Names[static_cast<unsigned>(L)];
}

Occupancy computeOccupancy(const SMLimits &Limits, const KernelResources &K) {
  Occupancy O = {};
  O.Limit = Limiter::TooLarge;
  if (!isLaunchable(Limits, K.ThreadsPerBlock))
    return O;

  unsigned Warps = warpsPerBlock(Limits, K.ThreadsPerBlock);
  O.BlocksByRegisters = blocksByRegisters(Limits, K.RegsPerThread, Warps);
  O.BlocksBySharedMemory = blocksBySharedMemory(Limits, K);
  O.BlocksByWarps = Limits.MaxWarpsPerSM / Warps;
  O.BlocksBySlots = Limits.MaxBlocksPerSM;
  O.BlocksPerSM = std::min({O.BlocksByRegisters, O.BlocksBySharedMemory,
                            O.BlocksByWarps, O.BlocksBySlots});
  O.WarpsPerSM = O.BlocksPerSM * Warps;

  if (O.BlocksPerSM == 0)
    O.Limit = Limiter::TooLarge;
  else if (O.BlocksPerSM == O.BlocksByWarps)
    O.Limit = Limiter::Warps;
  else if (O.BlocksPerSM == O.BlocksBySlots)
    O.Limit = Limiter::Blocks;
  else if (O.BlocksPerSM == O.BlocksBySharedMemory)
    O.Limit = Limiter::SharedMemory;
  else
    O.Limit = Limiter::Registers;
  return O;
}

unsigned maxRegsForBlocks(const SMLimits &Limits, unsigned Threads,
                          unsigned Blocks) {
  if (!isLaunchable(Limits, Threads) || Blocks == 0 ||
      Blocks > Limits.MaxBlocksPerSM)
    return 0;
  unsigned Warps = warpsPerBlock(Limits, Threads) * Blocks;
  if (Warps > Limits.MaxWarpsPerSM)
    return 0;
  // The sub-partition that gets most warps must hold them all.
  unsigned WarpsPerPartition = divideCeil(Warps, Limits.SubPartitions);
  unsigned UnitsPerWarp = Limits.RegistersPerSM / Limits.SubPartitions /
                          Limits.RegisterUnitPerWarp / WarpsPerPartition;
  unsigned RegsPerUnit = Limits.RegisterUnitPerWarp / Limits.WarpSize;
  return std::min(UnitsPerWarp * RegsPerUnit, Limits.MaxRegsPerThread);
}

unsigned sharedBytesForBlocks(const SMLimits &Limits, unsigned Blocks) {
  if (Blocks == 0 || Blocks > Limits.MaxBlocksPerSM)
    return 0;
  unsigned Granules =
      Limits.SharedBytesPerSM / Blocks / Limits.SharedGranuleBytes;
  unsigned Bytes =
      Granules * Limits.SharedGranuleBytes - Limits.ReservedSharedBytesPerBlock;
  return std::min(Bytes, Limits.OptInSharedBytesPerBlock);
}

unsigned l1Bytes(const SMLimits &Limits, unsigned BytesPerBlock,
                 unsigned Blocks) {
  if (BytesPerBlock > Limits.OptInSharedBytesPerBlock)
    return 0;
  std::uint64_t Needed = allocatedSharedBytes(Limits, BytesPerBlock) * Blocks;
  for (std::uint16_t StepKB : Limits.CarveOutKB)
    if (Needed <= StepKB * 1024u)
      return Limits.UnifiedCacheBytes - StepKB * 1024u;
  return 0;
}

unsigned sharedBytesBesideL1(const SMLimits &Limits, unsigned Blocks,
                             unsigned Least) {
  unsigned Most = 0;
  for (std::uint16_t StepKB : Limits.CarveOutKB)
    if (StepKB * 1024u + Least <= Limits.UnifiedCacheBytes)
      Most = std::max(Most, StepKB * 1024u);
  unsigned Granules = Blocks ? Most / Blocks / Limits.SharedGranuleBytes : 0;
  return Granules ? Granules * Limits.SharedGranuleBytes -
                        Limits.ReservedSharedBytesPerBlock
                  : 0;
}

std::vector<OccupancyStep> occupancySteps(const SMLimits &Limits,
                                          unsigned Threads) {
  std::vector<OccupancyStep> Steps;
  for (unsigned Blocks = 1; Blocks <= Limits.MaxBlocksPerSM; ++Blocks) {
    unsigned MaxRegs = maxRegsForBlocks(Limits, Threads, Blocks);
    if (MaxRegs == 0)
      break;
    if (!Steps.empty() && Steps.back().MaxRegs == MaxRegs)
      Steps.back().Blocks = Blocks;
    else
      Steps.push_back({Blocks, MaxRegs});
  }
  return Steps;
}

} // namespace regdem
