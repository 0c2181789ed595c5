//===- ResidentSetTest.cpp - the fewest values to keep in slots -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Plan/ResidentSet.h"
#include "GraphBuilder.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace regdem;
using namespace regdem::test;

namespace {

using Values = std::vector<ValueId>;

constexpr unsigned AnyWords = 1000;

Values choose(const KernelGraph &G, unsigned Limit, const Values &Pinned = {},
              unsigned MaxWords = AnyWords) {
  std::vector<bool> Bits(G.Values.size());
  for (ValueId V : Pinned)
    Bits[V] = true;
  return chooseResidents(G, Limit, MaxWords, Bits);
}

/// Writes all of V, then reads Hot ten times, then all of V.
KernelGraph busyMiddle(GraphBuilder &Build, const Values &V,
                       const Values &Hot) {
  Build.block();
  Build.define(V);
  for (unsigned I = 0; I != 10; ++I)
    Build.inst(Hot);
  Build.read(V);
  return Build.finish();
}

TEST(ResidentSet, NothingLeavesWhereAllFits) {
  GraphBuilder Build;
  Values V = Build.values(4);
  EXPECT_TRUE(choose(busyMiddle(Build, V, {}), 4).empty());
}

TEST(ResidentSet, TakesJustEnough) {
  GraphBuilder Build;
  Values V = Build.values(8);
  EXPECT_EQ(choose(busyMiddle(Build, V, {}), 5).size(), 3u);
}

TEST(ResidentSet, ValuesThatAreReadOftenStay) {
  GraphBuilder Build;
  Values V = Build.values(6);
  Values Taken = choose(busyMiddle(Build, V, {V[0], V[1], V[2]}), 4);
  EXPECT_GE(Taken.size(), 2u);
  for (ValueId T : Taken)
    EXPECT_GT(T, V[2]);
}

TEST(ResidentSet, PinnedValuesStay) {
  GraphBuilder Build;
  Values V = Build.values(4);
  KernelGraph G = busyMiddle(Build, V, {});
  for (ValueId Taken : choose(G, 1, {V[1], V[2]}))
    EXPECT_TRUE(Taken == V[0] || Taken == V[3]) << Taken;
  EXPECT_TRUE(choose(G, 1, V).empty());
}

TEST(ResidentSet, AccessesInALoopCountMore) {
  GraphBuilder Build;
  ValueId Cold = Build.value(), Hot = Build.value();
  Values Filler = Build.values(2);
  Build.block();
  Build.define({Cold, Hot});
  // Cold is accessed more often in the text, Hot when it runs.
  Build.read({Cold, Cold, Cold});
  Build.block();
  Build.define(Filler);
  Build.inst(Filler);
  Build.read(Hot);
  Build.block();
  Build.read({Cold, Hot});
  Build.edge(0, 1);
  Build.edge(1, 1, 95);
  Build.edge(1, 2, 5);
  Values Taken = choose(Build.finish(), 3, Filler);
  EXPECT_EQ(Taken, (Values{Cold}));
}

TEST(ResidentSet, NoMoreIsTakenThanThereIsRoomFor) {
  GraphBuilder Build;
  Values V = Build.values(8);
  KernelGraph G = busyMiddle(Build, V, {});
  EXPECT_EQ(choose(G, 2, {}, 4).size(), 4u);
  EXPECT_TRUE(choose(G, 2, {}, 0).empty());
}

TEST(ResidentSet, WhatIsIdleAtDifferentTimesSharesTheRoom) {
  GraphBuilder Build;
  Values First = Build.values(4), Second = Build.values(4);
  Build.block();
  for (const Values &V : {First, Second}) {
    Build.define(V);
    for (unsigned I = 0; I != 4; ++I)
      Build.inst({});
    Build.read(V);
  }
  Values Taken = choose(Build.finish(), 2, {}, 2);
  EXPECT_EQ(Taken.size(), 4u);
  EXPECT_EQ(std::count_if(Taken.begin(), Taken.end(),
                          [&](ValueId V) { return V < Second[0]; }),
            2);
}

TEST(ResidentSet, WhereRoomIsShortTheGreatestReliefComesFirst) {
  GraphBuilder Build;
  ValueId Long = Build.value();
  Values Short = Build.values(5);
  Build.block();
  Build.define(Long);
  // The peak is where Short is live, and Long is in the way all along.
  Build.define(Short);
  Build.read(Short);
  Values Other = Build.values(3);
  Build.define(Other);
  for (unsigned I = 0; I != 20; ++I)
    Build.inst({});
  Build.read(Other);
  Build.read(Long);
  EXPECT_EQ(choose(Build.finish(), 3, {}, 1).front(), Long);
}

TEST(ResidentSet, EqualValuesAreTakenInTheirOrder) {
  GraphBuilder Build;
  Values V = Build.values(3);
  Build.block();
  Build.inst({}, V);
  for (unsigned I = 0; I != 4; ++I)
    Build.inst({});
  Build.inst(V);
  Values Taken = choose(Build.finish(), 2, {});
  ASSERT_FALSE(Taken.empty());
  EXPECT_EQ(Taken.front(), V[0]);
}

TEST(ResidentSet, ValuesWithoutRegistersAreNotTaken) {
  GraphBuilder Build;
  Values V = Build.values(3);
  ValueId Free = Build.value(2, ValueKind::Free),
          Bit = Build.value(0, ValueKind::Predicate);
  Values All = V;
  All.insert(All.end(), {Free, Bit});
  for (ValueId Taken : choose(busyMiddle(Build, All, {}), 1))
    EXPECT_LT(Taken, Free);
}

} // namespace
