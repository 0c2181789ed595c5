//===- RegisterSet.h - values in registers inside a block -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_REGISTERSET_H
#define REGDEM_LIB_DECISION_PLAN_REGISTERSET_H

#include "regdem/Analysis/NextUse.h"
#include "llvm/ADT/SparseSet.h"
#include <set>
#include <tuple>
#include <vector>

namespace regdem {

/// A value that is in a register.
struct Resident {
  ValueId Value;
  Distance Next; ///< Of its next read, from the block's start.
  bool Clean;    ///< Its slot is known to hold it, or it needs none.

  unsigned getSparseSetIndex() const { return Value; }
  bool operator<(const Resident &O) const { return Value < O.Value; }
};

/// The values in registers while a block is walked, and which of them leave
/// first. There may be thousands, and some are to leave at nearly every
/// instruction, so that only clear() may take as long as they are many.
class RegisterSet {
public:
  /// A value that is recomputed leaves its register before one that is
  /// reloaded unless it is read this many times as soon.
  static constexpr Distance RecomputedDistance = 4;

  /// Pinned: values that never leave; must outlive the set.
  RegisterSet(const KernelGraph &Graph, const std::vector<bool> &Pinned)
      : Graph(Graph), Pinned(Pinned) {
    Members.setUniverse(Graph.Values.size());
  }

  bool contains(ValueId V) const { return Members.contains(V); }
  llvm::ArrayRef<Resident> members() const {
    return {Members.begin(), Members.end()};
  }
  unsigned words() const { return Words; }

  void insert(Resident M) {
    Members.insert(M);
    Words += Graph.words(M.Value);
    if (!Pinned[M.Value])
      queueOf(M).insert(M);
  }
  void setNext(ValueId V, Distance Next) {
    Resident M = *Members.find(V);
    erase(V);
    M.Next = Next;
    insert(M);
  }
  void erase(ValueId V) {
    auto It = Members.find(V);
    queueOf(*It).erase(*It);
    Words -= Graph.words(V);
    Members.erase(It);
  }
  void clear() {
    Members.clear();
    Reloaded.clear();
    Recomputed.clear();
    Words = 0;
  }

  /// Removes values, neither pinned nor Protected (by value), until no more
  /// than Most words are left or no such value is, and returns them in order.
  /// First goes what is read farthest ahead of Now, a distance from the block's
  /// start; what comes back at less cost counts as read later. Among equals,
  /// one whose slot holds it already goes first, since it needs no store, then
  /// the one with the lowest number.
  std::vector<ValueId> evict(unsigned Most, Distance Now,
                             const std::vector<bool> &Protected) {
    std::vector<ValueId> Evicted;
    auto A = Reloaded.begin(), B = Recomputed.begin();
    while (Words > Most && (A != Reloaded.end() || B != Recomputed.end())) {
      bool TakeA = B == Recomputed.end() ||
                   (A != Reloaded.end() && rank(*A, Now) > rank(*B, Now));
      ValueId V = (TakeA ? A++ : B++)->Value;
      if (Protected[V])
        continue;
      erase(V);
      Evicted.push_back(V);
    }
    return Evicted;
  }

private:
  using Rank = std::tuple<Distance, bool, ValueId>;
  struct LeavesFirst {
    bool operator()(const Resident &A, const Resident &B) const {
      return Rank(A.Next, A.Clean, ~A.Value) > Rank(B.Next, B.Clean, ~B.Value);
    }
  };
  using Queue = std::set<Resident, LeavesFirst>;

  const KernelGraph &Graph;
  const std::vector<bool> &Pinned;
  llvm::SparseSet<Resident, ValueId, llvm::identity, uint32_t> Members;
  /// Those that are not pinned, by how far ahead they are read. Those that
  /// count as read later are apart: how much later depends on where the walk
  /// is, but not their order.
  Queue Reloaded, Recomputed;
  unsigned Words = 0;

  bool countsAsLater(const Resident &M) const {
    return Graph.isRecomputed(M.Value) && M.Next < LoopExitLength;
  }
  Queue &queueOf(const Resident &M) {
    return countsAsLater(M) ? Recomputed : Reloaded;
  }

  Rank rank(const Resident &M, Distance Now) const {
    Distance Later =
        countsAsLater(M) ? (M.Next - Now) * (RecomputedDistance - 1) : 0;
    return {M.Next + Later, M.Clean, ~M.Value};
  }
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_REGISTERSET_H
