//===- RegisterSet.h - values in registers inside a block -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_PLAN_REGISTERSET_H
#define REGDEM_LIB_DECISION_PLAN_REGISTERSET_H

#include "regdem/Analysis/NextUse.h"
#include <queue>
#include <tuple>
#include <vector>

namespace regdem {

/// A value that is in a register.
struct Resident {
  ValueId Value;
  Distance Next; ///< Of its next read, from the block's start.
  bool Clean;    ///< Its slot is known to hold it, or it needs none.

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
      : Graph(Graph), Pinned(Pinned), Index(Graph.Values.size(), Absent) {}

  bool contains(ValueId V) const { return Index[V] != Absent; }
  const std::vector<Resident> &members() const { return Members; }
  unsigned words() const { return Words; }

  void insert(Resident M) {
    Index[M.Value] = static_cast<unsigned>(Members.size());
    Words += Graph.words(M.Value);
    Members.push_back(M);
    queue(M);
  }
  void setNext(ValueId V, Distance Next) {
    Members[Index[V]].Next = Next;
    queue(Members[Index[V]]);
  }
  void erase(ValueId V) {
    unsigned At = Index[V];
    Index[V] = Absent;
    Words -= Graph.words(V);
    if (At + 1 != Members.size()) {
      Members[At] = Members.back();
      Index[Members[At].Value] = At;
    }
    Members.pop_back();
  }
  void clear() {
    for (const Resident &M : Members)
      Index[M.Value] = Absent;
    Members.clear();
    Reloaded = Recomputed = Queue();
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
    std::vector<Entry> Kept;
    while (Words > Most) {
      const Entry *A = top(Reloaded), *B = top(Recomputed);
      if (!A && !B)
        break;
      bool TakeA = !B || (A && rank(*A, Now) > rank(*B, Now));
      Entry Best = TakeA ? *A : *B;
      (TakeA ? Reloaded : Recomputed).pop();
      if (Protected[Best.Value]) {
        Kept.push_back(Best);
      } else {
        erase(Best.Value);
        Evicted.push_back(Best.Value);
      }
    }
    for (const Entry &E : Kept)
      queueOf(E).push(E);
    return Evicted;
  }

private:
  /// As a member was when it was queued. One that has changed since, or left,
  /// stays in the queue until it would be next.
  struct Entry {
    Distance Next;
    bool Clean;
    ValueId Value;
    bool operator<(const Entry &O) const {
      return std::make_tuple(Next, Clean, ~Value) <
             std::make_tuple(O.Next, O.Clean, ~O.Value);
    }
  };
  using Queue = std::priority_queue<Entry>;

  static constexpr unsigned Absent = ~0u;
  const KernelGraph &Graph;
  const std::vector<bool> &Pinned;
  std::vector<unsigned> Index;
  std::vector<Resident> Members;
  /// Values that are not pinned, by how far ahead they are read. Those that
  /// count as read later are apart: how much later depends on where the walk
  /// is, but not their order.
  Queue Reloaded, Recomputed;
  unsigned Words = 0;

  bool countsAsLater(const Entry &E) const {
    return Graph.isRecomputed(E.Value) && E.Next < LoopExitLength;
  }
  Queue &queueOf(const Entry &E) {
    return countsAsLater(E) ? Recomputed : Reloaded;
  }
  void queue(const Resident &M) {
    if (Pinned[M.Value])
      return;
    Entry E = {M.Next, M.Clean, M.Value};
    queueOf(E).push(E);
  }

  std::tuple<Distance, bool, ValueId> rank(const Entry &E, Distance Now) const {
    Distance Later =
        countsAsLater(E) ? (E.Next - Now) * (RecomputedDistance - 1) : 0;
    return {E.Next + Later, E.Clean, ~E.Value};
  }

  /// The entry of Q to leave first; null where there is none.
  const Entry *top(Queue &Q) const {
    while (!Q.empty()) {
      const Entry &E = Q.top();
      if (contains(E.Value)) {
        const Resident &M = Members[Index[E.Value]];
        if (M.Next == E.Next && M.Clean == E.Clean)
          return &E;
      }
      Q.pop();
    }
    return nullptr;
  }
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_PLAN_REGISTERSET_H
