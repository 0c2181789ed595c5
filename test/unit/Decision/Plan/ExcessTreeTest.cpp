//===- ExcessTreeTest.cpp - words over a limit, by instruction --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Plan/ExcessTree.h"
#include "RandomGraphs.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace regdem;
using namespace regdem::test;

namespace {

TEST(ExcessTree, RelievesNoMoreThanTheExcess) {
  ExcessTree Tree({0, 1, 3, 9});
  EXPECT_EQ(Tree.relief(0, 3, 1), 3u);
  EXPECT_EQ(Tree.relief(0, 3, 2), 5u);
  EXPECT_EQ(Tree.relief(2, 3, 4), 7u);
}

TEST(ExcessTree, WhatIsTakenIsNotRelievedAgain) {
  ExcessTree Tree({2, 2, 2, 2});
  Tree.take(1, 2, {1, 0});
  EXPECT_EQ(Tree.relief(0, 3, 2), 6u);
  Tree.take(0, 3, {1, 0});
  EXPECT_EQ(Tree.relief(0, 3, 2), 2u);
}

TEST(ExcessTree, MostInSlotsIsThatOfTheRange) {
  ExcessTree Tree({9, 9, 9, 9, 9});
  Tree.take(0, 3, {2, 2});
  Tree.take(3, 4, {1, 1});
  Tree.take(2, 2, {4, 0});
  EXPECT_EQ(Tree.mostInSlots(0, 2), 2u);
  EXPECT_EQ(Tree.mostInSlots(2, 4), 3u);
  EXPECT_EQ(Tree.mostInSlots(4, 4), 1u);
}

/// The same by one number for each instruction.
struct Plain {
  std::vector<unsigned> Excess, InSlots;

  void take(InstId First, InstId Last, ExcessTree::Leaving What) {
    for (InstId I = First; I <= Last; ++I) {
      Excess[I] -= std::min(Excess[I], What.Words);
      InSlots[I] += What.ToSlots;
    }
  }
  unsigned relief(InstId First, InstId Last, unsigned Words) const {
    unsigned Sum = 0;
    for (InstId I = First; I <= Last; ++I)
      Sum += std::min(Excess[I], Words);
    return Sum;
  }
  unsigned mostInSlots(InstId First, InstId Last) const {
    return *std::max_element(InSlots.begin() + First,
                             InSlots.begin() + Last + 1);
  }
};

TEST(ExcessTree, AgreesWithOneNumberForEachInstruction) {
  for (uint64_t Seed = 0; Seed != 60; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Random Rand(Seed);
    unsigned Size = 1 + Rand.below(70);
    Plain Simple;
    for (unsigned I = 0; I != Size; ++I)
      Simple.Excess.push_back(Rand.oneIn(3) ? 0 : Rand.below(20));
    Simple.InSlots.resize(Size);
    ExcessTree Tree(Simple.Excess);
    for (unsigned Step = 0; Step != 60; ++Step) {
      InstId First = Rand.below(Size), Last = First + Rand.below(Size - First);
      unsigned Words = 1 + Rand.below(ExcessTree::MostWords);
      EXPECT_EQ(Tree.relief(First, Last, Words),
                Simple.relief(First, Last, Words));
      EXPECT_EQ(Tree.mostInSlots(First, Last), Simple.mostInSlots(First, Last));
      First = Rand.below(Size);
      Last = First + Rand.below(Size - First);
      ExcessTree::Leaving What{Words, Rand.oneIn(3) ? 0 : Words};
      Tree.take(First, Last, What);
      Simple.take(First, Last, What);
    }
  }
}

} // namespace
