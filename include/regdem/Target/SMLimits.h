//===- SMLimits.h - What one streaming multiprocessor offers ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware limits that decide how many blocks of a kernel run on one
// streaming multiprocessor (SM) at a time: one row per compute capability.
// This file holds facts only. Whatever is computed from them is in
// Occupancy.h, and no other file may state such a number.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TARGET_SMLIMITS_H
#define REGDEM_TARGET_SMLIMITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace regdem {

/// Limits of one SM of one compute capability. Registers are 32 bits wide,
/// sizes are bytes unless the name says KB (1024 bytes).
///
/// The members without an initializer differ between architectures; the
/// others have been the same on all of them since 7.0.
struct SMLimits {
  /// Compute capability as major * 10 + minor: 90 for sm_90.
  unsigned Arch;
  unsigned MaxWarpsPerSM;
  unsigned MaxBlocksPerSM;
  unsigned SharedBytesPerSM;
  /// Most static plus dynamic shared memory of a block whose kernel opted in
  /// to more than StaticSharedBytesPerBlock.
  unsigned OptInSharedBytesPerBlock;
  /// Shared memory the driver adds to each block.
  unsigned ReservedSharedBytesPerBlock;
  /// A block's shared memory, reserve included, is rounded up to this.
  unsigned SharedGranuleBytes;
  /// L1 data cache and shared memory together.
  unsigned UnifiedCacheBytes;
  /// Sizes the shared part of the unified cache can be given, ascending. The
  /// last one equals SharedBytesPerSM.
  llvm::ArrayRef<std::uint16_t> CarveOutKB;

  unsigned RegistersPerSM = 65536;
  /// Register 255 is the zero register, so code can name 255, although the
  /// allocation of such a thread is that of 256.
  unsigned MaxRegsPerThread = 255;
  /// Registers are allocated to a warp in multiples of this (8 per thread).
  unsigned RegisterUnitPerWarp = 256;
  /// The register file is split evenly over these, and a warp takes its
  /// registers from one of them.
  unsigned SubPartitions = 4;
  unsigned WarpSize = 32;
  unsigned MaxThreadsPerBlock = 1024;
  /// Most static shared memory of a block: ptxas refuses more.
  unsigned StaticSharedBytesPerBlock = 49152;
};

/// All rows, ascending by Arch.
llvm::ArrayRef<SMLimits> allSMLimits();

/// The row of compute capability \p Arch (90 for sm_90), or nullptr when it is
/// not known. There is no fallback to a similar architecture: a guessed limit
/// would silently give wrong occupancies.
const SMLimits *lookupSMLimits(unsigned Arch);

/// The number in a target name: 90 for "sm_90", "sm_90a" and "sm_90f". Returns
/// 0 for anything else. A result other than 0 need not have a row.
unsigned parseArch(llvm::StringRef Name);

} // namespace regdem

#endif // REGDEM_TARGET_SMLIMITS_H
