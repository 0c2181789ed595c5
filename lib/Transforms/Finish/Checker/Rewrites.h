//===- Rewrites.h - instructions that a move makes others -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame in local memory has one address for all threads, which code may keep
// in uniform registers; and local memory has a window among generic addresses.
// In shared memory each thread's frame has an address of its own, and the
// window is another one. On sm_90 code goes on to work with the changes that
// FrameRewrite.h lists.
//
// This file compares bits. Where which change has to be is FrameFlow's.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_CHECKER_REWRITES_H
#define REGDEM_LIB_FINISH_CHECKER_REWRITES_H

#include "Words.h"

namespace regdem::framecheck {

struct Rewrite {
  enum class Kind : uint8_t {
    FromStackPointer, ///< R2UR of R1.
    ToGeneral,        ///< MOV or IMAD.U32 of a uniform register.
    Scaled,           ///< LEA that adds a uniform register.
    Product,          ///< IMAD that does.
    WindowLow,        ///< The window's address, lower half.
    WindowHigh        ///< Upper half.
  };
  Kind What = Kind::ToGeneral;
  /// Uniform register that the new instruction reads; 63: URZ. Scaled, Product:
  /// that the old one read, in whose place it reads R1.
  unsigned Source = 63;

  /// Whether its result lacks the distance of a uniform address from R1.
  bool isSum() const { return What == Kind::Scaled || What == Kind::Product; }
};

/// What makes After of Before, on sm_90; none where it is no such thing.
std::optional<Rewrite> findRewrite(Word Before, Word After);

} // namespace regdem::framecheck

#endif // REGDEM_LIB_FINISH_CHECKER_REWRITES_H
