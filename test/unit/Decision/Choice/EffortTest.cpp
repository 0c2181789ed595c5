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

/// Of a file of one kernel.
FileWork kernelOf(unsigned Instructions) {
  return {Instructions, Instructions};
}

/// What one kernel may cost, or the first of Count that do Work in all.
unsigned buildsOf(FileWork Work, size_t Count = 1, Options O = {},
                  bool HasCap = false) {
  return limitFor(O, HasCap, Work, Count, 0).Builds.value_or(~0u);
}

TEST(Effort, BuildsAreSoManyTimesTheWorkOfTheFile) {
  auto Fixed = static_cast<unsigned>(Tuned.WorkBesideKernels);
  EXPECT_EQ(buildsOf(kernelOf(Fixed)), unsigned(2 * Tuned.TimesOfFile));
  EXPECT_EQ(buildsOf(kernelOf(Fixed / 9)), unsigned(10 * Tuned.TimesOfFile));
  EXPECT_EQ(buildsOf(kernelOf(1000 * Fixed)), unsigned(Tuned.TimesOfFile));
  EXPECT_GT(buildsOf(kernelOf(0)), 1000u);
}

TEST(Effort, KernelsOfAFileHaveTheSameNumber) {
  EXPECT_EQ(buildsOf(kernelOf(50000), 100), buildsOf(kernelOf(50000)));
  // What need not be searched leaves more for the others.
  EXPECT_GT(buildsOf({50000, 5000}), buildsOf(kernelOf(50000)));
}

TEST(Effort, LevelsAreInOrder) {
  Options O;
  unsigned Before = 0;
  for (O.Effort = EffortRange.Low; O.Effort <= EffortRange.High; ++O.Effort) {
    unsigned Now = buildsOf(kernelOf(1000), 1, O);
    EXPECT_GT(Now, Before);
    Before = Now;
  }
  O.Effort = EffortRange.Low;
  EXPECT_FALSE(limitFor(O, false, kernelOf(1000), 1, 0).allowsComparison());
}

TEST(Effort, AStatedCapMayCostTwiceAsMuch) {
  FileWork Work = kernelOf(3000);
  EXPECT_EQ(buildsOf(Work, 1, {}, true), 2 * buildsOf(Work));
  Options O;
  O.Effort = EffortRange.Low;
  EXPECT_EQ(buildsOf(Work, 1, O, true), 1u);
}

TEST(Effort, AStatedBudgetIsSharedWhateverTheSize) {
  Options O;
  for (unsigned Budget : {0, 6, 7, 8, 100}) {
    O.Budget = Budget;
    unsigned Sum = 0;
    for (size_t I = 0; I != 7; ++I)
      Sum += *limitFor(O, false, kernelOf(1000), 7, I).Builds;
    EXPECT_EQ(Sum, Budget);
  }
  O.Budget = 7;
  EXPECT_FALSE(limitFor(O, false, kernelOf(1000), 7, 6).allowsComparison());
}

BuildRecipe capped(unsigned MaxRegs, Decision What = Decision::Cap) {
  BuildRecipe R;
  R.What = What;
  R.MaxRegs = MaxRegs;
  return R;
}

TEST(Effort, SearchesOfAKernelPayForABuildOnce) {
  PaidBuilds All(BuildLimit{6});
  PaidBuilds::Share First(All, /*IsLast=*/false);
  EXPECT_EQ(First.left(), 3u);
  EXPECT_EQ(First.take({BuildRecipe(), capped(40)}, 256).size(), 2u);
  PaidBuilds::Share Second(All, /*IsLast=*/true);
  EXPECT_EQ(Second.left(), 4u);
  EXPECT_EQ(Second.take({BuildRecipe(), capped(40)}, 128).size(), 2u);
  EXPECT_EQ(Second.left(), 4u);
  // Slots depend on the size.
  BuildRecipe Demoted = capped(32, Decision::Demote);
  EXPECT_EQ(Second.take({Demoted}, 128).size(), 1u);
  EXPECT_EQ(Second.take({Demoted}, 512).size(), 1u);
  EXPECT_EQ(Second.left(), 2u);
}

TEST(Effort, WhatIsPaidForStaysWhereNothingIsLeft) {
  PaidBuilds All(BuildLimit{2});
  PaidBuilds::Share First(All, /*IsLast=*/false);
  std::vector<BuildRecipe> Built =
      First.take({BuildRecipe(), capped(40), capped(48)}, 256);
  EXPECT_EQ(Built, (std::vector<BuildRecipe>{BuildRecipe(), capped(40)}));
  EXPECT_TRUE(First.endedEarly());
  PaidBuilds::Share Second(All, /*IsLast=*/true);
  EXPECT_EQ(Second.left(), 0u);
  EXPECT_EQ(Second.take({capped(32), capped(40)}, 128),
            std::vector<BuildRecipe>{capped(40)});
}

TEST(Effort, WithoutALimitAllIsLeft) {
  PaidBuilds All{BuildLimit()};
  EXPECT_GT(PaidBuilds::Share(All, /*IsLast=*/false).left(), 1000u);
}

TEST(Effort, WhatIsPaidForIsNotBuilt) {
  BuildLimit L{6};
  EXPECT_TRUE(L.pay(4));
  EXPECT_EQ(*L.Builds, 2u);
  EXPECT_FALSE(L.pay(1));
  EXPECT_EQ(*L.Builds, 2u);
  EXPECT_TRUE(BuildLimit().pay(1000));
}

} // namespace
