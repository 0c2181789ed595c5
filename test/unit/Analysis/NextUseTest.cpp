//===- NextUseTest.cpp - how far ahead each value is read -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/NextUse.h"
#include "GraphBuilder.h"
#include "gtest/gtest.h"

using namespace regdem;
using namespace regdem::test;

namespace {

using Distances = std::vector<std::pair<ValueId, Distance>>;
using EntryDistances = std::vector<Distance>;

TEST(NextUse, CountsInstructionsToTheFirstRead) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value();
  Build.block();
  Build.define({A, B});
  Build.block();
  Build.inst({});
  Build.inst({});
  Build.read({A, B, A});
  Build.edge(0, 1);
  KernelGraph G = Build.finish();
  EXPECT_EQ(NextUse(G).atEntry(1).vec(), (EntryDistances{2, 3}));
}

TEST(NextUse, AddsTheBlocksThatLieBetween) {
  GraphBuilder Build;
  ValueId A = Build.value();
  Build.block();
  Build.define(A);
  Build.block();
  Build.inst({});
  Build.inst({});
  Build.block();
  Build.inst({});
  Build.read(A);
  Build.edge(0, 1);
  Build.edge(1, 2);
  KernelGraph G = Build.finish();
  EXPECT_EQ(NextUse(G).atEntry(1).vec(), EntryDistances{3});
}

TEST(NextUse, NoneWhereTheValueIsNotLive) {
  GraphBuilder Build;
  ValueId A = Build.value();
  Build.block();
  Build.define(A);
  Build.read(A);
  Build.block();
  Build.define(A);
  Build.read(A);
  Build.edge(0, 1);
  KernelGraph G = Build.finish();
  NextUse Uses(G);
  EXPECT_TRUE(Uses.atEntry(0).empty());
  EXPECT_TRUE(Uses.atEntry(1).empty());
  EXPECT_TRUE(Uses.atExit(0).empty());
}

TEST(NextUse, TakesTheNearerOfTwoWays) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value();
  Build.block();
  Build.define({A, B});
  Build.block();
  Build.read({B, A});
  Build.block();
  Build.inst({});
  Build.read({A, B});
  Build.edge(0, 1);
  Build.edge(0, 2);
  Build.edge(1, 2);
  KernelGraph G = Build.finish();
  EXPECT_EQ(NextUse(G).atExit(0), (Distances{{A, 1}, {B, 0}}));
}

TEST(NextUse, LeavingALoopIsFar) {
  GraphBuilder Build;
  ValueId A = Build.value();
  Build.block();
  Build.define(A);
  Build.block();
  Build.inst({});
  Build.block();
  Build.read(A);
  Build.edge(0, 1);
  Build.edge(1, 1);
  Build.edge(1, 2);
  KernelGraph G = Build.finish();
  NextUse Uses(G);
  EXPECT_EQ(Uses.atEntry(1).vec(), EntryDistances{LoopExitLength + 1});
  EXPECT_EQ(Uses.atExit(1), (Distances{{A, LoopExitLength}}));
  EXPECT_EQ(Uses.atEntry(2).vec(), EntryDistances{0});
}

TEST(NextUse, LeavingTwoLoopsAtOnceIsTwiceAsFar) {
  GraphBuilder Build;
  ValueId A = Build.value();
  Build.block();
  Build.define(A);
  Build.block();
  Build.block();
  Build.block();
  Build.read(A);
  Build.edge(0, 1);
  Build.edge(1, 2);
  Build.edge(2, 2);
  Build.edge(2, 1);
  Build.edge(2, 3);
  KernelGraph G = Build.finish();
  ASSERT_EQ(G.Loops.size(), 2u);
  EXPECT_EQ(NextUse(G).atExit(2), (Distances{{A, 2 * LoopExitLength}}));
}

TEST(NextUse, ReadInTheNextRoundIsNear) {
  GraphBuilder Build;
  ValueId Early = Build.value(), Behind = Build.value();
  Build.block();
  Build.define({Early, Behind});
  Build.block(); // The header reads Early and goes on or leaves.
  Build.inst({});
  Build.read(Early);
  Build.block();
  Build.inst({});
  Build.inst({});
  Build.block();
  Build.read(Behind);
  Build.edge(0, 1);
  Build.edge(1, 2);
  Build.edge(1, 3);
  Build.edge(2, 1);
  KernelGraph G = Build.finish();
  NextUse Uses(G);
  EXPECT_EQ(Uses.atEntry(2).vec(), (EntryDistances{3, 2 + 2 + LoopExitLength}));
  ASSERT_EQ(Uses.atEntry(1).size(), 2u);
  EXPECT_LT(Uses.atEntry(1)[0], Uses.atEntry(1)[1]);
}

TEST(NextUse, FollowsACycleWithTwoEntries) {
  GraphBuilder Build;
  ValueId A = Build.value();
  Build.block();
  Build.define(A);
  Build.block();
  Build.inst({});
  Build.block();
  Build.inst({});
  Build.inst({});
  Build.block();
  Build.read(A);
  Build.edge(0, 1);
  Build.edge(0, 2);
  Build.edge(1, 2);
  Build.edge(2, 1);
  Build.edge(1, 3);
  KernelGraph G = Build.finish();
  EXPECT_TRUE(G.Loops.empty());
  EXPECT_EQ(NextUse(G).atEntry(2).vec(), EntryDistances{3});
}

TEST(NextUse, PathsThatNeverReadCountNothing) {
  GraphBuilder Build;
  ValueId A = Build.value();
  Build.block();
  Build.define(A);
  Build.block();
  Build.read(A);
  Build.block(); // Never left.
  Build.edge(0, 1);
  Build.edge(0, 2);
  Build.edge(2, 2);
  KernelGraph G = Build.finish();
  NextUse Uses(G);
  EXPECT_EQ(Uses.atExit(0), (Distances{{A, 0}}));
  EXPECT_TRUE(Uses.atEntry(2).empty());
}

} // namespace
