//===- RegisterSet.h - values in registers inside a block -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_DECISION_REGISTERSET_H
#define REGDEM_LIB_DECISION_REGISTERSET_H

#include "regdem/Analysis/NextUse.h"

namespace regdem {

/// The values in registers while a block is walked.
class RegisterSet {
public:
  struct Member {
    ValueId Value;
    Distance Next; ///< Of its next read, from the block's start.
    bool Clean;    ///< Its slot is known to hold it, or it needs none.
  };
  /// A value that is recomputed leaves its register before one that is
  /// reloaded unless it is read this many times as soon.
  static constexpr Distance RecomputedDistance = 4;

  explicit RegisterSet(const KernelGraph &Graph)
      : Graph(Graph), Index(Graph.Values.size(), Absent) {}

  bool isRecomputed(ValueId V) const {
    return Graph.Values[V].Place == Home::Recomputation;
  }
  /// When M is read again, as far as the choice of what leaves at Now is
  /// concerned: what comes back at less cost counts as read later. Both from
  /// the block's start.
  Distance readFor(const Member &M, Distance Now) const {
    if (!isRecomputed(M.Value) || M.Next >= LoopExitLength)
      return M.Next;
    return M.Next + (M.Next - Now) * (RecomputedDistance - 1);
  }

  bool contains(ValueId V) const { return Index[V] != Absent; }
  Member &operator[](ValueId V) { return Members[Index[V]]; }
  const std::vector<Member> &members() const { return Members; }
  unsigned words() const { return Words; }

  void insert(Member M) {
    Index[M.Value] = static_cast<unsigned>(Members.size());
    Words += Graph.words(M.Value);
    Members.push_back(M);
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
    for (const Member &M : Members)
      Index[M.Value] = Absent;
    Members.clear();
    Words = 0;
  }

private:
  static constexpr unsigned Absent = ~0u;
  const KernelGraph &Graph;
  std::vector<unsigned> Index;
  std::vector<Member> Members;
  unsigned Words = 0;
};

} // namespace regdem

#endif // REGDEM_LIB_DECISION_REGISTERSET_H
