//===- EffortTest.cpp - how many builds a kernel may cost -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/Effort.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Constants.h"
#include "regdem/Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace llvm;
using namespace regdem;

namespace {

/// What each of Kernels may have, which are all that is in their file.
std::vector<unsigned> buildsOf(std::vector<KernelWork> Kernels,
                               const Options &O = {}) {
  unsigned All = 0;
  for (const KernelWork &K : Kernels)
    All += K.Instructions;
  return FileBudget(O, All, Kernels).limits(Kernels);
}

/// What a kernel may have that is alone in its file.
unsigned buildsOf(unsigned Instructions, const Options &O = {}) {
  return buildsOf({{Instructions}}, O).front();
}

constexpr auto Headers = static_cast<unsigned>(Tuned.WorkBesideKernels);
constexpr auto Start = static_cast<unsigned>(Tuned.WorkBesideBuild);

TEST(Effort, BuildsAreSoManyTimesTheWorkOfTheFile) {
  // A build of the first kernel takes what the rest of its file takes.
  EXPECT_EQ(buildsOf(Headers - Start),
            unsigned(Tuned.TimesOfFile * (2 * Headers - Start) / Headers));
  EXPECT_EQ(buildsOf(0), unsigned(Tuned.TimesOfFile * Headers / Start));
  EXPECT_GT(buildsOf(100), buildsOf(200));
}

TEST(Effort, KernelsOfAFileHaveTheSameNumber) {
  std::vector<unsigned> Of = buildsOf({{2000}, {1000}, {500}});
  EXPECT_EQ(Of, std::vector(3, Of[0]));
  EXPECT_LT(Of[0], buildsOf(2000));
  // What need not be searched leaves more for the others.
  KernelWork K{5000};
  EXPECT_GT(FileBudget({}, 50000, {K, K}).limits({K})[0],
            FileBudget({}, 50000, {K, K}).limits({K, K})[0]);
}

TEST(Effort, LargestKernelsComeFirstWhereThereIsTooLittleForAll) {
  std::vector<KernelWork> Kernels(200, {200});
  Kernels[150].Instructions = 300;
  Kernels[151] = {100, /*GainsMost=*/true};
  std::vector<unsigned> Of = buildsOf(Kernels);
  EXPECT_EQ(Of[150], 2u);
  EXPECT_EQ(Of[0], 2u);
  EXPECT_EQ(Of[149], 1u);
  EXPECT_EQ(Of[151], 2u);
  EXPECT_EQ(Of[199], 1u);
  auto Compared = std::count(Of.begin(), Of.end(), 2u);
  EXPECT_LE(2 * Compared * (Start + 200), 1.5 * (Headers + 200 * 200 + 100));
  EXPECT_GT(Compared, 50);
}

TEST(Effort, WhatTheFileLaunchesComesFirstWhereThereIsTooLittleForAll) {
  std::vector<KernelWork> Kernels(200, {200});
  Kernels[7].IsShown = Kernels[8].IsShown = true;
  std::vector<unsigned> Of = buildsOf(Kernels);
  // All of it is theirs.
  unsigned File = Headers + 200 * 200;
  EXPECT_EQ(Of[7], unsigned(Tuned.TimesOfFile * File / (2 * (200 + Start))));
  EXPECT_EQ(Of[8], Of[7]);
  EXPECT_EQ(Of[0], 1u);
  // Where it is enough for all, all have the same.
  Kernels.resize(10);
  Of = buildsOf(Kernels);
  EXPECT_EQ(Of[7], Of[0]);
  // Where it is too little for them, all are treated alike.
  Kernels.assign(200, {200});
  for (KernelWork &K : Kernels)
    K.IsShown = true;
  EXPECT_EQ(buildsOf(Kernels), buildsOf(std::vector<KernelWork>(200, {200})));
}

/// A kernel of so many instructions whose launches nobody states.
KernelWork unknown(unsigned Instructions) {
  KernelWork K{Instructions};
  K.IsUnknown = true;
  return K;
}

TEST(Effort, KernelsWhoseLaunchesNobodyStatesAddLess) {
  std::vector<KernelWork> Kernels(200, unknown(200));
  std::vector<unsigned> Of = buildsOf(Kernels);
  double Work = Tuned.TimesOfFile * Headers + Tuned.TimesOfUnknown * 200 * 200;
  EXPECT_EQ(std::count(Of.begin(), Of.end(), 2u),
            int(Work / (2 * (Start + 200))));
  // Beside the headers, a small one is no matter.
  EXPECT_EQ(buildsOf({unknown(0)}), buildsOf(std::vector<KernelWork>{{0}}));
  EXPECT_LT(buildsOf({unknown(5000)})[0], buildsOf(5000));
}

TEST(Effort, AKernelThatIsLaunchedHasAllOfItsFilesWork) {
  std::vector<KernelWork> Kernels(100, unknown(2000));
  KernelWork Shown{2000};
  Shown.IsShown = true;
  Kernels.push_back(Shown);
  double Work = Tuned.TimesOfFile * (Headers + 101 * 2000);
  EXPECT_EQ(buildsOf(Kernels).back(), unsigned(Work / (Start + 2000)));
}

TEST(Effort, BuildsAreReservedAsLongAsThereAreTwo) {
  std::vector<KernelWork> Kernels(200, unknown(200));
  FileBudget Budget({}, 200 * 200, Kernels);
  size_t Reserved = 0;
  while (Budget.reserve(Kernels[0]))
    ++Reserved;
  EXPECT_EQ(Budget.limits(ArrayRef(Kernels).take_front(Reserved)),
            std::vector(Reserved, 2u));
  // One that has none leaves more for the others, but not all.
  for (size_t I = 1; I != Reserved; ++I)
    Budget.release(Kernels[0]);
  FileBudget Fresh({}, 200 * 200, Kernels);
  unsigned Alone = Budget.limits({Kernels[0]})[0];
  EXPECT_GT(Alone, 20u);
  EXPECT_LT(Alone, Fresh.limits({Kernels[0]})[0]);
  EXPECT_TRUE(Budget.reserve(Kernels[0]));
}

TEST(Effort, WithoutABoundAllIsReserved) {
  Options O;
  O.Effort = EffortRange.High;
  std::vector<KernelWork> Kernels(200, unknown(20000));
  FileBudget Budget(O, 200 * 20000, Kernels);
  for (const KernelWork &K : Kernels)
    EXPECT_TRUE(Budget.reserve(K));
  EXPECT_EQ(Budget.limits(Kernels), std::vector(200, AnyBuilds));
}

TEST(Effort, KernelsComeInOrderOfWhatTheyMayGain) {
  KernelWork Shown{10}, Capped{20};
  Shown.IsShown = true;
  Capped.GainsMost = true;
  EXPECT_EQ(FileBudget::order({{10}, {30}, Capped, Shown, {10}}),
            (std::vector<size_t>{3, 2, 1, 0, 4}));
}

TEST(Effort, AKernelThatIsTooLargeHasNone) {
  EXPECT_EQ(buildsOf(1000 * Headers), 1u);
}

TEST(Effort, LevelsAreInOrder) {
  Options O;
  unsigned Before = 0;
  for (O.Effort = EffortRange.Low; O.Effort <= EffortRange.High; ++O.Effort) {
    unsigned Now = buildsOf(1000, O);
    EXPECT_GT(Now, Before);
    EXPECT_EQ(comparesBuilds(O), Now >= 2);
    Before = Now;
  }
}

TEST(Effort, ACapHasTwiceTheShare) {
  std::vector<unsigned> Of = buildsOf({{1000, true}, {1000}, {1000}});
  EXPECT_GE(Of[0], 2 * Of[1]);
  EXPECT_EQ(Of[1], Of[2]);
  EXPECT_LT(Of[1], buildsOf({{1000}, {1000}, {1000}})[1]);
  EXPECT_EQ(buildsOf({{3000, true}}).front(), buildsOf(3000));
  EXPECT_GE(buildsOf({{3000, true, true}}).front(), 2 * buildsOf(3000));
  Options O;
  O.Effort = EffortRange.Low;
  EXPECT_EQ(buildsOf({{3000, true}}, O).front(), 1u);
}

TEST(Effort, AStatedBudgetIsSharedWhateverTheSize) {
  Options O;
  for (unsigned Budget : {6, 7, 8, 100}) {
    O.Budget = Budget;
    unsigned Sum = 0;
    for (unsigned Builds : buildsOf(std::vector<KernelWork>(7, {1000}), O))
      Sum += Builds;
    EXPECT_EQ(Sum, Budget);
  }
  for (unsigned Budget : {0, 1}) {
    O.Budget = Budget;
    EXPECT_FALSE(comparesBuilds(O));
  }
  O.Budget = 8;
  EXPECT_EQ(buildsOf(std::vector<KernelWork>(7, {1000}), O),
            (std::vector<unsigned>{2, 1, 1, 1, 1, 1, 1}));
}

BuildRecipe capped(unsigned MaxRegs, Decision What = Decision::Cap) {
  BuildRecipe R;
  R.What = What;
  R.MaxRegs = MaxRegs;
  return R;
}

/// Of a build for launches with so many threads a block.
KernelFacts launch(unsigned Threads) {
  KernelFacts Facts;
  Facts.Threads = Threads;
  Facts.ThreadsFrom = BlockSizeSource::Launch;
  return Facts;
}

TEST(Effort, SearchesOfAKernelPayForABuildOnce) {
  PaidBuilds All(6);
  PaidBuilds::Share First(All, /*IsLast=*/false);
  EXPECT_EQ(First.left(), 3u);
  EXPECT_EQ(First.take({BuildRecipe(), capped(40)}, launch(256)).size(), 2u);
  EXPECT_EQ(First.paid(), 2u);
  PaidBuilds::Share Second(All, /*IsLast=*/true);
  EXPECT_EQ(Second.left(), 4u);
  EXPECT_EQ(Second.take({BuildRecipe(), capped(40)}, launch(128)).size(), 2u);
  EXPECT_EQ(Second.left(), 4u);
  EXPECT_EQ(Second.paid(), 0u);
  // Slots depend on the size.
  BuildRecipe Demoted = capped(32, Decision::Demote);
  EXPECT_EQ(Second.take({Demoted}, launch(128)).size(), 1u);
  EXPECT_EQ(Second.take({Demoted}, launch(512)).size(), 1u);
  EXPECT_EQ(Second.left(), 2u);
  // So do arrays in shared memory, which launches of a few sizes have.
  BuildRecipe Lowered;
  Lowered.Rewrites = Rewrite::LowerArrays;
  EXPECT_EQ(Second.take({Lowered}, launch(128)).size(), 1u);
  EXPECT_EQ(Second.take({Lowered}, launch(512)).size(), 1u);
  EXPECT_EQ(Second.left(), 1u);
  KernelFacts Shown = launch(256);
  Shown.Shown.Threads = {128, 256};
  EXPECT_EQ(Second.take({Lowered}, Shown).size(), 1u);
  EXPECT_EQ(Second.left(), 0u);
}

TEST(Effort, WhatIsPaidForStaysWhereNothingIsLeft) {
  PaidBuilds All(2);
  PaidBuilds::Share First(All, /*IsLast=*/false);
  std::vector<BuildRecipe> Built =
      First.take({BuildRecipe(), capped(40), capped(48)}, launch(256));
  EXPECT_EQ(Built, (std::vector<BuildRecipe>{BuildRecipe(), capped(40)}));
  EXPECT_TRUE(First.endedEarly());
  PaidBuilds::Share Second(All, /*IsLast=*/true);
  EXPECT_EQ(Second.left(), 0u);
  EXPECT_EQ(Second.take({capped(32), capped(40)}, launch(128)),
            std::vector<BuildRecipe>{capped(40)});
}

TEST(Effort, WithoutALimitAllIsLeft) {
  PaidBuilds All(AnyBuilds);
  EXPECT_GT(PaidBuilds::Share(All, /*IsLast=*/false).left(), 1000u);
}

TEST(Effort, ASearchPaysForWhatIsNoBuildOfItsOwn) {
  PaidBuilds All(6);
  PaidBuilds::Share First(All, /*IsLast=*/false);
  EXPECT_TRUE(First.pay(2));
  EXPECT_EQ(First.left(), 1u);
  EXPECT_EQ(First.paid(), 2u);
  EXPECT_FALSE(First.endedEarly());
  EXPECT_FALSE(First.pay(1)); // Nothing could be built with it.
  EXPECT_EQ(First.paid(), 2u);
  EXPECT_TRUE(First.endedEarly());
  EXPECT_EQ(PaidBuilds::Share(All, /*IsLast=*/true).left(), 4u);
}

TEST(Effort, WhatIsPaidForIsNotBuilt) {
  unsigned Limit = 6;
  EXPECT_TRUE(payFrom(Limit, 4));
  EXPECT_EQ(Limit, 2u);
  EXPECT_FALSE(payFrom(Limit, 1));
  EXPECT_EQ(Limit, 2u);
}

} // namespace
