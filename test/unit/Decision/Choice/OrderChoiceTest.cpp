//===- OrderChoiceTest.cpp - orders of blocks without a stated cap --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FreeSearchHarness.h"
#include <set>

using namespace regdem;

namespace {

class OrderChoice : public FreeSearchTest {
protected:
  // Low enough for a cap alone to be tried at each step.
  OrderChoice() { Pressure = 49; }

  /// Words spilled under a cap in the source's order and in the deep one, and
  /// by a demotion of the code in these.
  void spill(unsigned Source, unsigned Deep, unsigned SourceDemoted = 10,
             unsigned DeepDemoted = 10) {
    SpilledWords = [=](const Build &V) {
      bool IsDeep = V.Order == InstOrder::Deep;
      if (V.What == Decision::Demote)
        return IsDeep ? DeepDemoted : SourceDemoted;
      return V.MaxRegs ? (IsDeep ? Deep : Source) : 0;
    };
  }

  unsigned countOrdered() const {
    return llvm::count_if(
        Built, [](const Build &V) { return V.Order != InstOrder::Source; });
  }
};

TEST_F(OrderChoice, OrderThatSparesTheSpillIsTaken) {
  spill(20, 0);
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Cap);
  EXPECT_NE(S->MaxRegs, 0u);
  EXPECT_EQ(S->Order, InstOrder::Deep);
}

TEST_F(OrderChoice, DemotionGoesOnFromTheBetterOrder) {
  spill(40, 20, 10, 0);
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Demote);
  EXPECT_EQ(S->Order, InstOrder::Deep);
}

TEST_F(OrderChoice, OrderThatSparesLittleIsNotGoneOnFrom) {
  spill(40, 38, 10, 0);
  auto S = search();
  ASSERT_TRUE(S);
  // Each order once, under the cap alone.
  EXPECT_EQ(countOrdered(), std::size(OtherOrders));
  EXPECT_EQ(S->Order, InstOrder::Source);
}

TEST_F(OrderChoice, OrdersAreTriedAtOneStepUnlessLittleIsSpilled) {
  auto CapsWithOrders = [this] {
    std::set<unsigned> Caps;
    for (const Build &V : Built)
      if (V.Order != InstOrder::Source)
        Caps.insert(V.MaxRegs);
    return Caps.size();
  };
  spill(20, 0);
  ASSERT_TRUE(search());
  EXPECT_EQ(CapsWithOrders(), 1u);
  spill(8, 0); // 64 bytes, stores and reloads.
  ASSERT_TRUE(search());
  EXPECT_EQ(CapsWithOrders(), 3u);
}

TEST_F(OrderChoice, OrdersThatNeedFarMoreRegistersAreNotAssembled) {
  spill(20, 0);
  WordsOf = [this](const BuildRecipe &R) {
    return R.Order == InstOrder::Deep ? Pressure : Pressure * 5 / 4;
  };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Order, InstOrder::Deep);
  EXPECT_EQ(countOrdered(), 1u);
  WordsOf = [this](const BuildRecipe &) { return Pressure + 2; };
  ASSERT_TRUE(search());
  EXPECT_EQ(countOrdered(), std::size(OtherOrders));
}

TEST_F(OrderChoice, SourceOrderStaysWhereNothingSpills) {
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(countOrdered(), 0u);
}

TEST_F(OrderChoice, SourceOrderStaysWhereWarpsDoNotPay) {
  spill(20, 0);
  Code = [](const Build &) { return issuing(); };
  auto S = search();
  ASSERT_TRUE(S);
  EXPECT_EQ(S->What, Decision::Stock);
  EXPECT_EQ(S->Order, InstOrder::Source);
}

TEST_F(OrderChoice, NothingIsSettledWhenAnOrderCannotBeBuilt) {
  spill(20, 0);
  ASSERT_TRUE(search());
  unsigned All = Calls;
  unsigned Failures = 0;
  for (FailingCall = 0; FailingCall != All; ++FailingCall)
    Failures += !search();
  EXPECT_EQ(Failures, All);
}

} // namespace
