//===- BlockEntry.h - registers in use where a block begins -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_BLOCKENTRY_H
#define REGDEM_LIB_DECISION_PLAN_BLOCKENTRY_H

#include "RegisterSet.h"

namespace regdem {

/// Ascending by value.
using Residents = std::vector<Resident>;

/// The entry of List for V; null where it has none.
const Resident *find(const Residents &List, ValueId V);

/// Chooses what is in registers at a block's entry, given what its
/// predecessors leave there.
class EntryChooser {
public:
  EntryChooser(const KernelGraph &Graph, const NextUse &Uses, unsigned Limit,
               const std::vector<bool> &Pinned);

  /// Out holds what is in registers at the end of each block that is Done.
  Residents choose(BlockId B, const std::vector<Residents> &Out,
                   const std::vector<bool> &Done) const;

private:
  /// How the predecessors walked so far hand over a value: the share of their
  /// executions that do so in a register.
  struct Handover {
    uint64_t InRegister = 0, Total = 0;
    bool InAll = true, CleanInAll = true;
  };

  /// An edge to a block from a predecessor that has been walked.
  struct Arrival {
    uint64_t Frequency;
    const Residents &Out; ///< What it leaves in registers.
  };
  using Arrivals = std::vector<Arrival>;

  const KernelGraph &Graph;
  const NextUse &Uses;
  const unsigned Limit;
  const std::vector<bool> &Pinned;
  const std::vector<unsigned> Peaks; ///< By loop, in words.

  void takeNearest(Residents List, unsigned Room, Residents &To,
                   unsigned &Used) const;
  static Handover handover(const Arrivals &From, ValueId V);
  Residents joinedEntry(BlockId B, const Arrivals &From) const;
  Residents loopEntry(BlockId B, const Arrivals &From) const;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_BLOCKENTRY_H
