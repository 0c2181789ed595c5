//===- KernelGraphTest.cpp - graphs as values, uses and blocks --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "gtest/gtest.h"

using namespace regdem;
using namespace regdem::test;

namespace {

using Values = std::vector<ValueId>;
using BlockList = std::vector<BlockId>;

TEST(KernelGraph, OperandsAreListedOnce) {
  GraphBuilder Build;
  ValueId A = Build.value(), B = Build.value();
  Build.block();
  InstId I = Build.inst({A, B, A}, {A, A, B});
  InstId J = Build.inst({}, {});
  KernelGraph G = Build.finish();
  EXPECT_EQ(G.uses(I).vec(), (Values{A, B}));
  EXPECT_EQ(G.defs(I).vec(), (Values{A, B}));
  EXPECT_TRUE(G.uses(J).empty());
  EXPECT_TRUE(G.defs(J).empty());
  EXPECT_EQ(G.numInsts(), 2u);
}

TEST(KernelGraph, FreeValuesAndPredicatesTakeNoWords) {
  GraphBuilder Build;
  ValueId Wide = Build.value(4), Free = Build.value(2, ValueKind::Free),
          Bit = Build.value(0, ValueKind::Predicate),
          Product = Build.value(2, ValueKind::Product);
  Build.block();
  KernelGraph G = Build.finish();
  EXPECT_EQ(G.words(Wide), 4u);
  EXPECT_EQ(G.words(Free), 0u);
  EXPECT_EQ(G.words(Bit), 0u);
  EXPECT_EQ(G.words(Product), 2u);
}

TEST(KernelGraph, OnlyDemotableValuesAreDemotable) {
  GraphBuilder Build;
  ValueId Yes = Build.value();
  Values No;
  for (ValueKind K :
       {ValueKind::Predicate, ValueKind::Free, ValueKind::Terminator,
        ValueKind::Product, ValueKind::NoLoad})
    No.push_back(Build.value(1, K));
  Build.block();
  KernelGraph G = Build.finish();
  EXPECT_TRUE(G.isDemotable(Yes));
  for (ValueId V : No)
    EXPECT_FALSE(G.isDemotable(V)) << toString(G.Values[V].Kind).str();
}

TEST(KernelGraph, EveryKindHasItsOwnName) {
  std::vector<std::string> Names;
  for (ValueKind K :
       {ValueKind::Demotable, ValueKind::Predicate, ValueKind::Free,
        ValueKind::Terminator, ValueKind::Product, ValueKind::NoLoad})
    Names.push_back(toString(K).str());
  std::sort(Names.begin(), Names.end());
  EXPECT_FALSE(Names.front().empty());
  EXPECT_EQ(std::unique(Names.begin(), Names.end()), Names.end());
}

/// A loop 1-4 with the loop 2-3 inside; 5 is after both.
KernelGraph nestedLoops(Values &V) {
  GraphBuilder Build;
  V = Build.values(3);
  Build.block();
  Build.define({V[0], V[1]});
  Build.block();
  Build.block();
  Build.read(V[1]);
  Build.block();
  Build.inst({}, V[2]);
  Build.block();
  Build.read(V[2]);
  Build.block();
  Build.read(V[0]);
  for (BlockId B = 0; B != 5; ++B)
    Build.edge(B, B + 1);
  Build.edge(3, 2);
  Build.edge(4, 1);
  return Build.finish();
}

TEST(KernelGraph, BlocksOfAnInnerLoopAreInTheOuterOne) {
  Values V;
  KernelGraph G = nestedLoops(V);
  ASSERT_EQ(G.Loops.size(), 2u);
  EXPECT_TRUE(G.isInLoop(2, 0));
  EXPECT_TRUE(G.isInLoop(2, 1));
  EXPECT_TRUE(G.isInLoop(4, 0));
  EXPECT_FALSE(G.isInLoop(4, 1));
  EXPECT_FALSE(G.isInLoop(0, 0));
  EXPECT_FALSE(G.isInLoop(5, 0));
}

TEST(KernelGraph, LoopHeaders) {
  Values V;
  KernelGraph G = nestedLoops(V);
  BlockList Headers;
  for (BlockId B = 0; B != G.Blocks.size(); ++B)
    if (G.isLoopHeader(B))
      Headers.push_back(B);
  EXPECT_EQ(Headers, (BlockList{1, 2}));
}

TEST(KernelGraph, ReversePostOrderVisitsBlocksBeforeTheirSuccessors) {
  GraphBuilder Build;
  for (unsigned I = 0; I != 4; ++I)
    Build.block();
  // A diamond whose second arm comes last in the code.
  Build.edge(0, 1);
  Build.edge(0, 3);
  Build.edge(1, 2);
  Build.edge(3, 2);
  EXPECT_EQ(Build.finish().reversePostOrder(), (BlockList{0, 3, 1, 2}));
}

TEST(KernelGraph, ReversePostOrderLeavesOutUnreachableBlocks) {
  GraphBuilder Build;
  for (unsigned I = 0; I != 3; ++I)
    Build.block();
  Build.edge(0, 2);
  Build.edge(1, 2);
  EXPECT_EQ(Build.finish().reversePostOrder(), (BlockList{0, 2}));
}

TEST(KernelGraph, LiveAcrossLoopsAndInThem) {
  Values V;
  KernelGraph G = nestedLoops(V);
  EXPECT_TRUE(G.Blocks[0].LiveIn.empty());
  // V[0] passes both loops, V[1] is read in each round, V[2] is written
  // before it is read.
  for (BlockId B : {1, 2, 3})
    EXPECT_EQ(G.Blocks[B].LiveIn, (Values{V[0], V[1]})) << "block " << B;
  EXPECT_EQ(G.Blocks[4].LiveIn, V);
  EXPECT_EQ(G.Blocks[5].LiveIn, (Values{V[0]}));
}

TEST(KernelGraph, LiveOnTheArmThatReads) {
  GraphBuilder Build;
  ValueId A = Build.value();
  Build.block();
  Build.define(A);
  Build.block();
  Build.read(A);
  Build.block();
  Build.edge(0, 1);
  Build.edge(0, 2);
  KernelGraph G = Build.finish();
  EXPECT_EQ(G.Blocks[1].LiveIn, (Values{A}));
  EXPECT_TRUE(G.Blocks[2].LiveIn.empty());
}

} // namespace
