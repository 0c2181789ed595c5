//===- SlotLayout.h - where slots lie in the region -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_SLOTLAYOUT_H
#define REGDEM_TRANSFORM_SLOTLAYOUT_H

#include "regdem/Decision/Plan/DemotionPlan.h"

namespace regdem {

/// Addresses of slots, in bytes from the start of a block's region.
///
/// Word w of thread t lies at Unit*t + 4*w*Threads, so that the threads of a
/// warp touch consecutive banks. Unit is 4 bytes; it is 8 where every demoted
/// value has an even number of words, which then move two at a time.
///
/// On an H200 (benchmarks/micro/slot_width.cu, 256 threads a block) the reload
/// of a 64-bit value takes 31.5 cycles as one access and 32.0 as two, a store
/// and its reload 37 and 34; bytes per cycle are the same (127 of 128), and ncu
/// counts no bank conflict in either. One access is one issue slot less.
///
/// Where launches add ThreadBytes bytes for each thread to their dynamic shared
/// memory, the slots lie there instead, in blocks of any size. Thread t has the
/// ThreadBytes bytes that end ThreadBytes*t bytes before the end of the block's
/// shared memory. Their number is an odd multiple of Unit, so that the words
/// that a warp accesses at once lie in different banks here, too. An order by
/// warps would need no padding, but each thread's warp and lane, and whole
/// warps.
struct SlotLayout {
  unsigned Threads = 0;
  unsigned Words = 0;       ///< Per thread.
  unsigned Unit = 4;        ///< Bytes of the widest access to them: 4 or 8.
  unsigned ThreadBytes = 0; ///< 0: the region is a variable.

  /// Of the variable.
  uint64_t bytes() const {
    return ThreadBytes ? 0 : uint64_t(4) * Words * Threads;
  }
  /// Byte offset of word Word (a multiple of Unit/4) for thread 0.
  int64_t offset(unsigned Word) const {
    return int64_t(4) * Word * (ThreadBytes ? 1 : Threads) -
           int64_t(ThreadBytes);
  }
};

/// The layout for Plan's slots in blocks of at most Threads threads; AtEnd: at
/// the end of dynamic shared memory.
inline SlotLayout layOutSlots(const DemotionPlan &Plan,
                              const KernelGraph &Graph, unsigned Threads,
                              bool AtEnd) {
  return {Threads, Plan.Words, slotUnit(Plan, Graph),
          AtEnd ? threadBytes(Plan, Graph) : 0};
}

} // namespace regdem

#endif // REGDEM_TRANSFORM_SLOTLAYOUT_H
