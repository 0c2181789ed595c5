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
  // (8192 + 1024) * 5 = 46080, for which 64 of 256 KB are set aside.
  EXPECT_EQ(l1Bytes(sm(90), 8192, 5), 262144u - 65536);
  // The reserve alone: 8 blocks fill 8 KB exactly, 9 do not fit.
  EXPECT_EQ(l1Bytes(sm(90), 0, 8), 262144u - 8192);
  EXPECT_EQ(l1Bytes(sm(90), 0, 9), 262144u - 16384);
  EXPECT_EQ(l1Bytes(sm(70), 0, 32), 131072u);
}

TEST(CarveOut, TuringAlwaysGivesAtLeast32KB) {
  EXPECT_EQ(l1Bytes(sm(75), 0, 16), 98304u - 32768);
  EXPECT_EQ(l1Bytes(sm(75), 32769, 1), 98304u - 65536);
}

TEST(CarveOut, LargestStepHoldsExactlyTheSharedMemoryOfTheSM) {
  EXPECT_EQ(l1Bytes(sm(90), 115712, 2), 262144u - 233472);
  EXPECT_EQ(l1Bytes(sm(90), 115713, 2), 0u);
  EXPECT_EQ(l1Bytes(sm(90), 232449, 1), 0u);
  EXPECT_EQ(l1Bytes(sm(90), ~0u, ~0u), 0u);
}

// 132 and 164 KB are steps of sm_90's 256.
TEST(CarveOut, MostSharedBytesBesideL1) {
  unsigned Most = sharedBytesBesideL1(sm(90), 8, 110 * 1024);
  EXPECT_EQ(Most, 132 * 1024u / 8 / 128 * 128 - 1024);
  EXPECT_GE(l1Bytes(sm(90), Most, 8), 110 * 1024u);
  EXPECT_LT(l1Bytes(sm(90), Most + 128, 8), 110 * 1024u);
  EXPECT_EQ(sharedBytesBesideL1(sm(90), 8, 257 * 1024), 0u);
  EXPECT_EQ(sharedBytesBesideL1(sm(90), 0, 0), 0u);
}

} // namespace
