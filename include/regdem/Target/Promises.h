//===- Promises.h - what a finished kernel must keep ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs rely on more than results: that a launch succeeds, that an SM holds
// as many blocks as launch bounds ask for (a barrier across the grid hangs
// otherwise), that a stated cap holds. This is the one gate: every finished
// program passes it, whatever made it, and every build is held against it
// before it may be chosen.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TARGET_PROMISES_H
#define REGDEM_TARGET_PROMISES_H

#include "regdem/Target/SMLimits.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>

namespace regdem {

/// What a kernel takes of an SM, as its program says.
struct KernelFigures {
  unsigned Registers = 0;    ///< Of a thread.
  uint64_t StaticShared = 0; ///< Bytes of a block, the driver's reserve aside.
  /// Bytes that a launch adds for each thread to its dynamic shared memory, in
  /// a multiple of 16.
  unsigned ThreadBytes = 0;
  unsigned FrameBytes = 0; ///< Of local memory, of a thread.
};

/// What is promised of a kernel.
struct Promises {
  /// Threads of a block at most; 0: any number.
  unsigned Threads = 0;
  /// Each block has so many.
  bool IsExact = false;
  /// Bytes of dynamic shared memory that a launch has at most; none: unknown.
  std::optional<uint64_t> DynamicShared;
  /// Launches may have some, whether or not the program shows it.
  bool MayBeDynamic = false;
  /// Blocks that an SM holds at least, of Threads threads each; 0: not stated.
  unsigned BlocksPerSM = 0;
  /// Blocks wait for each other, as those of a cooperative launch do: an SM
  /// holds as many as before, of every size.
  bool KeepsAllBlocks = false;
  /// Registers that a thread has at most; 0: not stated.
  unsigned MaxRegs = 0;
};

/// Blocks of Threads threads that an SM holds of a kernel that takes K, in
/// launches with Dynamic bytes of shared memory of their own.
unsigned residentBlocks(const SMLimits &SM, const KernelFigures &K,
                        unsigned Threads, uint64_t Dynamic);

/// Bytes of shared memory, static and Dynamic ones, that a block may have
/// where its static part is stated in the program. That is the CUDA C++
/// Programming Guide's 48 KB; more where launches were seen to succeed, which
/// is on an H100 and an H200 with drivers of the 580 series for programs of
/// CUDA 13.0 and later (Release 130), for all that a kernel can opt in to. A
/// launch with dynamic shared memory that did not have to opt in is held to
/// 48 KB in all.
uint64_t acceptedShared(const SMLimits &SM, unsigned Release, uint64_t Dynamic);

/// The most dynamic shared memory of launches with up to A and up to B bytes;
/// none where either is not known, or where one has to opt in to more and the
/// other, which has some, need not have: what may be added to the one is too
/// much for the other.
std::optional<unsigned> mostDynamicOfBoth(std::optional<unsigned> A,
                                          std::optional<unsigned> B);

/// Success if Now, which stands in the place of Before, keeps P; an error names
/// the first promise that it breaks. What Before does not keep is not asked of
/// Now.
llvm::Error keepsPromises(const KernelFigures &Now, const KernelFigures &Before,
                          const Promises &P, const SMLimits &SM);

} // namespace regdem

#endif // REGDEM_TARGET_PROMISES_H
