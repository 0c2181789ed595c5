//===- ExcessTree.h - words over a limit, by instruction --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A segment tree over a kernel's instructions that follows how many words are
// still over the limit as values leave the registers. A value may be idle over
// most of the kernel, so nothing here may cost as much as a range is long.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_EXCESSTREE_H
#define REGDEM_LIB_DECISION_PLAN_EXCESSTREE_H

#include "regdem/Analysis/KernelGraph.h"
#include <array>

namespace regdem {

class ExcessTree {
public:
  /// Words of the largest value.
  static constexpr unsigned MostWords = 4;

  /// Excess: words over the limit at each instruction; 0 where there are none.
  explicit ExcessTree(llvm::ArrayRef<unsigned> Excess);

  /// Words that leave the registers, and those of them that go to slots.
  struct Leaving {
    unsigned Words = 0, ToSlots = 0;
  };

  /// What more leaves the registers at instructions First to Last. All calls
  /// together take time in proportion to n log n for n instructions and calls.
  void take(InstId First, InstId Last, Leaving What);

  /// The sum, over instructions First to Last, of the words by which the
  /// excess would shrink if Words (1 to MostWords) left the registers.
  unsigned relief(InstId First, InstId Last, unsigned Words) const;

  /// The most words that have gone to slots at any of First to Last.
  unsigned mostInSlots(InstId First, InstId Last) const;

private:
  static constexpr unsigned NoExcess = ~0u;

  struct Node {
    /// For 1 to MostWords words that leave: the sum of what each relieves.
    std::array<unsigned, MostWords> Relief = {};
    /// The least excess of the instructions that have any.
    unsigned Least = NoExcess;
    unsigned MostInSlots = 0;
    /// What has left below this node and is not entered there yet.
    Leaving Pending;

    void setExcess(unsigned Words);
    void enter(Leaving What);
  };

  unsigned Leaves = 1; ///< A power of two; leaf I is node Leaves + I.
  std::vector<Node> Nodes;

  void pull(unsigned N);
  void take(unsigned N, unsigned Begin, unsigned Size, InstId First,
            InstId Last, Leaving What);
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_EXCESSTREE_H
