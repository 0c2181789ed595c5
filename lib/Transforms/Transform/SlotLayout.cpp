//===- SlotLayout.cpp - where slots lie in the region ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/SlotLayout.h"

namespace regdem {

SlotLayout layOutSlots(const DemotionPlan &Plan, const KernelGraph &Graph,
                       unsigned Threads, bool AtEnd) {
  return {Threads, Plan.Words, slotUnit(Plan, Graph),
          AtEnd ? threadBytes(Plan, Graph) : 0};
}

} // namespace regdem
