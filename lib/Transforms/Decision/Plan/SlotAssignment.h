//===- SlotAssignment.h - which values share a slot -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_SLOTASSIGNMENT_H
#define REGDEM_LIB_DECISION_PLAN_SLOTASSIGNMENT_H

#include "StorePlacement.h"

namespace regdem {

struct SlotAssignment {
  std::vector<unsigned> FirstWord; ///< Parallel to the uses given.
  unsigned Words = 0;              ///< Words in all.
};

/// Gives each use a run of words of its own size, such that uses whose places
/// overlap share none: first fit in the order of their first place. A value of
/// two or four words starts at a multiple of its size. Where that takes more
/// than MaxWords, Words is MaxWords + 1 and uses are left without a slot.
SlotAssignment assignSlots(const KernelGraph &Graph, unsigned NumPlaces,
                           llvm::ArrayRef<SlotUse> Uses,
                           unsigned MaxWords = ~0u);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_SLOTASSIGNMENT_H
