//===- PlannerRecomputationTest.cpp - values that need no slot ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanHelpers.h"
#include "llvm/Support/raw_ostream.h"

using namespace regdem;
using namespace regdem::test;

namespace {

/// Four values in turn, of which the last Count are recomputed.
class PlannerRecomputation : public testing::TestWithParam<Strategy> {
protected:
  GraphBuilder Build;

  KernelGraph inTurn(unsigned Count = 1) {
    Values V = Build.values(4);
    for (unsigned I = 0; I != Count; ++I)
      Build.recompute(V[3 - I]);
    Build.block();
    Build.define(V);
    for (unsigned I = 0; I != 2; ++I)
      Build.read(V);
    return Build.finish();
  }
};

TEST_P(PlannerRecomputation, RecomputedValueIsNeitherStoredNorReloaded) {
  DemotionPlan Plan = plan(inTurn(), 2, Unlimited, GetParam());
  EXPECT_GT(Plan.count(PlanAction::Recompute), 0u);
  for (const PlanAction &A : Plan.Actions)
    EXPECT_EQ(A.What == PlanAction::Recompute, A.Value == 3);
}

TEST_P(PlannerRecomputation, RecomputedValuesAloneTakeNoWordAndNoBase) {
  DemotionPlan Plan = plan(inTurn(4), 2, Unlimited, GetParam());
  EXPECT_EQ(Plan.Words, 0u);
  EXPECT_EQ(Plan.PressureAfter, 2u);
  EXPECT_EQ(Plan.count(PlanAction::Recompute), Plan.Actions.size());
}

TEST_P(PlannerRecomputation, RecomputedValueLeavesBeforeOneThatIsReadAsSoon) {
  GraphBuilder Build;
  Values V = Build.values(5);
  ValueId Hot = V[0], Other = V[4];
  for (ValueId Cheap : {V[1], V[2], V[3]})
    Build.recompute(Cheap);
  Build.block();
  Build.define(V);
  for (unsigned I = 0; I != 4; ++I)
    Build.inst(Hot);
  // The other is read a little later, and waits a little longer.
  Build.read({V[1], V[2], V[3], Other});
  Build.inst(Hot);
  DemotionPlan Plan = plan(Build.finish(), 3, Unlimited, GetParam());
  EXPECT_EQ(Plan.count(PlanAction::Recompute), 2u);
  EXPECT_EQ(Plan.Actions.size(), 2u);
}

TEST_P(PlannerRecomputation, ValueThatSomePathLeavesUndefinedIsNotRecomputed) {
  GraphBuilder Build;
  Values V = Build.values(3);
  ValueId Partly = Build.value();
  Build.recompute(Partly);
  BlockId Entry = Build.block();
  Build.define(V);
  Build.branch();
  BlockId Arm = Build.block();
  Build.define(Partly);
  BlockId Join = Build.block();
  Build.read(V);
  Build.read(V);
  Build.inst(Partly);
  Build.edge(Entry, Arm);
  Build.edge(Entry, Join);
  Build.edge(Arm, Join);
  DemotionPlan Plan = plan(Build.finish(), 2, Unlimited, GetParam());
  EXPECT_FALSE(Plan.empty());
  EXPECT_EQ(Plan.count(PlanAction::Recompute), 0u);
}

TEST(PlanText, SaysWhatIsRecomputed) {
  GraphBuilder Build;
  Values V = Build.values(3);
  for (ValueId Value : V)
    Build.recompute(Value);
  Build.block();
  Build.define(V);
  Build.read(V);
  KernelGraph G = Build.finish();
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS, plan(G, 1), G);
  EXPECT_NE(Text.find("slots: 0 words\n"), std::string::npos) << Text;
  EXPECT_NE(Text.find("recompute %1 in bb.0 before 4\n"), std::string::npos)
      << Text;
}

INSTANTIATE_TEST_SUITE_P(, PlannerRecomputation,
                         testing::Values(Strategy::Belady, Strategy::Resident),
                         [](const auto &I) { return toString(I.param).str(); });

} // namespace
