//===- ArrayReach.h - what rewrites of arrays share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_ARRAYREACH_H
#define REGDEM_LIB_TRANSFORM_ARRAYREACH_H

#include "regdem/Analysis/LocalArrays.h"

namespace regdem {

/// The unit that all places and sizes are multiples of: a power of two, of
/// eight bytes at most.
uint64_t unitOf(const LocalArray &Array);

/// Whether A is at the same place each time.
bool isKnownPlace(const ArrayAccess &A);

/// The elements that an access may start with: First, First + Step ... Last.
struct Reach {
  uint64_t First = 0, Last = 0, Step = 1;
  uint64_t count() const { return (Last - First) / Step + 1; }
};

Reach reachOf(const LocalArray &Array, const ArrayAccess &A, uint64_t Unit);

/// Erases the marks of where Array's lifetime starts and ends.
void eraseLifetimes(const LocalArray &Array);

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_ARRAYREACH_H
