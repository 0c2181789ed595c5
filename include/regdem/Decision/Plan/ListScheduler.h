//===- ListScheduler.h - an order of few registers --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// List scheduling of a block, with an eye for registers only: latencies are
// ptxas's business, which schedules once more. It knows numbers, not machine
// code.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_PLAN_LISTSCHEDULER_H
#define REGDEM_DECISION_PLAN_LISTSCHEDULER_H

#include "regdem/Options.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace regdem {

/// The instructions of a block, by their place in the source's order, and the
/// values that they read and write, by any dense numbers.
struct ScheduleGraph {
  struct Node {
    /// Those that have to stay before and after it, each once.
    llvm::SmallVector<unsigned, 4> Preds, Succs;
    llvm::SmallVector<unsigned, 4> Uses, Defs; ///< Each value once.
  };
  std::vector<Node> Nodes;
  std::vector<unsigned> Words; ///< Registers that each value takes.
  llvm::BitVector LiveOut;     ///< Values that are read after the block.
  unsigned Room = 0; ///< Words that may be live before Forward saves any.

  /// Before has to stay ahead of Behind, which stands after it in the source.
  void addEdge(unsigned Before, unsigned Behind);
};

/// The nodes in the order that How describes; ties are broken by the source's
/// order. O(n log n) for values of few uses each.
std::vector<unsigned> listSchedule(const ScheduleGraph &Graph, InstOrder How);

} // namespace regdem

#endif // REGDEM_DECISION_PLAN_LISTSCHEDULER_H
