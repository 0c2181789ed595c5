//===- FrameUse.h - what a kernel does with its frame -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Legality only: whether all that a kernel does with its stack pointer and its
// local memory goes on to work where every thread's frame stands in shared
// memory. Edits nothing and asks nobody whether it pays.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_FRAMEUSE_H
#define REGDEM_LIB_FINISH_FRAMEUSE_H

#include "regdem/MachineCode/Sass.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace regdem {

/// An access at a known distance from the lowered stack pointer.
struct FrameAccess {
  uint64_t Address = 0; ///< Of the instruction, in the section.
  unsigned Offset = 0, Bytes = 0;
  bool IsLoad = false;
  double Runs = 0; ///< Estimated executions by a warp, as of its block.
};

/// Accesses of a kernel, and of all that it calls, to its frame.
struct FrameUse {
  unsigned Loads = 0, Stores = 0; ///< Instructions.
  unsigned Indexed = 0; ///< Of these, with an address that is not R1's.
  unsigned Widest = 0;  ///< Bytes of the widest access.
  unsigned Lowered = 0; ///< Bytes by which the kernel lowers R1.
  /// By access: what it has to add, since its address lacks that then.
  std::map<uint64_t, int64_t> Shifts;
  /// Offsets of other instructions that have to change (FrameRewrite.h).
  std::set<uint64_t> Rewrites;
  std::vector<FrameAccess> Accesses; ///< Those that are not Indexed.
  uint64_t LoweredAt = 0;            ///< The instruction that lowers R1.
  /// Whether anything but accesses has to do with an address in the frame.
  bool HasAddresses = false;
  /// Whether generic addresses may be in the frame.
  bool IsGeneric = false;
};

/// The frame of K. An error says in one line what keeps it in local memory:
/// another use of the stack pointer or of an address in the frame, calls whose
/// target is not known, recursion. Addresses in uniform registers and generic
/// ones move only if MayRewrite.
llvm::Expected<FrameUse> readFrameUse(SassKernel K, bool MayRewrite);

} // namespace regdem

#endif // REGDEM_LIB_FINISH_FRAMEUSE_H
