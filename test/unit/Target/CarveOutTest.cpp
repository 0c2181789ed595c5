//===- CarveOutTest.cpp - shared memory beside the L1 cache, by hand ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/Occupancy.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

const SMLimits &sm(unsigned Arch) { return *lookupSMLimits(Arch); }

TEST(CarveOut, IsTheSmallestStepThatHoldsTheBlocks) {
  // (8192 + 1024) * 5 = 46080.
  EXPECT_EQ(carveOutBytes(sm(90), 8192, 5), 65536u);
  EXPECT_EQ(l1Bytes(sm(90), 8192, 5), 196608u);
  // The reserve alone: 8 blocks fill 8 KB exactly, 9 do not fit.
  EXPECT_EQ(carveOutBytes(sm(90), 0, 8), 8192u);
  EXPECT_EQ(carveOutBytes(sm(90), 0, 9), 16384u);
  EXPECT_EQ(carveOutBytes(sm(70), 0, 32), 0u);
  EXPECT_EQ(l1Bytes(sm(70), 0, 32), 131072u);
}

TEST(CarveOut, TuringAlwaysGivesAtLeast32KB) {
  EXPECT_EQ(carveOutBytes(sm(75), 0, 16), 32768u);
  EXPECT_EQ(l1Bytes(sm(75), 0, 16), 65536u);
  EXPECT_EQ(carveOutBytes(sm(75), 32769, 1), 65536u);
}

TEST(CarveOut, LargestStepHoldsExactlyTheSharedMemoryOfTheSM) {
  EXPECT_EQ(carveOutBytes(sm(90), 115712, 2), 233472u);
  EXPECT_EQ(l1Bytes(sm(90), 115712, 2), 28672u);
  EXPECT_EQ(carveOutBytes(sm(90), 115713, 2), NoCarveOut);
  EXPECT_EQ(l1Bytes(sm(90), 115713, 2), 0u);
  EXPECT_EQ(carveOutBytes(sm(90), 232449, 1), NoCarveOut);
  EXPECT_EQ(carveOutBytes(sm(90), ~0u, ~0u), NoCarveOut);
}

} // namespace
