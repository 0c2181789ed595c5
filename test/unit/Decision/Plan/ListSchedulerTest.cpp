//===- ListSchedulerTest.cpp - orders of few registers --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Plan/ListScheduler.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace regdem;

namespace {

using Order = std::vector<unsigned>;

constexpr InstOrder UpwardOrders[] = {InstOrder::Near, InstOrder::Deep};

/// Builds a graph node by node; values are numbered as nodes define them.
struct Builder {
  ScheduleGraph Graph;

  /// A node that reads what the nodes Uses define and defines a value.
  unsigned node(std::vector<unsigned> Uses, unsigned Words = 1) {
    unsigned N = static_cast<unsigned>(Graph.Nodes.size());
    Graph.Nodes.emplace_back();
    Graph.Words.push_back(Words);
    Graph.Nodes[N].Defs.push_back(N);
    for (unsigned U : Uses) {
      Graph.Nodes[N].Uses.push_back(U);
      Graph.addEdge(U, N);
    }
    Graph.LiveOut.resize(N + 1);
    return N;
  }
};

bool isLegal(const ScheduleGraph &Graph, const Order &Result) {
  std::vector<size_t> Place(Graph.Nodes.size(), Graph.Nodes.size());
  for (size_t I = 0; I != Result.size(); ++I)
    Place[Result[I]] = I;
  for (size_t N = 0; N != Graph.Nodes.size(); ++N) {
    if (Place[N] == Graph.Nodes.size())
      return false;
    for (unsigned P : Graph.Nodes[N].Preds)
      if (Place[P] >= Place[N])
        return false;
  }
  return Result.size() == Graph.Nodes.size();
}

/// The most words live at once, with each node's results beside its operands.
unsigned pressure(const ScheduleGraph &Graph, const Order &Result) {
  llvm::BitVector Live = Graph.LiveOut;
  auto WordsOf = [&](const llvm::BitVector &Set) {
    unsigned Words = 0;
    for (unsigned V : Set.set_bits())
      Words += Graph.Words[V];
    return Words;
  };
  unsigned Most = WordsOf(Live);
  for (unsigned N : llvm::reverse(Result)) {
    for (unsigned V : Graph.Nodes[N].Defs)
      Live.reset(V);
    for (unsigned V : Graph.Nodes[N].Uses)
      Live.set(V);
    Most = std::max(Most, WordsOf(Live));
  }
  return Most;
}

TEST(ListScheduler, SourceOrderIsTheGraphs) {
  Builder B;
  B.node({});
  B.node({});
  B.node({0});
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Source), (Order{0, 1, 2}));
}

TEST(ListScheduler, LoadsComeRightBeforeTheirSums) {
  // Four loads, then the sums of them all.
  Builder B;
  for (unsigned I = 0; I != 4; ++I)
    B.node({});
  B.node({0, 1}); // 4
  B.node({4, 2});
  B.node({5, 3});
  B.Graph.LiveOut.set(6);
  for (InstOrder How : OtherOrders) {
    Order Result = listSchedule(B.Graph, How);
    EXPECT_TRUE(isLegal(B.Graph, Result));
    EXPECT_EQ(pressure(B.Graph, Result), 2u);
  }
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Near),
            (Order{0, 1, 4, 2, 5, 3, 6}));
}

TEST(ListScheduler, EdgesHoldWithoutAValue) {
  Builder B;
  for (unsigned I = 0; I != 3; ++I)
    B.node({});
  B.Graph.addEdge(0, 1);
  B.Graph.addEdge(1, 2);
  for (InstOrder How : OtherOrders)
    EXPECT_EQ(listSchedule(B.Graph, How), (Order{0, 1, 2}));
}

TEST(ListScheduler, AnEdgeCountsOnce) {
  Builder B;
  B.node({});
  B.node({0});
  B.Graph.addEdge(0, 1);
  EXPECT_EQ(B.Graph.Nodes[0].Succs.size(), 1u);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Near), (Order{0, 1}));
}

TEST(ListScheduler, WideValuesAreFreedFirst) {
  // Upwards, the definition of four words goes ahead of that of one.
  Builder B;
  B.node({}, 4);
  B.node({}, 1);
  B.node({0, 1});
  for (InstOrder How : UpwardOrders)
    EXPECT_EQ(listSchedule(B.Graph, How), (Order{1, 0, 2}));
}

TEST(ListScheduler, ValuesThatLiveOnAreNotWantedByTheirReaders) {
  // 0 lives on, so that its reader costs nothing and stands last.
  Builder B;
  B.node({});
  B.node({0}, 0);
  B.node({});
  B.node({2}, 0);
  B.Graph.LiveOut.set(0);
  for (InstOrder How : UpwardOrders)
    EXPECT_EQ(listSchedule(B.Graph, How).back(), 1u);
}

TEST(ListScheduler, ForwardFreesBeforeItMakesMore) {
  Builder B;
  for (unsigned I = 0; I != 4; ++I)
    B.node({});
  B.node({0, 1}); // 4
  B.node({2, 3});
  B.Graph.LiveOut.set(4);
  B.Graph.LiveOut.set(5);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward),
            (Order{0, 1, 4, 2, 3, 5}));
}

TEST(ListScheduler, ForwardKeepsTheSourcesOrderWhileThereIsRoom) {
  // 4 adds no word, and stands where there is no room for another.
  Builder B;
  for (unsigned I = 0; I != 4; ++I)
    B.node({});
  B.node({0}); // 4
  B.Graph.LiveOut.set(4);
  for (unsigned V : {1, 2, 3})
    B.Graph.LiveOut.set(V);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 4, 1, 2, 3}));
  B.Graph.Room = 2;
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 1, 2, 4, 3}));
  B.Graph.Room = 4;
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 1, 2, 3, 4}));
}

TEST(ListScheduler, WhatLivesThroughABlockTakesRoom) {
  Builder B;
  for (unsigned I = 0; I != 2; ++I)
    B.Graph.LiveOut.set(B.node({}));
  B.node({0}); // 2
  B.Graph.LiveOut.reset(0);
  B.Graph.LiveOut.set(2);
  B.Graph.Room = 2;
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 1, 2}));
  // A value that the block neither reads nor writes.
  B.Graph.Words.push_back(2);
  B.Graph.LiveOut.resize(4);
  B.Graph.LiveOut.set(3);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 2, 1}));
}

TEST(ListScheduler, ForwardMakesNarrowValuesFirst) {
  Builder B;
  B.node({}, 4);
  B.node({}, 1);
  B.node({0, 1});
  B.Graph.Words.push_back(1); // One that lives through.
  B.Graph.LiveOut.resize(4);
  B.Graph.LiveOut.set(3);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{1, 0, 2}));
}

TEST(ListScheduler, ForwardKeepsTheSourcesOrderWhereNothingIsFreed) {
  Builder B;
  for (unsigned I = 0; I != 4; ++I)
    B.Graph.LiveOut.set(B.node({}));
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 1, 2, 3}));
}

TEST(ListScheduler, ForwardSeesWhoIsLeftToReadAValue) {
  // Once 1 has read 0, its other reader frees it, and goes ahead of 2.
  Builder B;
  B.node({});
  B.node({0});
  B.node({});
  B.node({0});
  for (unsigned V : {1, 2, 3})
    B.Graph.LiveOut.set(V);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 1, 3, 2}));
}

TEST(ListScheduler, ForwardFreesNothingThatLivesOn) {
  // 0 lives on, so that its reader frees nothing.
  Builder B;
  B.node({});
  B.node({});
  B.node({0});
  for (unsigned V : {0, 1, 2})
    B.Graph.LiveOut.set(V);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 1, 2}));
}

TEST(ListScheduler, ForwardWritesInPlaceAtNoCost) {
  // 3 adds to what 0 has made, in the same register; 1 and 2 make others.
  Builder B;
  for (unsigned I = 0; I != 3; ++I)
    B.Graph.LiveOut.set(B.node({}));
  B.node({0}, 0);
  B.Graph.Nodes[3].Defs = {0};
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Forward), (Order{0, 3, 1, 2}));
}

TEST(ListScheduler, LongChainsComeLastInDeepOrder) {
  // Two readers each of a value of their own: one after a long chain.
  Builder B;
  unsigned Chain = B.node({});
  for (unsigned I = 0; I != 11; ++I)
    Chain = B.node({Chain});
  unsigned Long = B.node({Chain}, 0);
  unsigned Short = B.node({B.node({})}, 0);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Deep).back(), Long);
  EXPECT_EQ(listSchedule(B.Graph, InstOrder::Near).back(), Short);
}

TEST(ListScheduler, RandomGraphsKeepTheirEdges) {
  for (unsigned Seed = 0; Seed != 200; ++Seed) {
    std::mt19937 Random(Seed);
    auto Below = [&](unsigned N) {
      return static_cast<unsigned>(Random() % N);
    };
    Builder B;
    for (unsigned N = 0; N != 40; ++N) {
      std::vector<unsigned> Uses;
      for (unsigned I = N ? Below(4) : 0; I; --I)
        if (unsigned U = Below(N); !llvm::is_contained(Uses, U))
          Uses.push_back(U);
      B.node(Uses, Below(3));
      if (N && Below(8) == 0)
        B.Graph.addEdge(Below(N), N);
      if (Below(8) == 0)
        B.Graph.LiveOut.set(N);
      // A register that is written anew where it was read.
      if (N && Below(8) == 0 && !B.Graph.Nodes[N].Uses.empty()) {
        unsigned V = B.Graph.Nodes[N].Uses.front();
        for (unsigned Other = 0; Other != N; ++Other)
          if (llvm::is_contained(B.Graph.Nodes[Other].Uses, V))
            B.Graph.addEdge(Other, N);
        B.Graph.Nodes[N].Defs.push_back(V);
      }
    }
    for (InstOrder How : OtherOrders)
      EXPECT_TRUE(isLegal(B.Graph, listSchedule(B.Graph, How))) << Seed;
  }
}

} // namespace
