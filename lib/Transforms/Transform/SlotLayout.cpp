//===- SlotLayout.cpp - where slots lie in the region ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/SlotLayout.h"

#include "llvm/ADT/STLExtras.h"

namespace regdem {

SlotLayout layOutSlots(const DemotionPlan &Plan, const KernelGraph &Graph,
                       unsigned Threads) {
  bool AllEven = llvm::all_of(Plan.Actions, [&](const PlanAction &A) {
    return A.In != Home::ThreadSlot || Graph.words(A.Value) % 2 == 0;
  });
  return {Threads, Plan.Words, AllEven ? 8u : 4u, Plan.BlockWords};
}

} // namespace regdem
