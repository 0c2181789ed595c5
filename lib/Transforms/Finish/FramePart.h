//===- FramePart.h - the places of a frame that are used most ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the whole frame does not fit, the places that are accessed most move
// and the others stay in local memory. Only for frames without addresses: each
// access is at a known distance from the stack pointer.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_FRAMEPART_H
#define REGDEM_LIB_FINISH_FRAMEPART_H

#include "FrameUse.h"
#include <map>

namespace regdem {

struct FramePart {
  unsigned Bytes = 0;  ///< That move, of a thread.
  unsigned Widest = 0; ///< Bytes of the widest access that moves.
  uint64_t Stride = 0; ///< Bytes from one thread's part to the next.
  /// By offset from the stack pointer: where words that move are in a part.
  std::map<unsigned, unsigned> Words;

  bool moves(const FrameAccess &A) const { return Words.count(A.Offset & ~3u); }
};

/// From one thread's frame of Bytes bytes to the next: an odd number of its
/// widest accesses.
uint64_t strideOf(uint64_t Bytes, unsigned Widest);

/// Of a frame the places with most accesses a byte, as many as fit into a
/// stride of Most bytes. An error says why that frame has no parts.
llvm::Expected<FramePart> choosePart(const FrameUse &Use, uint64_t Most);

} // namespace regdem

#endif // REGDEM_LIB_FINISH_FRAMEPART_H
