//===- OrderChoiceTest.cpp - orders of blocks without a stated cap --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchHarness.h"
#include <set>

using namespace regdem;

namespace {

class OrderChoice : public FreeSearchTest {
protected:
  OrderChoice() { Pressure = 49; }

  /// Words spilled under a cap in the source's order and in the deep one.
  void spill(unsigned Source, unsigned Deep) {
    SpilledWords = [=](const Build &V) {
      if (V.What == Decision::Demote)
        return 10u;
      return V.MaxRegs ? (V.Order == InstOrder::Deep ? Deep : Source) : 0;
    };
  }

  unsigned countOrdered() const {
    return llvm::count_if(
        Built, [](const Build &V) { return V.Order != InstOrder::Source; });
  }
};

TEST_F(OrderChoice, OrderThatSparesTheSpillIsTakenIfItLowersThePressure) {
  spill(20, 0);
  Outcome S = settled();
  EXPECT_EQ(S.Order, InstOrder::Source);
  OrderedPressure = Pressure * 4 / 5;
  S = settled();
  EXPECT_EQ(S.What, Decision::Cap);
  EXPECT_NE(S.MaxRegs, 0u);
  EXPECT_EQ(S.Order, InstOrder::Deep);
}

TEST_F(OrderChoice, OrderThatSparesLittleIsNotGoneOnFrom) {
  spill(40, 38);
  OrderedPressure = Pressure * 4 / 5;
  Outcome S = settled();
  // Each order once, under the cap alone.
  EXPECT_EQ(countOrdered(), std::size(OtherOrders));
  EXPECT_EQ(S.Order, InstOrder::Source);
}

TEST_F(OrderChoice, OrdersAreTriedAtTheFastestStepAlone) {
  spill(20, 0);
  OrderedPressure = Pressure * 4 / 5;
  ASSERT_TRUE(search());
  std::set<unsigned> Caps;
  for (const Build &V : Built)
    if (V.Order != InstOrder::Source)
      Caps.insert(V.MaxRegs);
  EXPECT_EQ(Caps.size(), 1u);
}

TEST_F(OrderChoice, SourceOrderStaysWhereNothingSpills) {
  ASSERT_TRUE(search());
  EXPECT_EQ(countOrdered(), 0u);
}

TEST_F(OrderChoice, SourceOrderStaysWhereWarpsDoNotPay) {
  spill(20, 0);
  Code = [](const Build &) { return issuing(); };
  Outcome S = settled();
  EXPECT_EQ(S.What, Decision::Stock);
  EXPECT_EQ(S.Order, InstOrder::Source);
}

} // namespace
