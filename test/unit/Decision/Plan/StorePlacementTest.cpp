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

SlotUse place(const KernelGraph &G, ValueId V, const Points &Evictions,
              const Points &Reloads, const std::vector<SplitEdge> &Edges = {}) {
  std::vector<std::vector<Event>> ByValue(G.Values.size());
  std::vector<Event> &Events = ByValue[V];
  for (PlanPoint P : Evictions)
    Events.push_back({P, Event::Evict});
  for (PlanPoint P : Reloads)
    Events.push_back({P, Event::Reload});
  addAccesses(G, ByValue);
  llvm::sort(Events);
  return placeStores(splitEdges(G, Edges), V, Events);
}

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

/// Entry that writes V and Other, a loop of one block, and what is after it.
struct Loop {
  GraphBuilder Build;
  ValueId V = Build.value();
  enum : BlockId { Entry, Body, Behind };

  KernelGraph finish() {
    Build.edge(Entry, Body);
    Build.edge(Body, Body, 90);
    Build.edge(Body, Behind, 10);
    return Build.finish();
  }
};

TEST(StorePlacement, StoresOnceBetweenDefinitionAndReload) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.inst({});
  Build.read(V);
  KernelGraph G = Build.finish();
  SlotUse Use = place(G, V, {{0, 2}}, {{0, 3}});
  EXPECT_EQ(Use.Value, V);
  EXPECT_EQ(Use.Reloads, (Points{{0, 3}}));
  ASSERT_EQ(Use.Stores.size(), 1u);
  EXPECT_LE(Use.Stores[0].Before, 2u);
}

TEST(StorePlacement, CleanValueIsNotStoredAgain) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  for (unsigned I = 0; I != 3; ++I) {
    Build.inst({});
    Build.read(V);
  }
  KernelGraph G = Build.finish();
  SlotUse Use = place(G, V, {{0, 1}, {0, 3}, {0, 5}}, {{0, 2}, {0, 4}, {0, 6}});
  EXPECT_EQ(Use.Stores.size(), 1u);
  EXPECT_EQ(Use.Reloads.size(), 3u);
}

TEST(StorePlacement, ValueThatChangedIsStoredAgain) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.inst(V, V);
  Build.inst({});
  Build.read(V);
  KernelGraph G = Build.finish();
  SlotUse Use = place(G, V, {{0, 1}, {0, 3}}, {{0, 2}, {0, 4}});
  EXPECT_EQ(Use.Stores, (Points{{0, 1}, {0, 3}}));
}

TEST(StorePlacement, StoreIsHoistedOutOfTheLoopThatEvicts) {
  Loop L;
  L.Build.block();
  L.Build.define(L.V);
  L.Build.block();
  L.Build.read(L.V);
  L.Build.inst({});
  L.Build.block();
  KernelGraph G = L.finish();
  SlotUse Use = place(G, L.V, {{Loop::Body, 2}}, {{Loop::Body, 1}});
  EXPECT_EQ(Use.Stores, (Points{{Loop::Entry, 1}}));
}

TEST(StorePlacement, AccumulatorIsStoredBehindItsLoop) {
  Loop L;
  L.Build.block();
  L.Build.define(L.V);
  L.Build.block();
  L.Build.inst(L.V, L.V);
  L.Build.block();
  L.Build.inst({});
  L.Build.read(L.V);
  KernelGraph G = L.finish();
  SlotUse Use = place(G, L.V, {{Loop::Behind, 2}}, {{Loop::Behind, 3}});
  EXPECT_EQ(Use.Stores, (Points{{Loop::Behind, 2}}));
}

TEST(StorePlacement, EveryDefinitionThatAReloadSeesIsStored) {
  GraphBuilder Build;
  ValueId V = Build.value();
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
  KernelGraph G = Build.finish();
  // It leaves on both ways, so that the stores are where it is written.
  SlotUse Use = place(G, V, {{0, 1}, {1, 2}}, {{2, 3}});
  EXPECT_EQ(Use.Stores, (Points{{0, 1}, {1, 2}}));
}

TEST(StorePlacement, DefinitionThatNoReloadSeesIsNotStored) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  Build.read(V);
  Build.define(V);
  Build.inst({});
  Build.read(V);
  KernelGraph G = Build.finish();
  SlotUse Use = place(G, V, {{0, 1}, {0, 3}}, {{0, 4}});
  EXPECT_EQ(Use.Stores, (Points{{0, 3}}));
}

TEST(StorePlacement, ReloadThatNoReadFollowsIsDropped) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.read(V);
  Build.inst({});
  Build.define(V);
  Build.read(V);
  KernelGraph G = Build.finish();
  SlotUse Use = place(G, V, {{0, 1}}, {{0, 2}, {0, 3}});
  EXPECT_EQ(Use.Reloads, (Points{{0, 2}}));
}

// Stores where V leaves would be rarer, but the one at the join would read the
// register that V has left on the way there, for what its reader writes.
TEST(StorePlacement, RegisterLeftByTheReaderIsNotStored) {
  Loop L;
  L.Build.block();
  L.Build.block();
  L.Build.define(L.V);
  L.Build.block();
  constexpr BlockId Reader = 3, Join = 4;
  L.Build.block();
  L.Build.read(L.V);
  L.Build.inst({});
  L.Build.block();
  L.Build.inst({});
  L.Build.read(L.V);
  L.Build.edge(Loop::Behind, Reader);
  L.Build.edge(Loop::Behind, Join);
  L.Build.edge(Reader, Join);
  KernelGraph G = L.finish();
  SlotUse Use =
      place(G, L.V, {{Reader, 1}, {Join, 3}}, {{Reader, 3}, {Join, 4}});
  EXPECT_EQ(Use.Stores, (Points{{Loop::Body, 1}}));
  EXPECT_EQ(Use.Reloads, (Points{{Join, 4}}));
}

TEST(StorePlacement, NothingToDoWithoutALiveReload) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.define(V);
  KernelGraph G = Build.finish();
  SlotUse Use = place(G, V, {{0, 1}}, {{0, 2}});
  EXPECT_TRUE(Use.Reloads.empty());
  EXPECT_TRUE(Use.Stores.empty());
  EXPECT_TRUE(Use.Occupied.empty());
}

TEST(StorePlacement, ReloadAtTheEndOfABlockServesTheNextOne) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.block();
  Build.read(V);
  Build.edge(0, 1);
  KernelGraph G = Build.finish();
  EXPECT_EQ(place(G, V, {{0, 1}}, {{0, 2}}).Reloads, (Points{{0, 2}}));
}

TEST(StorePlacement, SlotIsTakenFromTheStoreToTheReload) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  for (unsigned I = 0; I != 4; ++I)
    Build.inst({});
  Build.read(V);
  Build.inst({});
  KernelGraph G = Build.finish();
  SlotUse Use = place(G, V, {{0, 1}}, {{0, 5}});
  ASSERT_EQ(Use.Stores, (Points{{0, 1}}));
  EXPECT_EQ(occupied(Use), (std::vector<unsigned>{1, 2, 3, 4, 5}));
}

TEST(StorePlacement, SlotIsTakenAllAroundALoopThatReloads) {
  Loop L;
  L.Build.block();
  L.Build.define(L.V);
  L.Build.block();
  L.Build.inst({});
  L.Build.read(L.V);
  L.Build.inst({});
  L.Build.block();
  KernelGraph G = L.finish();
  SlotUse Use = place(G, L.V, {{Loop::Body, 3}}, {{Loop::Body, 2}});
  KernelGraph Split = splitEdges(G, {});
  std::vector<unsigned> Expected = {lastPlace(Split, Loop::Entry)};
  for (unsigned P = firstPlace(Split, Loop::Body);
       P <= lastPlace(Split, Loop::Body); ++P)
    Expected.push_back(P);
  EXPECT_EQ(occupied(Use), Expected);
}

TEST(SplitEdges, EdgeBlockStandsBetweenItsEnds) {
  Loop L;
  L.Build.block();
  L.Build.inst({});
  L.Build.block();
  L.Build.inst({});
  L.Build.block();
  KernelGraph G = L.finish();
  KernelGraph Split = splitEdges(G, {{Loop::Body, Loop::Behind}});
  EXPECT_EQ(Split.Blocks[3].Preds, (std::vector<BlockId>{Loop::Body}));
  EXPECT_EQ(Split.Blocks[3].Succs, (std::vector<BlockId>{Loop::Behind}));
  EXPECT_EQ(Split.Blocks[Loop::Body].Succs,
            (std::vector<BlockId>{Loop::Body, 3}));
  EXPECT_EQ(Split.Blocks[Loop::Behind].Preds, (std::vector<BlockId>{3}));
  // A tenth of the loop's executions leave it.
  EXPECT_NEAR(double(Split.Blocks[3].Frequency),
              G.Blocks[Loop::Body].Frequency / 10.0, 2.0);
}

TEST(SplitEdges, EveryPlaceHasItsOwnNumber) {
  Loop L;
  L.Build.block();
  L.Build.inst({});
  L.Build.inst({});
  L.Build.block();
  L.Build.inst({});
  L.Build.block();
  KernelGraph G = L.finish();
  KernelGraph Split = splitEdges(G, {{Loop::Body, Loop::Behind}});
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
