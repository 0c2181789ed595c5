//===- RegisterSetTest.cpp - what leaves the registers first --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Plan/RegisterSet.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace regdem;

namespace {

/// Values of one word each; the ones of Recomputed have no slot.
KernelGraph graphOf(unsigned Values, const std::vector<ValueId> &Recomputed) {
  KernelGraph Graph;
  Graph.Values.resize(Values);
  for (ValueInfo &V : Graph.Values)
    V.Words = 1;
  for (ValueId V : Recomputed)
    Graph.Values[V].IsRecomputed = true;
  return Graph;
}

using Values = std::vector<ValueId>;
using Flags = std::vector<bool>;

TEST(RegisterSet, WhatIsReadFarthestAheadLeavesFirst) {
  KernelGraph Graph = graphOf(4, {});
  Flags Pinned(4), Protected(4);
  RegisterSet Set(Graph, Pinned);
  Set.insert({0, 5, false});
  Set.insert({1, 9, false});
  Set.insert({2, NeverUsed - 1, false});
  Set.insert({3, 7, false});
  EXPECT_EQ(Set.evict(1, 0, Protected), (Values{2, 1, 3}));
  EXPECT_EQ(Set.words(), 1u);
  EXPECT_TRUE(Set.contains(0));
}

TEST(RegisterSet, OfEqualsTheCleanOneThenTheFirstLeaves) {
  KernelGraph Graph = graphOf(4, {});
  Flags Pinned(4), Protected(4);
  RegisterSet Set(Graph, Pinned);
  for (ValueId V : {3, 1, 2, 0})
    Set.insert({V, 8, V == 2});
  EXPECT_EQ(Set.evict(0, 0, Protected), (Values{2, 0, 1, 3}));
}

TEST(RegisterSet, PinnedAndProtectedValuesStay) {
  KernelGraph Graph = graphOf(3, {});
  Flags Pinned = {true, false, false}, Protected = {false, true, false};
  RegisterSet Set(Graph, Pinned);
  for (ValueId V : {0, 1, 2})
    Set.insert({V, 20 - V, false});
  EXPECT_EQ(Set.evict(0, 0, Protected), Values{2});
  EXPECT_EQ(Set.words(), 2u);
  Protected[1] = false;
  EXPECT_EQ(Set.evict(0, 0, Protected), Values{1});
}

// 20 is 18 ahead of 2, which counts as 72 ahead; after the loop all are alike.
TEST(RegisterSet, RecomputedValuesCountAsReadLater) {
  KernelGraph Graph = graphOf(4, {0, 3});
  Flags Pinned(4), Protected(4);
  RegisterSet Set(Graph, Pinned);
  Set.insert({0, 20, false});
  Set.insert({1, 73, false});
  Set.insert({2, 75, false});
  Set.insert({3, LoopExitLength, false});
  EXPECT_EQ(Set.evict(0, 2, Protected), (Values{3, 2, 0, 1}));
}

// Against a search through all members, after every kind of change.
TEST(RegisterSet, EqualsASearchThroughAll) {
  constexpr unsigned Number = 30;
  std::mt19937 Random(7);
  KernelGraph Graph = graphOf(Number, {1, 4, 9, 16, 25});
  Flags Pinned(Number), Protected(Number);
  Pinned[2] = Pinned[9] = true;
  RegisterSet Set(Graph, Pinned);
  unsigned Evictions = 0;
  for (Distance Now = 0; Now != 3000; ++Now) {
    ValueId V = Random() % Number;
    Distance Next = Now + 1 + Random() % 40;
    if (!Set.contains(V))
      Set.insert({V, Next, Random() % 2 == 0});
    else if (Random() % 8 == 0)
      Set.erase(V);
    else
      Set.setNext(V, Next);
    // What is read now is read again later, as in a block.
    for (Resident M : Set.members().vec())
      if (M.Next <= Now)
        Set.setNext(M.Value, Next);
    for (ValueId P = 0; P != Number; ++P)
      Protected[P] = Random() % 4 == 0;
    unsigned Most = 10 + Random() % 10;

    std::vector<Resident> Members = Set.members().vec();
    Values Expected;
    while (Members.size() > Most) {
      auto Rank = [&](const Resident &M) {
        Distance Ahead = (M.Next - Now) * (Graph.isRecomputed(M.Value) ? 4 : 1);
        return std::make_tuple(!Protected[M.Value] && !Pinned[M.Value], Ahead,
                               M.Clean, ~M.Value);
      };
      auto Worst = std::max_element(
          Members.begin(), Members.end(),
          [&](const auto &A, const auto &B) { return Rank(A) < Rank(B); });
      if (!std::get<0>(Rank(*Worst)))
        break;
      Expected.push_back(Worst->Value);
      Members.erase(Worst);
    }
    ASSERT_EQ(Set.evict(Most, Now, Protected), Expected) << "at " << Now;
    Evictions += Expected.size();
  }
  EXPECT_GT(Evictions, 100u);
}

} // namespace
