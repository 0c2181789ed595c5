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

SlotUse place(const KernelGraph &G, ValueId V, const Points &Reloads) {
  std::vector<Points> ByValue(G.Values.size());
  ByValue[V] = Reloads;
  std::vector<SlotUse> Uses = placeStores(G, ByValue);
  return Uses.empty() ? SlotUse() : Uses.front();
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
  SlotUse Use = place(G, V, {{0, 3}});
  EXPECT_EQ(Use.Value, V);
  EXPECT_EQ(Use.Reloads, (Points{{0, 3}}));
  EXPECT_EQ(Use.Stores, (Points{{0, 1}}));
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
  SlotUse Use = place(G, V, {{0, 2}, {0, 4}, {0, 6}});
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
  SlotUse Use = place(G, V, {{0, 2}, {0, 4}});
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
  SlotUse Use = place(G, L.V, {{Loop::Body, 1}});
  EXPECT_EQ(Use.Stores, (Points{{Loop::Entry, 1}}));
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
  SlotUse Use = place(G, V, {{2, 3}});
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
  SlotUse Use = place(G, V, {{0, 4}});
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
  SlotUse Use = place(G, V, {{0, 2}, {0, 3}});
  EXPECT_EQ(Use.Reloads, (Points{{0, 2}}));
}

TEST(StorePlacement, NothingToDoWithoutALiveReload) {
  GraphBuilder Build;
  ValueId V = Build.value();
  Build.block();
  Build.define(V);
  Build.inst({});
  Build.define(V);
  KernelGraph G = Build.finish();
  SlotUse Use = place(G, V, {{0, 2}});
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
  EXPECT_EQ(place(G, V, {{0, 2}}).Reloads, (Points{{0, 2}}));
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
  SlotUse Use = place(G, V, {{0, 5}});
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
  SlotUse Use = place(G, L.V, {{Loop::Body, 2}});
  std::vector<unsigned> Expected = {lastPlace(G, Loop::Entry)};
  for (unsigned P = firstPlace(G, Loop::Body); P <= lastPlace(G, Loop::Body);
       ++P)
    Expected.push_back(P);
  EXPECT_EQ(occupied(Use), Expected);
}

TEST(StorePlacement, EveryPlaceHasItsOwnNumber) {
  Loop L;
  L.Build.block();
  L.Build.inst({});
  L.Build.inst({});
  L.Build.block();
  L.Build.inst({});
  L.Build.block();
  KernelGraph G = L.finish();
  std::vector<unsigned> Places = {placeOf({0, 0}), placeOf({0, 1}),
                                  placeOf({0, 2}), placeOf({1, 2}),
                                  placeOf({1, 3}), placeOf({2, 3})};
  EXPECT_EQ(Places, (std::vector<unsigned>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(numPlaces(G), 6u);
  EXPECT_EQ(lastPlace(G, 0), 2u);
  EXPECT_EQ(firstPlace(G, 1), 3u);
}

} // namespace
