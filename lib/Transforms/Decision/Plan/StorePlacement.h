//===- StorePlacement.h - where a demoted value is stored -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Once it is settled where values come back to registers, each is looked at by
// itself: walking back from its reloads, every definition that one of them can
// see is stored, right after it. The slot is occupied in between:
//
//   define %v                      define %v
//                                  store %v    |
//   ...                            ...         | occupied
//   reload %v                      reload %v   |
//
// Reloads that no read follows are dropped.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H
#define REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H

#include "regdem/Decision/Plan/DemotionPlan.h"
#include <algorithm>

namespace regdem {

// Every place before an instruction, and the one after a block's last, has a
// number of its own.
inline unsigned firstPlace(const KernelGraph &Graph, BlockId B) {
  return Graph.Blocks[B].Begin + B;
}
inline unsigned lastPlace(const KernelGraph &Graph, BlockId B) {
  return Graph.Blocks[B].End + B;
}
inline unsigned placeOf(PlanPoint P) { return P.Before + P.Block; }
inline unsigned numPlaces(const KernelGraph &Graph) {
  return Graph.numInsts() + static_cast<unsigned>(Graph.Blocks.size());
}

/// Places First to Last, both included.
struct PlaceRange {
  unsigned First, Last;
};

struct SlotUse {
  ValueId Value = 0;
  std::vector<PlanPoint> Stores, Reloads; ///< Ascending.
  std::vector<PlaceRange> Occupied;       ///< Ascending, possibly touching.
};

/// What is done with the values that come back at Reloads, which are by value,
/// in no order, some more than once. Every path from the kernel's entry to a
/// reload must write the value.
std::vector<SlotUse>
placeStores(const KernelGraph &Graph,
            llvm::ArrayRef<std::vector<PlanPoint>> Reloads);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H
