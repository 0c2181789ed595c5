//===- Occupancy.h - Blocks and warps resident on an SM ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many blocks of a kernel run on one SM at a time, and the reverse: how
// many registers and how much shared memory a kernel may use so that a given
// number of them does. Pure integer functions of SMLimits. They know nothing
// of a program and judge nothing: whether more warps pay is decided elsewhere.
//
// The model is that of cuda_occupancy.h of the CUDA toolkit, and the unit test
// OccupancyVsToolkit compares the two:
//   - registers are allocated per warp in units of 256; warps take them from
//     one of four sub-partitions;
//   - shared memory is allocated per block, the driver's reserve included, in
//     granules, and the largest carve-out is assumed;
//   - a kernel that uses more than 48 KB of shared memory in all is taken to
//     have opted in to it, as it could not be launched otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TARGET_OCCUPANCY_H
#define REGDEM_TARGET_OCCUPANCY_H

#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace regdem {

/// Number of blocks by a limiter that does not limit at all.
inline constexpr unsigned UnlimitedBlocks = ~0u;

/// What a kernel takes. Shared memory excludes the driver's reserve.
struct KernelResources {
  unsigned RegsPerThread;
  unsigned ThreadsPerBlock;
  unsigned StaticSharedBytes;
  unsigned DynamicSharedBytes;
};

/// What keeps another block from becoming resident.
enum class Limiter {
  Unknown, ///< Nothing was computed.
  Registers,
  SharedMemory,
  Warps,
  Blocks,
  TooLarge, ///< Not even one block fits.
};

/// "unknown", "registers", "shared memory", "warps", "blocks" or "none fits".
llvm::StringRef toString(Limiter L);

/// Residency of a kernel on one SM.
struct Occupancy {
  unsigned BlocksPerSM;
  unsigned WarpsPerSM;
  /// Of several equal limits the one that is hardest to move is named: warps,
  /// then blocks, shared memory, registers. So it is Registers only where
  /// fewer registers alone would make another block fit.
  Limiter Limit;

  /// Blocks that each resource alone would allow. UnlimitedBlocks where the
  /// kernel uses nothing of it.
  unsigned BlocksByRegisters;
  unsigned BlocksBySharedMemory;
  unsigned BlocksByWarps;
  unsigned BlocksBySlots;
};

/// Warps of a block of \p Threads threads, the last of which may be a part.
unsigned warpsPerBlock(const SMLimits &Limits, unsigned Threads);

/// Residency of a kernel that takes \p K.
///
/// No block fits (BlocksPerSM 0, TooLarge) if a block has 0 threads or more
/// than MaxThreadsPerBlock, a thread more than MaxRegsPerThread registers, or
/// its shared memory exceeds OptInSharedBytesPerBlock. (What ptxas takes of
/// static shared memory is no matter of residency: a frame that is moved in the
/// binary may go beyond it.) 0 registers per thread, which ptxas never reports,
/// means that registers do not limit.
Occupancy computeOccupancy(const SMLimits &Limits, const KernelResources &K);

/// The most registers per thread with which \p Blocks blocks of \p Threads
/// threads fit one SM. It is the cap that ptxas derives from .maxntid and
/// .minnctapersm: a multiple of 8, or 255 where 256 would fit. Returns 0 if no
/// register count gets there: \p Threads or \p Blocks is 0, or the block size,
/// the warps or the blocks exceed their own limit.
unsigned maxRegsForBlocks(const SMLimits &Limits, unsigned Threads,
                          unsigned Blocks);

/// The most bytes of shared memory, static plus dynamic, that a block may use
/// so that \p Blocks blocks fit one SM. The reserve is already subtracted; the
/// limit of 48 KB on static memory is not applied. Returns 0 if \p Blocks is 0
/// or more than MaxBlocksPerSM.
unsigned sharedBytesForBlocks(const SMLimits &Limits, unsigned Blocks);

/// The bytes of L1 data cache per SM that are left beside the smallest
/// carve-out that holds \p Blocks blocks with \p BytesPerBlock bytes of shared
/// memory each (static plus dynamic, without the reserve, which is added here),
/// or 0 if there is no such carve-out.
unsigned l1Bytes(const SMLimits &Limits, unsigned BytesPerBlock,
                 unsigned Blocks);

/// The most bytes of shared memory that a block may use, as in l1Bytes(), so
/// that \p Blocks blocks leave at least \p Least bytes of L1; 0 if there are
/// none, or \p Blocks is 0.
unsigned sharedBytesBesideL1(const SMLimits &Limits, unsigned Blocks,
                             unsigned Least);

/// A number of resident blocks and the registers that it costs.
struct OccupancyStep {
  unsigned Blocks;
  /// Most registers per thread with which Blocks blocks fit.
  unsigned MaxRegs;
};

/// The steps of blocks of \p Threads threads as registers per thread are cut
/// down: Blocks strictly ascending, MaxRegs strictly descending. Where several
/// numbers of blocks have the same register cap, only the largest is listed.
/// Empty if \p Threads is 0 or more than MaxThreadsPerBlock.
std::vector<OccupancyStep> occupancySteps(const SMLimits &Limits,
                                          unsigned Threads);

} // namespace regdem

#endif // REGDEM_TARGET_OCCUPANCY_H
