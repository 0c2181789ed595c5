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

#include "Timeline.h"

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

/// Events holds the value's Evict, Reload, Read and Write events.
SlotUse placeStores(const SplitGraph &Graph, ValueId Value,
                    const Timeline &Events);

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_STOREPLACEMENT_H
