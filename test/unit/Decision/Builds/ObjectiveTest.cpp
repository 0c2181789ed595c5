//===- ObjectiveTest.cpp - the cap to reach and the room for it -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/Objective.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Options.h"
#include "regdem/Target/SMLimits.h"
#include "gtest/gtest.h"
#include <tuple>

using namespace regdem;

namespace {

KernelFacts factsOf(unsigned Threads) {
  KernelFacts Facts;
  Facts.Arch = 90;
  Facts.Threads = Threads;
  Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  return Facts;
}

std::optional<Objective> stated(const KernelFacts &Facts, const Options &O) {
  return statedObjective(Facts, O, *lookupSMLimits(90));
}

TEST(Objective, NobodyStatesACap) {
  EXPECT_FALSE(stated(factsOf(256), Options()));
}

TEST(Objective, LaunchBoundsStateTheCap) {
  KernelFacts Facts = factsOf(256);
  Facts.MinBlocks = 6;
  auto Goal = stated(Facts, Options());
  ASSERT_TRUE(Goal);
  EXPECT_EQ(Goal->MaxRegs, 40u);
  EXPECT_FALSE(Goal->CapIsNew);
}

// One block of 384 threads leaves each 168 registers, and so does a minimum of
// one block; two of 128 leave all 255.
TEST(Objective, MinimumThatTakesNoRegisterStatesNoCapForAuto) {
  for (auto [Threads, Blocks, Regs] :
       {std::tuple(384u, 1u, 168u), std::tuple(128u, 2u, 255u)}) {
    KernelFacts Facts = factsOf(Threads);
    Facts.MinBlocks = Blocks;
    Options O;
    EXPECT_FALSE(stated(Facts, O));
    O.RunMode = Mode::Demote;
    ASSERT_TRUE(stated(Facts, O));
    EXPECT_EQ(stated(Facts, O)->MaxRegs, Regs);
    EXPECT_FALSE(stated(Facts, O)->CapIsNew);
  }
}

TEST(Objective, LowerOfOptionAndLaunchBoundsHolds) {
  KernelFacts Facts = factsOf(256);
  Facts.MinBlocks = 6;
  Options O;
  O.MaxRegs = 64;
  EXPECT_EQ(stated(Facts, O)->MaxRegs, 40u);
  O.MaxRegs = 32;
  EXPECT_EQ(stated(Facts, O)->MaxRegs, 32u);
  EXPECT_TRUE(stated(Facts, O)->CapIsNew);
}

// A cap of 96 registers would override the 64 that ptxas derives from 1024
// threads, and no launch would succeed.
TEST(Objective, CapLeavesOneBlockLaunchable) {
  Options O;
  O.MaxRegs = 96;
  EXPECT_EQ(stated(factsOf(1024), O)->MaxRegs, 64u);
}

// Of 2048 threads no block is launchable, whatever the cap is.
TEST(Objective, CapStaysWhereNoBlockIsLaunchable) {
  Options O;
  O.MaxRegs = 96;
  EXPECT_EQ(stated(factsOf(2048), O)->MaxRegs, 96u);
  EXPECT_EQ(stated(factsOf(2048), O)->SlotBytes, 0u);
}

TEST(Objective, SlotsTakeNoBlockFromTheSM) {
  KernelFacts Facts = factsOf(256);
  Options O;
  O.MaxRegs = 40; // 6 blocks: 228 KB / 6 = 38 KB, 1 KB of it reserved
  EXPECT_EQ(stated(Facts, O)->maxWords(256), 37u);
}

TEST(Objective, OwnSharedMemoryIsLeftOut) {
  KernelFacts Facts = factsOf(256);
  Facts.StaticShared = 40 * 1024;
  Options O;
  O.MaxRegs = 64;
  EXPECT_EQ(stated(Facts, O)->SlotBytes, 8u * 1024);
}

} // namespace
