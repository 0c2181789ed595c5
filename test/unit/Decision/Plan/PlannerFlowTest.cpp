//===- PlannerFlowTest.cpp - demotion around loops and branches -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision/Plan/BlockEntry.h"
#include "PlanHelpers.h"

using namespace regdem;
using namespace regdem::test;

namespace {

/// Entry, a loop of one block, and what is after it. Entry writes all that
/// the test gives; Behind reads Passing.
struct LoopKernel {
  enum : BlockId { Entry, Body, Behind };
  GraphBuilder Build;
  Values Passing = Build.values(4), Looped = Build.values(4);

  KernelGraph finish() {
    Build.block();
    Build.define(Passing);
    Build.define(Looped);
    Build.block();
    for (ValueId V : Looped)
      Build.inst(V, V);
    Build.block();
    Build.read(Passing);
    Build.read(Looped);
    Build.edge(Entry, Body);
    Build.edge(Body, Body, 90);
    Build.edge(Body, Behind, 10);
    return Build.finish();
  }
};

TEST(PlannerFlow, LoopBorderDemotion) {
  LoopKernel K;
  KernelGraph G = K.finish();
  DemotionPlan Plan = plan(G, 5);
  // What passes the loop makes room before it and comes back after it.
  EXPECT_TRUE(accessed(Plan, PlanAction::Store, LoopKernel::Body).empty());
  EXPECT_TRUE(accessed(Plan, PlanAction::Reload, LoopKernel::Body).empty());
  Values Left = accessed(Plan, PlanAction::Store, LoopKernel::Entry);
  EXPECT_EQ(Left.size(), 3u);
  for (ValueId V : Left)
    EXPECT_LE(V, K.Passing.back());
  EXPECT_EQ(accessed(Plan, PlanAction::Reload, LoopKernel::Behind).size(), 3u);
  EXPECT_EQ(Plan.PressureAfter, 5 + Base);
}

/// 0 branches to 1 and 3; 1 leads to the loop 2, and that to 3. The edge 0 -> 3
/// is critical. Away leaves its register in 0, is read in the loop and in 3.
KernelGraph criticalEdge(GraphBuilder &Build, ValueId &Away,
                         bool Unsplittable) {
  Away = Build.value(2);
  Values Busy = Build.values(4);
  ValueId Bit = Build.value(0, ValueKind::Predicate);
  Build.block();
  Build.define(Away);
  Build.define(Busy);
  Build.read(Busy);
  Build.inst({}, Bit);
  Build.branch(Bit);
  Build.block();
  for (unsigned I = 0; I != 2; ++I) {
    Build.block();
    Build.read(Away);
  }
  Build.edge(0, 1, 90);
  Build.edge(0, 3, 10);
  Build.edge(1, 2);
  Build.edge(2, 2, 90);
  Build.edge(2, 3, 10);
  if (Unsplittable)
    Build.unsplittable(0);
  return Build.finish();
}

TEST(PlannerFlow, CriticalEdgeIsSplitForAReload) {
  GraphBuilder Build;
  ValueId Away;
  DemotionPlan Plan = plan(criticalEdge(Build, Away, false), 4);
  ASSERT_EQ(Plan.Edges.size(), 1u);
  EXPECT_EQ(Plan.Edges[0].Pred, 0u);
  EXPECT_EQ(Plan.Edges[0].Succ, 3u);
  EXPECT_EQ(accessed(Plan, PlanAction::Reload, 4), (Values{Away}));
  EXPECT_TRUE(accessed(Plan, PlanAction::Reload, 2, 3).empty());
  EXPECT_EQ(Plan.count(PlanAction::Reload), 2u);
}

TEST(PlannerFlow, IndirectBranchKeepsItsEdges) {
  GraphBuilder Build;
  ValueId Away;
  DemotionPlan Plan = plan(criticalEdge(Build, Away, true), 4);
  EXPECT_TRUE(Plan.Edges.empty());
  EXPECT_EQ(accessed(Plan, PlanAction::Store, 0), (Values{Away}));
  EXPECT_GE(Plan.count(PlanAction::Reload), 1u);
}

TEST(PlannerFlow, LoopWithSeveralExits) {
  GraphBuilder Build;
  Values Passing = Build.values(4), Looped = Build.values(3);
  ValueId Bit = Build.value(0, ValueKind::Predicate);
  Build.block();
  Build.define(Passing);
  Build.define(Looped);
  Build.inst({}, Bit);
  for (unsigned I = 0; I != 2; ++I) { // The loop, left from both its blocks.
    Build.block();
    for (ValueId V : Looped)
      Build.inst(V, V);
    Build.branch(Bit);
  }
  for (unsigned I = 0; I != 2; ++I) {
    Build.block();
    Build.read(Passing);
  }
  Build.edge(0, 1);
  Build.edge(1, 2, 90);
  Build.edge(1, 3, 10);
  Build.edge(2, 1, 90);
  Build.edge(2, 4, 10);
  KernelGraph G = Build.finish();
  ASSERT_EQ(G.Loops.size(), 1u);
  DemotionPlan Plan = plan(G, 4);
  EXPECT_TRUE(accessed(Plan, PlanAction::Reload, 1, 2).empty());
  EXPECT_TRUE(accessed(Plan, PlanAction::Store, 1, 2).empty());
  EXPECT_EQ(accessed(Plan, PlanAction::Reload, 3).size(), 3u);
  EXPECT_EQ(accessed(Plan, PlanAction::Reload, 4).size(), 3u);
}

// Leaf runs far more often than Entry, but rarely goes to Join.
TEST(PlannerFlow, EdgesWeighWhatPredecessorsHandOver) {
  GraphBuilder Build;
  ValueId V = Build.value(2);
  constexpr BlockId Entry = 0, Leaf = 1, Join = 2;
  Build.block();
  Build.define(V);
  Build.block();
  Build.block();
  Build.read(V);
  Build.edge(Entry, Leaf, 40);
  Build.edge(Entry, Join, 60);
  Build.edge(Leaf, Leaf, 95);
  Build.edge(Leaf, Join, 5);
  KernelGraph G = Build.finish();
  ASSERT_GT(G.Blocks[Leaf].Frequency, 4 * G.Blocks[Entry].Frequency);
  NextUse Uses(G);
  std::vector<bool> Pinned(1), Done = {true, true, false};
  EntryChooser Entries(G, Uses, 4, Pinned);
  EXPECT_EQ(Entries.choose(Join, {{{V, 0, false}}, {}, {}}, Done).size(), 1u);
  EXPECT_TRUE(Entries.choose(Join, {{}, {{V, 0, false}}, {}}, Done).empty());
}

// Away leaves in Middle; both blocks after it find it in a register when
// they come from the entry, and want it there.
TEST(PlannerFlow, ReloadAtABlocksEndServesAllSuccessors) {
  GraphBuilder Build;
  ValueId Away = Build.value(2);
  Values Busy = Build.values(4);
  constexpr BlockId Entry = 0, Middle = 1, Likely = 2, Other = 3;
  Build.block();
  Build.define(Away);
  Build.block();
  Build.define(Busy);
  Build.read(Busy);
  for (unsigned I = 0; I != 2; ++I) {
    Build.block();
    Build.read(Away);
  }
  Build.edge(Entry, Middle, 40);
  Build.edge(Entry, Likely, 35);
  Build.edge(Entry, Other, 25);
  Build.edge(Middle, Likely, 60);
  Build.edge(Middle, Other, 40);
  DemotionPlan Plan = plan(Build.finish(), 4);
  EXPECT_EQ(accessed(Plan, PlanAction::Reload, Middle), (Values{Away}));
  EXPECT_EQ(Plan.count(PlanAction::Reload), 1u);
  EXPECT_TRUE(Plan.Edges.empty());
}

} // namespace
