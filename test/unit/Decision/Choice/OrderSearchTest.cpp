//===- OrderSearchTest.cpp - orders of blocks under a stated cap ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"

using namespace regdem;

namespace {

/// Words spilled and words live without demotion, by order; a demotion leaves a
/// tenth of the spill.
struct Figures {
  unsigned Source, Near, Deep;
  unsigned of(InstOrder Order) const {
    return Order == InstOrder::Near   ? Near
           : Order == InstOrder::Deep ? Deep
                                      : Source;
  }
};

Assembler orders(Figures Spilled, Figures Live = {60, 60, 60}) {
  return [=](Build &V) {
    bool Demotes = V.What == Decision::Demote;
    spill(V, Spilled.of(V.Order) / (Demotes ? 10 : 1));
    V.PressureAfter = Demotes ? V.Target : Live.of(V.Order);
  };
}

TEST_F(CapSearch, OrderThatTakesTheSpillAwayIsTaken) {
  Outcome S = settled(orders({100, 0, 40}));
  EXPECT_EQ(S.Order, InstOrder::Near);
  EXPECT_EQ(S.chosen()->What, Decision::Cap);
  EXPECT_EQ(S.chosen()->MaxRegs, Cap);
  EXPECT_EQ(count(Decision::Demote), 1u); // One plan comes before orders.
}

TEST_F(CapSearch, DemotionGoesOnFromTheBestOrder) {
  Outcome S = settled(orders({100, 60, 30}));
  EXPECT_EQ(S.chosen()->What, Decision::Demote);
  EXPECT_EQ(S.Order, InstOrder::Deep);
  std::vector<InstOrder> Demoted;
  for (const Build &V : Built)
    if (V.What == Decision::Demote)
      Demoted.push_back(V.Order);
  ASSERT_GE(Demoted.size(), 2u);
  EXPECT_EQ(Demoted.front(), InstOrder::Source); // Before there are orders.
  EXPECT_EQ(llvm::count(Demoted, InstOrder::Deep), int(Demoted.size()) - 1);
}

TEST_F(CapSearch, OrderThatSavesLittleIsNotTaken) {
  EXPECT_EQ(settled(orders({100, 95, 95})).Order, InstOrder::Source);
}

TEST_F(CapSearch, OrderThatLeavesMoreToMoveIsNotTaken) {
  EXPECT_EQ(settled(orders({100, 50, 80}, {60, 69, 68})).Order,
            InstOrder::Deep);
}

TEST_F(CapSearch, KernelThatFitsKeepsItsOrder) {
  EXPECT_EQ(settled([](Build &V) { V.PressureAfter = 20; }).Order,
            InstOrder::Source);
  for (const Build &V : Built)
    EXPECT_EQ(V.Order, InstOrder::Source);
}

TEST_F(CapSearch, OrdersAreTriedWithoutThePassesLeftOut) {
  constexpr Rewrite Unsunk = Rewrite::SkipMachineSink;
  Worthwhile = {Unsunk};
  Outcome S = settled([](Build &V) {
    unsigned Words = V.Rewrites == Unsunk ? 60 : 100;
    spill(V, V.Order == InstOrder::Deep ? Words / 2 : Words);
  });
  EXPECT_EQ(S.Rewrites, Unsunk);
  EXPECT_EQ(S.Order, InstOrder::Deep);
}

TEST_F(CapSearch, OrderInTheKernelsOwnCapNeedsNoNewOne) {
  Goal.CapIsNew = false;
  Outcome S = settled(orders({100, 100, 0}));
  EXPECT_EQ(S.chosen()->What, Decision::Rewrite);
  EXPECT_EQ(S.chosen()->Order, InstOrder::Deep);
}

TEST_F(CapSearch, OrderHelpsWithoutRoomForASlot) {
  Goal.SlotBytes = 0;
  EXPECT_EQ(settled(orders({100, 50, 100})).Order, InstOrder::Near);
}

TEST_F(CapSearch, SourcesOrderIsPredictedToo) {
  CyclesOf = [](const Build &V) {
    return V.Order == InstOrder::Source && !V.Target ? 100 : 200;
  };
  Outcome S = settled(orders({100, 50, 100}));
  EXPECT_EQ(S.Order, InstOrder::Source);
  EXPECT_EQ(S.chosen()->What, Decision::Cap);
}

} // namespace
