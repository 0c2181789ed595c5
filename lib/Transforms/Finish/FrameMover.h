//===- FrameMover.h - one kernel's frame on its way -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether and where the frame of one kernel fits into shared memory, and the
// edits of its code. Which way is taken is not decided here.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_FRAMEMOVER_H
#define REGDEM_LIB_FINISH_FRAMEMOVER_H

#include "CubinImage.h"
#include "FramePart.h"
#include "FrameSetUp.h"
#include "FrameUse.h"
#include "regdem/Finish/Finisher.h"
#include <optional>
#include <vector>

namespace regdem {

/// What a block's section of shared memory counts for the system, ahead of the
/// kernel's own.
uint64_t reservedShared(const SMLimits &SM);

/// One kernel on its way.
class FrameMover {
public:
  /// Promised: what is promised of K. Order: how its frame moves; null: that is
  /// not decided.
  FrameMover(const CubinImage &Image, const CubinKernel &K, Promises Promised,
             const FrameOrder *Order);

  const CubinKernel &kernel() const { return K; }
  /// The order that is to be carried out; null: none is decided in full.
  const FrameOrder *settled() const {
    return Order && Order->Stride ? Order : nullptr;
  }

  /// Whether the frame can be moved, as far as the code in Image shows.
  llvm::Error look(const CubinImage &Image, const SassKernel &Code);
  /// Has no more of it move than takes Most bytes a thread.
  llvm::Error narrow(uint64_t Most);
  /// Whether all fits in the block's shared memory.
  llvm::Error place(const FinishSettings &Settings);
  /// Bytes a thread of the parts that are worth a look, where moving the whole,
  /// as it was placed, leaves an SM fewer blocks or does not fit: the largest
  /// ones that leave it all its blocks, three quarters of them, and half; and
  /// where it takes too much of L1, the largest one that does not
  /// (l1ForScatteredLoads).
  std::vector<uint64_t> sizesOfParts() const;
  FrameSetUpRequest request() const {
    return {K.Limit,      Own,           Result.Stride,
            Result.AtEnd, Use.IsGeneric, Part ? Use.Lowered : 0};
  }
  llvm::Error rewrite(CubinImage &Image, const FrameSetUp &SetUp) const;

  FrameResult Result;

private:
  const CubinKernel &K;
  const FrameOrder *Order;
  const SMLimits *SM; ///< Not null once look() has succeeded.
  FrameUse Use;
  std::optional<FramePart> Part; ///< Where not the whole frame moves.
  uint64_t OldShared = 0; ///< As the section says, the reserved bytes included.
  bool MayBeDynamic = false;
  uint64_t Own = 0; ///< Without these, up to where the region begins.

  uint64_t reserved() const { return reservedShared(*SM); }
};

/// The ways in which the frame that Whole has looked at can move: the one that
/// is settled, or the whole frame and parts of it; an error where there is
/// none.
llvm::Expected<std::vector<FrameMover>> waysOf(const FrameMover &Whole,
                                               const FinishSettings &Settings);

} // namespace regdem

#endif // REGDEM_LIB_FINISH_FRAMEMOVER_H
