//===- SlotAssignmentTest.cpp - which values share a slot -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Plan/SlotAssignment.h"
#include "GraphBuilder.h"
#include "RandomGraphs.h"
#include "gtest/gtest.h"

using namespace regdem;
using namespace regdem::test;

namespace {

constexpr unsigned NumPlaces = 100;
using Ranges = std::vector<PlaceRange>;
using Slots = std::vector<unsigned>;

/// Slot uses of values of given sizes.
class Uses {
public:
  Uses &add(unsigned Words, Ranges Occupied) {
    SlotUse Use;
    Use.Value = Build.value(Words);
    Use.Occupied = std::move(Occupied);
    List.push_back(std::move(Use));
    return *this;
  }
  SlotAssignment assign(unsigned MaxWords = ~0u) {
    Build.block();
    Graph = Build.finish();
    return assignSlots(Graph, NumPlaces, List, MaxWords);
  }
  KernelGraph Graph;
  std::vector<SlotUse> List;

private:
  GraphBuilder Build;
};

TEST(SlotAssignment, NothingTakesNoWords) {
  EXPECT_EQ(Uses().assign().Words, 0u);
}

TEST(SlotAssignment, DisjointStretchesShareASlot) {
  SlotAssignment A = Uses().add(1, {{0, 9}}).add(1, {{10, 19}}).assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 0}));
  EXPECT_EQ(A.Words, 1u);
}

TEST(SlotAssignment, OverlappingStretchesDoNot) {
  SlotAssignment A = Uses().add(1, {{0, 10}}).add(1, {{10, 19}}).assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 1}));
  EXPECT_EQ(A.Words, 2u);
}

TEST(SlotAssignment, StopsWhereThereIsNoRoom) {
  SlotAssignment A =
      Uses().add(1, {{0, 9}}).add(1, {{1, 9}}).add(2, {{2, 9}}).assign(2);
  EXPECT_EQ(A.Words, 3u);
}

TEST(SlotAssignment, StretchFitsIntoTheGapOfAnother) {
  SlotAssignment A =
      Uses().add(1, {{0, 9}, {30, 39}}).add(1, {{10, 29}}).assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 0}));
}

TEST(SlotAssignment, StretchAcrossTheGapOfAnotherDoesNotFit) {
  SlotAssignment A =
      Uses().add(1, {{0, 9}, {30, 39}}).add(1, {{10, 30}}).assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 1}));
}

TEST(SlotAssignment, LowestFreeWordIsTaken) {
  SlotAssignment A = Uses()
                         .add(1, {{0, 5}})
                         .add(1, {{1, 50}})
                         .add(1, {{6, 50}})
                         .add(1, {{7, 50}})
                         .assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 1, 0, 2}));
  EXPECT_EQ(A.Words, 3u);
}

TEST(SlotAssignment, ValueOfTwoWordsStartsAtAnEvenWord) {
  SlotAssignment A = Uses().add(1, {{0, 9}}).add(2, {{1, 9}}).assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 2}));
  EXPECT_EQ(A.Words, 4u);
}

TEST(SlotAssignment, ValueOfFourWordsStartsAtAMultipleOfFour) {
  SlotAssignment A =
      Uses().add(2, {{0, 9}}).add(1, {{1, 9}}).add(4, {{2, 9}}).assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 2, 4}));
  EXPECT_EQ(A.Words, 8u);
}

TEST(SlotAssignment, SmallValueFillsTheHoleThatAlignmentLeft) {
  SlotAssignment A =
      Uses().add(1, {{0, 9}}).add(2, {{1, 9}}).add(1, {{2, 9}}).assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 2, 1}));
  EXPECT_EQ(A.Words, 4u);
}

TEST(SlotAssignment, WideValueTakesTheWordsOfSeveralSmallOnes) {
  SlotAssignment A =
      Uses().add(1, {{0, 9}}).add(1, {{0, 9}}).add(2, {{10, 19}}).assign();
  EXPECT_EQ(A.FirstWord, (Slots{0, 1, 0}));
  EXPECT_EQ(A.Words, 2u);
}

TEST(SlotAssignment, NoWordIsHeldTwiceAtAnyPlace) {
  for (uint64_t Seed = 0; Seed != 300; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Random Rand(Seed);
    Uses U;
    for (unsigned I = 0, E = 1 + Rand.below(20); I != E; ++I) {
      Ranges R;
      for (unsigned At = Rand.below(40); At < NumPlaces && R.size() < 4;) {
        unsigned Last = std::min(At + Rand.below(20), NumPlaces - 1);
        R.push_back({At, Last});
        At = Last + Rand.below(10);
      }
      U.add(1u << Rand.below(3), std::move(R));
    }
    SlotAssignment A = U.assign();
    std::vector<std::vector<bool>> Taken(A.Words, std::vector<bool>(NumPlaces));
    unsigned Last = 0;
    for (size_t I = 0; I != U.List.size(); ++I) {
      unsigned Size = U.Graph.words(U.List[I].Value), First = A.FirstWord[I];
      EXPECT_EQ(First % Size, 0u);
      ASSERT_LE(First + Size, A.Words);
      Last = std::max(Last, First + Size);
      std::vector<bool> Own(NumPlaces);
      for (const PlaceRange &R : U.List[I].Occupied)
        std::fill(Own.begin() + R.First, Own.begin() + R.Last + 1, true);
      for (unsigned W = First; W != First + Size; ++W)
        for (unsigned P = 0; P != NumPlaces; ++P) {
          EXPECT_FALSE(Own[P] && Taken[W][P])
              << "word " << W << ", place " << P;
          Taken[W][P] = Taken[W][P] || Own[P];
        }
    }
    EXPECT_EQ(A.Words, Last);
  }
}

} // namespace
