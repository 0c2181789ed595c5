//===- EffortTest.cpp - how many builds a kernel may cost -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Effort.h"
#include "regdem/Constants.h"
#include "regdem/Options.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

constexpr unsigned Small = 100, Large = 1000000; // Machine instructions.

TEST(Effort, LargeKernelsGetFewerBuilds) {
  BuildLimit L = limitFor(Options(), false, 1, 0);
  EXPECT_TRUE(L.allowsComparison());
  EXPECT_EQ(L.mostBuilds(Small), Tuned.BuildWork / Small);
  EXPECT_EQ(L.mostBuilds(Large), Tuned.LeastBuilds);
  EXPECT_GT(L.mostBuilds(0), 1000u); // Stock is to be built yet.
}

TEST(Effort, KernelsOfLargeFilesGetFewer) {
  Options O;
  EXPECT_EQ(limitFor(O, false, Tuned.FullyTried, 3).Work, Tuned.BuildWork);
  BuildLimit L = limitFor(O, false, 100 * Tuned.FullyTried, 3);
  EXPECT_EQ(L.Work, Tuned.BuildWork / 100);
  EXPECT_EQ(L.mostBuilds(Large), 2u);
}

TEST(Effort, LevelsAreInOrder) {
  Options O;
  unsigned Before = 0;
  for (O.Effort = EffortRange.Low; O.Effort <= EffortRange.High; ++O.Effort) {
    unsigned Now = limitFor(O, false, 1, 0).mostBuilds(Small);
    EXPECT_GT(Now, Before);
    Before = Now;
  }
  O.Effort = EffortRange.Low;
  EXPECT_FALSE(limitFor(O, false, 1, 0).allowsComparison());
}

TEST(Effort, AStatedCapIsTriedInAllWays) {
  Options O;
  EXPECT_GT(limitFor(O, true, 100, 0).mostBuilds(Large), 1000u);
  O.Effort = 1;
  EXPECT_EQ(limitFor(O, true, 100, 0).mostBuilds(Large), 2u);
  O.Effort = EffortRange.Low;
  EXPECT_FALSE(limitFor(O, true, 1, 0).allowsComparison());
}

TEST(Effort, AStatedBudgetIsSharedWhateverTheSize) {
  Options O;
  for (unsigned Budget : {0, 6, 7, 8, 100}) {
    O.Budget = Budget;
    unsigned Sum = 0;
    for (size_t I = 0; I != 7; ++I)
      Sum += limitFor(O, false, 7, I).mostBuilds(Large);
    EXPECT_EQ(Sum, Budget);
  }
  O.Budget = 7;
  EXPECT_EQ(limitFor(O, false, 3, 0).mostBuilds(Large), 3u);
  EXPECT_EQ(limitFor(O, false, 3, 1).mostBuilds(Small), 2u);
  EXPECT_FALSE(limitFor(O, false, 7, 6).allowsComparison());
  // Searches for block sizes get two at least.
  EXPECT_EQ(limitFor(O, false, 3, 0).shareOf(5, 4).mostBuilds(Small), 2u);
  EXPECT_EQ(limitFor(Options(), false, 1, 0).shareOf(5, 4).Work,
            Tuned.BuildWork);
}

} // namespace
