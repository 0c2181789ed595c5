//===- ArrayLoops.h - loops whose counters index arrays ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers have no addresses: a loop that goes through an array has to be
// unrolled until each access has a place of its own. The unrolling is LLVM's
// own (UnrollLoop()); here is which loops are unrolled, from the outside in,
// and that no result changes by it (FixedRounding.h), unless somebody asks for
// it.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_ARRAYLOOPS_H
#define REGDEM_TRANSFORM_ARRAYLOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
} // namespace llvm

namespace regdem {

struct LocalArray;

/// Why a loop stays as it is.
enum class LoopObstacle {
  None,
  Count,   ///< It is not known how often it runs, or too often.
  Size,    ///< The code would become too large.
  Form,    ///< LLVM cannot unroll it.
  Rounding ///< Results might change.
};

/// What has become of a function's loops.
struct UnrolledArrayLoops {
  LoopObstacle First = LoopObstacle::None; ///< Of the first that stays.
  bool MayFuseOtherwise = false;           ///< Of one that was unrolled.
};

/// Unrolls all loops of F whose counters index one of the arrays that are
/// Wanted, as far as they can be; MayFuseOtherwise: also where other products
/// might be fused then.
UnrolledArrayLoops
unrollArrayLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                 llvm::function_ref<bool(const LocalArray &)> Wanted,
                 bool MayFuseOtherwise);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYLOOPS_H
