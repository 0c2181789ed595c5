//===- PlannerTest.cpp - what leaves registers, and how ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanHelpers.h"
#include "llvm/Support/raw_ostream.h"

using namespace regdem;
using namespace regdem::test;

namespace {

unsigned slotOf(const DemotionPlan &Plan, ValueId V) {
  for (const PlanAction &A : Plan.Actions)
    if (A.Value == V)
      return A.Slot;
  ADD_FAILURE() << "value " << V << " is not demoted";
  return ~0u;
}

/// A block in which all of V are written, and then read.
KernelGraph writtenAndRead(GraphBuilder &Build, const Values &V) {
  Build.block();
  Build.define(V);
  Build.read(V);
  return Build.finish();
}

TEST(Planner, KernelThatFitsIsLeftAlone) {
  GraphBuilder Build;
  Values V = Build.values(4);
  KernelGraph G = writtenAndRead(Build, V);
  DemotionPlan Plan = planDemotion(G, {4, Unlimited, Strategy::Belady});
  EXPECT_TRUE(Plan.empty());
  EXPECT_EQ(Plan.Words, 0u);
  EXPECT_EQ(Plan.PressureBefore, 4u);
  EXPECT_EQ(Plan.PressureAfter, 4u);
}

TEST(Planner, NoPlanWithoutASlot) {
  GraphBuilder Build;
  Values V = Build.values(8);
  EXPECT_TRUE(plan(writtenAndRead(Build, V), 4, /*MaxWords=*/0).empty());
}

TEST(Planner, ReloadIsSharedBySeveralUses) {
  GraphBuilder Build;
  ValueId Away = Build.value(2);
  Values Busy = Build.values(3);
  Build.block();
  Build.define(Away);
  Build.define(Busy);
  Build.read(Busy);
  for (unsigned I = 0; I != 5; ++I)
    Build.read(Away);
  DemotionPlan Plan = plan(Build.finish(), 3);
  EXPECT_EQ(accessed(Plan, PlanAction::Store, 0), (Values{Away}));
  EXPECT_EQ(accessed(Plan, PlanAction::Reload, 0), (Values{Away}));
}

TEST(Planner, NegationIsRepeatedWhereItIsRead) {
  GraphBuilder Build;
  ValueId Of = Build.value(2), Negation = Build.negation(Of, 2);
  ValueId Stays = Build.value(), Other = Build.negation(Stays);
  Values Busy = Build.values(4);
  Build.block();
  Build.define({Stays, Of});
  Build.inst({Stays}, {Other});
  Build.inst({Of}, {Negation});
  Build.inst({Negation, Of}); // Right after it, it need not be repeated.
  Build.define(Busy);
  Build.read(Busy);
  Build.inst({Other, Stays}); // What it negates has been there all the time.
  InstId Last = Build.inst({Negation, Of});
  KernelGraph G = Build.finish();
  DemotionPlan Plan = planDemotion(G, {6, Unlimited, Strategy::Belady});
  EXPECT_EQ(Plan.PressureBefore, 7u);
  EXPECT_EQ(Plan.PressureAfter, 6u);
  EXPECT_EQ(accessed(Plan, PlanAction::Store, 0), (Values{Of}));
  EXPECT_EQ(accessed(Plan, PlanAction::Reload, 0), (Values{Of}));
  EXPECT_EQ(accessed(Plan, PlanAction::Recompute, 0), (Values{Negation}));
  EXPECT_EQ(Plan.Actions.back().What, PlanAction::Recompute);
  EXPECT_EQ(Plan.Actions.back().Where.Before, Last);
}

TEST(Planner, SlotIsSharedByDisjointStretches) {
  GraphBuilder Build;
  ValueId First = Build.value(2), Second = Build.value(2);
  Values Busy = Build.values(3);
  Build.block();
  for (ValueId V : {First, Second}) {
    Build.define(V);
    Build.define(Busy);
    Build.read(Busy);
    Build.read(V);
  }
  DemotionPlan Plan = plan(Build.finish(), 3);
  EXPECT_EQ(slotOf(Plan, First), slotOf(Plan, Second));
  EXPECT_EQ(Plan.Words, 2u);
}

TEST(Planner, PartialPlanTakesWhatThereIs) {
  GraphBuilder Build;
  Values V = Build.values(20);
  KernelGraph G = writtenAndRead(Build, V);
  DemotionPlan Full = plan(G, 8), Partial = plan(G, 8, /*MaxWords=*/5);
  EXPECT_EQ(Full.PressureAfter, 8 + Base);
  EXPECT_EQ(Full.Words, 12u);
  EXPECT_EQ(Partial.Words, 5u);
  EXPECT_EQ(Partial.PressureAfter, 15 + Base);
  EXPECT_EQ(Partial.PressureBefore, 20u);
}

// Many are over the target for long and are read at times; Peak add to them for
// a moment and are read once. Slots for the peak alone would be Peak's.
TEST(Planner, PartialResidentPlanRelievesMoreThanThePeak) {
  GraphBuilder Build;
  Values Many = Build.values(10), Peak = Build.values(10);
  Build.block();
  Build.define(Many);
  for (unsigned I = 0; I != 4; ++I) {
    for (unsigned J = 0; J != 10; ++J)
      Build.inst({});
    Build.read(Many);
  }
  Build.define(Peak);
  Build.read(Peak);
  Build.read(Many);
  DemotionPlan Plan =
      plan(Build.finish(), 4, /*MaxWords=*/3, Strategy::Resident);
  EXPECT_EQ(Plan.Words, 3u);
  for (const PlanAction &A : Plan.Actions)
    EXPECT_LE(A.Value, Many.back());
}

TEST(Planner, FreeValuesTakeNoRegister) {
  GraphBuilder Build;
  Values V = Build.values(4);
  for (unsigned I = 0; I != 8; ++I)
    V.push_back(Build.value(2, ValueKind::Free));
  KernelGraph G = writtenAndRead(Build, V);
  DemotionPlan Plan = plan(G, 2);
  EXPECT_EQ(Plan.PressureBefore, 4u);
  EXPECT_EQ(Plan.Words, 2u);
  for (const PlanAction &A : Plan.Actions)
    EXPECT_LT(A.Value, 4u);
}

class PlannerKinds : public testing::TestWithParam<ValueKind> {};

TEST_P(PlannerKinds, OtherThanDemotableStayInRegisters) {
  GraphBuilder Build;
  Values V = Build.values(4);
  for (unsigned I = 0; I != 4; ++I)
    V.push_back(Build.value(1, GetParam()));
  KernelGraph G = writtenAndRead(Build, V);
  for (Strategy How : {Strategy::Belady, Strategy::Resident})
    for (const PlanAction &A : plan(G, 2, Unlimited, How).Actions)
      EXPECT_LT(A.Value, 4u);
}

INSTANTIATE_TEST_SUITE_P(, PlannerKinds,
                         testing::Values(ValueKind::Predicate, ValueKind::Free,
                                         ValueKind::Terminator,
                                         ValueKind::Product,
                                         ValueKind::NoLoad));

TEST(Planner, ValueThatAPathLeavesUndefinedStays) {
  GraphBuilder Build;
  ValueId Partly = Build.value(2);
  Values Busy = Build.values(4);
  Build.block();
  Build.block();
  Build.define(Partly);
  Build.block();
  Build.define(Busy);
  Build.read(Busy);
  Build.read(Partly);
  Build.edge(0, 1);
  Build.edge(0, 2);
  Build.edge(1, 2);
  for (bool LikeLiveIntervals : {false, true})
    for (const PlanAction &A :
         plan(GraphBuilder(Build).finish(LikeLiveIntervals), 4).Actions)
      EXPECT_NE(A.Value, Partly);
}

TEST(Planner, ResidentStrategyTakesFewerWords) {
  GraphBuilder Build;
  Values V = Build.values(12);
  Build.block();
  Build.define(V);
  Build.block();
  for (unsigned Round = 0; Round != 4; ++Round)
    Build.read(V);
  Build.block();
  Build.edge(0, 1);
  Build.edge(1, 1, 90);
  Build.edge(1, 2, 10);
  KernelGraph G = Build.finish();
  DemotionPlan Belady = plan(G, 8),
               Resident = plan(G, 8, Unlimited, Strategy::Resident);
  EXPECT_EQ(Resident.How, Strategy::Resident);
  EXPECT_EQ(Resident.PressureAfter, 8 + Base);
  EXPECT_LT(Resident.Words, Belady.Words);
}

TEST(Planner, PrintsPlan) {
  GraphBuilder Build;
  ValueId Away = Build.value(2);
  Values Busy = Build.values(3);
  Build.block();
  Build.define(Away);
  Build.define(Busy);
  Build.read(Busy);
  Build.read(Away);
  KernelGraph G = Build.finish();
  DemotionPlan Plan = plan(G, 3);
  Plan.Edges.push_back({0, 0});
  Plan.Actions.push_back({{1, 0}, PlanAction::Reload, Busy[0], 5});
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(OS, Plan, G);
  EXPECT_EQ(Text, "strategy: belady\n"
                  "target: 4 words\n"
                  "pressure: 5 -> 4 words\n"
                  "slots: 2 words\n"
                  "store %0 to slot 0 in bb.0 before 2\n"
                  "reload %0 from slot 0 in bb.0 before 7\n"
                  "reload %1 from slot 5 on edge bb.0 -> bb.0\n");
}

} // namespace
