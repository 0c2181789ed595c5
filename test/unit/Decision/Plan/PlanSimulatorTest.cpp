//===- PlanSimulatorTest.cpp - wrong plans are found out --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The judge of the planner's property tests, judged by plans made by hand.
//
//===----------------------------------------------------------------------===//

#include "PlanHelpers.h"

using namespace regdem;
using namespace regdem::test;

namespace {

/// 0 writes A and B and goes to 1 or straight to 2; 1 writes A again; 2 reads
/// both.
class PlanSimulator : public testing::Test {
protected:
  GraphBuilder Build;
  ValueId A = Build.value(2), B = Build.value(2),
          Fixed = Build.value(1, ValueKind::Product);
  KernelGraph Graph = diamond();
  DemotionPlan Plan;

  KernelGraph diamond() {
    Build.block();
    Build.define({A, B, Fixed});
    Build.block();
    Build.define(A);
    Build.block();
    Build.read({A, B, Fixed});
    Build.edge(0, 1);
    Build.edge(0, 2);
    Build.edge(1, 2);
    return Build.finish();
  }
  void store(PlanPoint Where, ValueId V, unsigned Slot) {
    Plan.Actions.push_back({Where, PlanAction::Store, V, Slot});
    Plan.Words = std::max(Plan.Words, Slot + Graph.words(V));
  }
  void reload(PlanPoint Where, ValueId V, unsigned Slot) {
    Plan.Actions.push_back({Where, PlanAction::Reload, V, Slot});
    Plan.Words = std::max(Plan.Words, Slot + Graph.words(V));
  }
  /// Whether some of the paths shows the fault too.
  bool isFoundOnAPath() const {
    std::string Problem;
    PlannedCode Code = carryOut(Graph, Plan, Problem);
    for (uint64_t Seed = 0; Seed != 8; ++Seed)
      if (!walkPath(Graph, Code, Seed, 100).empty())
        return true;
    return false;
  }
  void expectWrongReload() const {
    EXPECT_NE(checkPlan(Graph, Plan).find("another value is in the slot"),
              std::string::npos);
    EXPECT_TRUE(isFoundOnAPath());
  }
};

TEST_F(PlanSimulator, AcceptsStoresAtAllDefinitions) {
  store({0, 1}, A, 0);
  store({1, 4}, A, 0);
  reload({2, 4}, A, 0);
  EXPECT_EQ(checkPlan(Graph, Plan), "");
  EXPECT_FALSE(isFoundOnAPath());
}

TEST_F(PlanSimulator, FindsReloadWithoutAStore) {
  reload({2, 4}, A, 0);
  expectWrongReload();
}

TEST_F(PlanSimulator, FindsStoreThatIsMissingOnOnePath) {
  store({1, 4}, A, 0);
  reload({2, 4}, A, 0);
  expectWrongReload();
}

TEST_F(PlanSimulator, FindsSlotThatHoldsAnOldDefinition) {
  store({0, 1}, A, 0);
  reload({2, 4}, A, 0);
  expectWrongReload();
}

TEST_F(PlanSimulator, FindsSlotThatAnotherValueHasTaken) {
  store({0, 1}, A, 0);
  store({0, 2}, B, 0);
  store({1, 4}, A, 0);
  reload({2, 4}, A, 0);
  expectWrongReload();
}

TEST_F(PlanSimulator, FindsSlotThatAnotherValueHasTakenInPart) {
  Graph.Values[B].Words = 1;
  store({0, 1}, A, 0);
  store({0, 2}, B, 1);
  store({1, 4}, A, 0);
  reload({2, 4}, A, 0);
  expectWrongReload();
}

TEST_F(PlanSimulator, FindsReloadFromAnotherSlot) {
  store({0, 2}, B, 0);
  reload({2, 5}, B, 2);
  expectWrongReload();
}

TEST_F(PlanSimulator, FindsValueThatMustStay) {
  store({0, 3}, Fixed, 0);
  reload({2, 6}, Fixed, 0);
  EXPECT_EQ(checkPlan(Graph, Plan), "value 2 may not be demoted");
}

TEST_F(PlanSimulator, FindsSlotThatIsNotAligned) {
  store({0, 2}, B, 1);
  reload({2, 5}, B, 1);
  EXPECT_EQ(checkPlan(Graph, Plan), "slot of value 1 is not aligned");
}

TEST_F(PlanSimulator, FindsWrongNumberOfWords) {
  store({0, 2}, B, 0);
  reload({2, 5}, B, 0);
  Plan.Words = 3;
  EXPECT_EQ(checkPlan(Graph, Plan), "the plan states 3 words and takes 2");
}

TEST_F(PlanSimulator, FindsPlaceThatDoesNotExist) {
  store({0, 2}, B, 0);
  reload({7, 0}, B, 0);
  EXPECT_NE(checkPlan(Graph, Plan).find("place that does not exist"),
            std::string::npos);
}

TEST_F(PlanSimulator, FindsEdgeThatCannotBeSplit) {
  Graph.Blocks[0].UnsplittableEdges = true;
  Plan.Edges.push_back({0, 2});
  store({0, 2}, B, 0);
  reload({3, 0}, B, 0);
  EXPECT_EQ(checkPlan(Graph, Plan), "edge that cannot be split: 0 -> 2");
}

TEST_F(PlanSimulator, ValueIsDeadBeforeItsReload) {
  // A and B, and Fixed: five words; B is away where A is written again.
  EXPECT_EQ(pressureWith(Graph, Plan), 5u);
  store({0, 2}, B, 0);
  reload({2, 5}, B, 0);
  // A, B and the base address while both are written, Fixed not yet.
  EXPECT_EQ(pressureWith(Graph, Plan), 5u);
  Plan.Actions[1].Where = {2, 4};
  EXPECT_EQ(pressureWith(Graph, Plan), 6u);
}

} // namespace
