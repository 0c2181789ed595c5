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
  Count, ///< It is not known how often it runs, or too often.
  Size,  ///< The code would become too large.
  Form   ///< LLVM cannot unroll it.
};

/// Unrolls all loops of F, whose roundings are fixed, with counters that index
/// one of the arrays that are Wanted, as far as they can be. Returns what the
/// first that stays does so for.
LoopObstacle
unrollArrayLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                 llvm::function_ref<bool(const LocalArray &)> Wanted);

} // namespace regdem

#endif // REGDEM_TRANSFORM_ARRAYLOOPS_H
