//===- StorePlacement.h - where a demoted value is stored -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Given when one value leaves and re-enters the registers, finds the cheapest
// stores that put it into its slot before every reload, the reloads that serve
// a read, and the places at which the slot is occupied.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H
#define REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H

#include "SplitGraph.h"
#include "ValueResidency.h"

namespace regdem {

/// Places First to Last, both included, numbered by SplitGraph.
struct PlaceRange {
  unsigned First, Last;
};

struct SlotUse {
  ValueId Value = 0;
  std::vector<PlanPoint> Stores, Reloads; ///< Ascending.
  std::vector<PlaceRange> Occupied;       ///< Ascending, possibly touching.
  /// A path from the kernel's entry to a reload writes the value nowhere, so
  /// the value must not be demoted.
  bool Undefined = false;
};

/// Adds to the events of each value that has any its reads and writes.
void addAccesses(const KernelGraph &Graph,
                 std::vector<std::vector<Event>> &ByValue);

/// Events holds the value's Evict, Reload, Read and Write events, ascending and
/// each once.
SlotUse placeStores(const SplitGraph &Graph, ValueId Value,
                    llvm::ArrayRef<Event> Events);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H
