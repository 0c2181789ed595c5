//===- BuildRecipe.h - what is done to a kernel's code ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variant that is tried, what is settled for a kernel and an entry of a
// profile all say how code is to be built. They have this part in common, and
// pass it on as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_BUILDRECIPE_H
#define REGDEM_DECISION_BUILDS_BUILDRECIPE_H

#include "regdem/Analysis/KernelGraph.h"
#include "regdem/Decision/Builds/Rewrite.h"
#include "regdem/Options.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>

namespace regdem {

/// What a kernel is built as.
enum class Decision {
  Stock,   ///< As the stock compiler builds it.
  Rewrite, ///< With rewrites of its code, and nothing else.
  Cap,     ///< With a register cap only.
  Pragma,  ///< With a register cap, ptxas itself spilling to shared memory.
  Demote,  ///< With values demoted to shared memory.
};

llvm::StringRef toString(Decision D);

/// The decision that toString() calls Name; Stock where there is none.
Decision parseDecision(llvm::StringRef Name);

struct BuildRecipe {
  Decision What = Decision::Stock;
  unsigned MaxRegs = 0; ///< Cap in registers; 0: none.
  /// Blocks per SM that ptxas is told to make room for where the kernel does
  /// not say so itself; 0: none.
  unsigned MinBlocks = 0;
  unsigned Target = 0; ///< Register words to plan for; 0: no demotion.
  /// How such a plan picks what leaves the registers.
  Strategy How = Strategy::Rotating;
  Home UpTo = AnyHome; ///< As in PlanRequest.
  /// Slots are accessed by volatile instructions. ptxas may make one of two
  /// reloads of a value, and spill what it then has to keep; of these not.
  bool VolatileSlots = false;
  /// ptxas is asked to spill to shared memory what it spills.
  bool SmemSpilling = false;
  Rewrite Rewrites = Rewrite::None;
  /// The order of blocks whose values crowd the cap (BlockReordering.h).
  InstOrder Order = InstOrder::Source;

  /// This part of what inherits it, to copy and compare.
  const BuildRecipe &recipe() const { return *this; }
  BuildRecipe &recipe() { return *this; }
};

inline bool operator==(const BuildRecipe &A, const BuildRecipe &B) {
  auto Parts = [](const BuildRecipe &R) {
    return std::tie(R.What, R.MaxRegs, R.MinBlocks, R.Target, R.How, R.UpTo,
                    R.VolatileSlots, R.SmemSpilling, R.Rewrites, R.Order);
  };
  return Parts(A) == Parts(B);
}

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_BUILDRECIPE_H
