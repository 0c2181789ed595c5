//===- StorePlacementTest.cpp - where a demoted value is stored -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Plan/StorePlacement.h"
#include "GraphBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace regdem;
using namespace regdem::test;

namespace {

using Points = std::vector<PlanPoint>;

/// Places at which the slot of Use is taken.
std::vector<unsigned> occupied(const SlotUse &Use) {
  std::vector<unsigned> Places;
  for (const PlaceRange &R : Use.Occupied)
    for (unsigned P = R.First; P <= R.Last; ++P)
      Places.push_back(P);
  llvm::sort(Places);
  Places.erase(std::unique(Places.begin(), Places.end()), Places.end());
  return Places;
}

class StorePlacement : public testing::Test {
protected:
  GraphBuilder Build;
  ValueId V = Build.value();
  /// A loop of one block, what is before it, and what is after it.
  enum : BlockId { Entry, Body, Behind };

  void addLoopEdges() {
    Build.edge(Entry, Body);
    Build.edge(Body, Body, 90);
    Build.edge(Body, Behind, 10);
  }

  SlotUse place(const Points &Evictions, const Points &Reloads) {
    KernelGraph G = GraphBuilder(Build).finish();
    std::vector<std::vector<Event>> ByValue(G.Values.size());
    std::vector<Event> &Events = ByValue[V];
    for (PlanPoint P : Evictions)
      Events.push_back({P, Event::Evict});
    for (PlanPoint P : Reloads)
      Events.push_back({P, Event::Reload});
    addAccesses(G, ByValue);
    llvm::sort(Events);
    return placeStores(G, V, Events);
  }
};

class SplitEdges : public StorePlacement {
protected:
  KernelGraph G, Split;

  /// Ends the loop, whose body ends the graph so far, and splits its exit.
  void splitExit() {
    Build.block();
    addLoopEdges();
    G = Build.finish();
    Split = splitEdges(G, {{Body, Behind}});
  }
};

TEST_F(StorePlacement, StoresOnceBetweenDefinitionAndReload) {
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.inst({});
  Build.read(V);
  SlotUse Use = place({{0, 2}}, {{0, 3}});
  EXPECT_EQ(Use.Value, V);
  EXPECT_EQ(Use.Reloads, (Points{{0, 3}}));
  ASSERT_EQ(Use.Stores.size(), 1u);
  EXPECT_LE(Use.Stores[0].Before, 2u);
}

TEST_F(StorePlacement, CleanValueIsNotStoredAgain) {
  Build.block();
  Build.define(V);
  for (unsigned I = 0; I != 3; ++I) {
    Build.inst({});
    Build.read(V);
  }
  SlotUse Use = place({{0, 1}, {0, 3}, {0, 5}}, {{0, 2}, {0, 4}, {0, 6}});
  EXPECT_EQ(Use.Stores.size(), 1u);
  EXPECT_EQ(Use.Reloads.size(), 3u);
}

TEST_F(StorePlacement, ValueThatChangedIsStoredAgain) {
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.inst(V, V);
  Build.inst({});
  Build.read(V);
  SlotUse Use = place({{0, 1}, {0, 3}}, {{0, 2}, {0, 4}});
  EXPECT_EQ(Use.Stores, (Points{{0, 1}, {0, 3}}));
}

TEST_F(StorePlacement, StoreIsHoistedOutOfTheLoopThatEvicts) {
  Build.block();
  Build.define(V);
  Build.block();
  Build.read(V);
  Build.inst({});
  Build.block();
  addLoopEdges();
  SlotUse Use = place({{Body, 2}}, {{Body, 1}});
  EXPECT_EQ(Use.Stores, (Points{{Entry, 1}}));
}

TEST_F(StorePlacement, AccumulatorIsStoredBehindItsLoop) {
  Build.block();
  Build.define(V);
  Build.block();
  Build.inst(V, V);
  Build.block();
  Build.inst({});
  Build.read(V);
  addLoopEdges();
  SlotUse Use = place({{Behind, 2}}, {{Behind, 3}});
  EXPECT_EQ(Use.Stores, (Points{{Behind, 2}}));
}

TEST_F(StorePlacement, EveryDefinitionThatAReloadSeesIsStored) {
  for (unsigned Arm = 0; Arm != 2; ++Arm) {
    Build.block();
    Build.define(V);
  }
  Build.block();
  Build.inst({});
  Build.read(V);
  Build.edge(0, 1);
  Build.edge(0, 2);
  Build.edge(1, 2);
  // It leaves on both ways, so that the stores are where it is written.
  SlotUse Use = place({{0, 1}, {1, 2}}, {{2, 3}});
  EXPECT_EQ(Use.Stores, (Points{{0, 1}, {1, 2}}));
}

TEST_F(StorePlacement, DefinitionThatNoReloadSeesIsNotStored) {
  Build.block();
  Build.define(V);
  Build.read(V);
  Build.define(V);
  Build.inst({});
  Build.read(V);
  SlotUse Use = place({{0, 1}, {0, 3}}, {{0, 4}});
  EXPECT_EQ(Use.Stores, (Points{{0, 3}}));
}

TEST_F(StorePlacement, ReloadThatNoReadFollowsIsDropped) {
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.read(V);
  Build.inst({});
  Build.define(V);
  Build.read(V);
  SlotUse Use = place({{0, 1}}, {{0, 2}, {0, 3}});
  EXPECT_EQ(Use.Reloads, (Points{{0, 2}}));
}

// Stores where V leaves would be rarer, but the one at the join would read the
// register that V has left on the way there, for what its reader writes.
TEST_F(StorePlacement, RegisterLeftByTheReaderIsNotStored) {
  Build.block();
  Build.block();
  Build.define(V);
  Build.block();
  constexpr BlockId Reader = 3, Join = 4;
  Build.block();
  Build.read(V);
  Build.inst({});
  Build.block();
  Build.inst({});
  Build.read(V);
  Build.edge(Behind, Reader);
  Build.edge(Behind, Join);
  Build.edge(Reader, Join);
  addLoopEdges();
  SlotUse Use = place({{Reader, 1}, {Join, 3}}, {{Reader, 3}, {Join, 4}});
  EXPECT_EQ(Use.Stores, (Points{{Body, 1}}));
  EXPECT_EQ(Use.Reloads, (Points{{Join, 4}}));
}

TEST_F(StorePlacement, NothingToDoWithoutALiveReload) {
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.define(V);
  SlotUse Use = place({{0, 1}}, {{0, 2}});
  EXPECT_TRUE(Use.Reloads.empty());
  EXPECT_TRUE(Use.Stores.empty());
  EXPECT_TRUE(Use.Occupied.empty());
}

TEST_F(StorePlacement, ReloadAtTheEndOfABlockServesTheNextOne) {
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.block();
  Build.read(V);
  Build.edge(0, 1);
  EXPECT_EQ(place({{0, 1}}, {{0, 2}}).Reloads, (Points{{0, 2}}));
}

TEST_F(StorePlacement, SlotIsTakenFromTheStoreToTheReload) {
  Build.block();
  Build.define(V);
  for (unsigned I = 0; I != 4; ++I)
    Build.inst({});
  Build.read(V);
  Build.inst({});
  SlotUse Use = place({{0, 1}}, {{0, 5}});
  ASSERT_EQ(Use.Stores, (Points{{0, 1}}));
  EXPECT_EQ(occupied(Use), (std::vector<unsigned>{1, 2, 3, 4, 5}));
}

TEST_F(StorePlacement, SlotIsTakenAllAroundALoopThatReloads) {
  Build.block();
  Build.define(V);
  Build.block();
  Build.inst({});
  Build.read(V);
  Build.inst({});
  Build.block();
  addLoopEdges();
  SlotUse Use = place({{Body, 3}}, {{Body, 2}});
  KernelGraph G = Build.finish();
  std::vector<unsigned> Expected = {lastPlace(G, Entry)};
  for (unsigned P = firstPlace(G, Body); P <= lastPlace(G, Body); ++P)
    Expected.push_back(P);
  EXPECT_EQ(occupied(Use), Expected);
}

TEST_F(SplitEdges, EdgeBlockStandsBetweenItsEnds) {
  Build.block();
  Build.inst({});
  Build.block();
  Build.inst({});
  splitExit();
  EXPECT_EQ(Split.Blocks[3].Preds, (std::vector<BlockId>{Body}));
  EXPECT_EQ(Split.Blocks[3].Succs, (std::vector<BlockId>{Behind}));
  EXPECT_EQ(Split.Blocks[Body].Succs, (std::vector<BlockId>{Body, 3}));
  EXPECT_EQ(Split.Blocks[Behind].Preds, (std::vector<BlockId>{3}));
  // A tenth of the loop's executions leave it.
  EXPECT_NEAR(double(Split.Blocks[3].Frequency),
              G.Blocks[Body].Frequency / 10.0, 2.0);
}

TEST_F(SplitEdges, EveryPlaceHasItsOwnNumber) {
  Build.block();
  Build.inst({});
  Build.inst({});
  Build.block();
  Build.inst({});
  splitExit();
  std::vector<unsigned> Places = {
      placeOf(Split, {0, 0}), placeOf(Split, {0, 1}), placeOf(Split, {0, 2}),
      placeOf(Split, {1, 2}), placeOf(Split, {1, 3}), placeOf(Split, {2, 3}),
      placeOf(Split, {3, 0})};
  EXPECT_EQ(Places, (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(numPlaces(Split), 7u);
  EXPECT_EQ(lastPlace(Split, 0), 2u);
  EXPECT_EQ(firstPlace(Split, 1), 3u);
  EXPECT_EQ(lastPlace(Split, 3), 6u);
}

} // namespace
