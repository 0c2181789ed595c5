//===- FrameOrder.h - frames in shared memory: to do, and done --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_FRAMEORDER_H
#define REGDEM_DECISION_BUILDS_FRAMEORDER_H

#include "regdem/Target/Promises.h"
#include <string>
#include <vector>

namespace regdem {

/// How a kernel's frame moves, as it was decided before.
struct FrameOrder {
  enum Form : uint8_t {
    Stays, ///< In local memory.
    Whole, ///< To static shared memory.
    Part,  ///< The places that are accessed most, there.
    AtEnd  ///< Whole, to the end of dynamic shared memory, for which launches
           ///< add Stride bytes for each thread.
  };
  Form How = Stays;
  unsigned Threads = 0; ///< Of a block at most, AtEnd.
  /// Bytes from one thread's frame to the next. Of a program in which they are
  /// others the frame stays. 0: as many as it takes, and whether it moves at
  /// all is yet to be decided.
  uint64_t Stride = 0;
};

/// What became of one kernel's frame.
struct FrameResult {
  std::string Kernel;      ///< Mangled.
  std::string Arch;        ///< "sm_90"; for architecture-specific code too.
  unsigned Registers = 0;  ///< Of a thread.
  unsigned FrameBytes = 0; ///< Local memory of a thread, as ptxas laid it out.
  unsigned Loads = 0, Stores = 0; ///< Instructions that access it.
  unsigned Indexed = 0;    ///< Of these, with an address that is computed.
  unsigned Threads = 0;    ///< The most of a block; 0: not stated.
  unsigned Widest = 0;     ///< Bytes of the widest access, at least 4.
  uint64_t Stride = 0;     ///< Bytes from one thread's frame to the next.
  unsigned MovedBytes = 0; ///< Of the frame: less where only a part moves.
  /// Then, the accesses that stay: offsets in the section.
  std::vector<uint64_t> Staying;
  unsigned StayingLoadBytes = 0, StayingStoreBytes = 0; ///< That these move.
  /// Static bytes of a block, without what is reserved. AtEnd: SharedAfter is
  /// what its launches take, but for dynamic shared memory of their own.
  uint64_t SharedBefore = 0, SharedAfter = 0;
  uint64_t DynamicShared = 0; ///< Of a launch at most, as it was stated.
  /// That an SM holds with blocks of Threads threads; 0: not known.
  unsigned BlocksBefore = 0, BlocksAfter = 0;
  Promises Keep; ///< Of its kernel, with what its code and directives show.
  bool AtEnd = false; ///< Launches add Stride bytes for each thread.
  bool Moved = false;
  std::string Reason; ///< Why it was not moved; empty if it was.
};

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_FRAMEORDER_H
