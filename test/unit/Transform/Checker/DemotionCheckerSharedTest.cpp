//===- DemotionCheckerSharedTest.cpp - shared memory read again -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of the kernel's own shared memory that are read again there.
//
//===----------------------------------------------------------------------===//

#include "DemotionCheckerKernels.h"

#include <gtest/gtest.h>

using namespace regdem::test;

namespace {

const std::string Read = "    %4:b32 = LD_i32 0, 0, 3, 3, 32, -1, @other, 8 :: "
                         "(load (s32), addrspace 3)\n";

/// What the checker says where Read, after Def10, stands again before Anchor
/// and Between stands before Place.
std::string readAgain(const std::string &Place, const std::string &Between,
                      const std::string &Anchor = Use10,
                      const std::string &First = Read) {
  std::string Original =
      edited(LoopKernel, {after(Def10, First), before(Place, Between)});
  return checkBodies(Original,
                     edited(withPrologue(Original), {before(Anchor, First)}));
}

void rejectsBehind(const std::string &Between) {
  EXPECT_NE(readAgain(Use1, Between)
                .find("expected an instruction that gives "
                      "what it holds"),
            std::string::npos)
      << Between;
}

TEST(DemotionCheckerShared, AcceptsUnchangedMemory) {
  EXPECT_EQ(readAgain(Use1, ""), "");
  EXPECT_EQ(readAgain(Use1, "", LoopBody), "");
}

TEST(DemotionCheckerShared, AcceptsStoreToOtherSpace) {
  EXPECT_EQ(readAgain(Use1, "    ST_i32 %1, 0, 0, 1, 32, %10, 0 :: (store "
                            "(s32), addrspace 1)\n"),
            "");
}

TEST(DemotionCheckerShared, AcceptsBarrierBefore) {
  EXPECT_EQ(readAgain(Def1, "    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0\n"), "");
}

TEST(DemotionCheckerShared, RejectsReadBehindWhatMayChangeIt) {
  rejectsBehind("    BARRIER_CTA_SYNC_ALIGNED_ALL_i 0\n");
  rejectsBehind("    atomic_thread_fence_seq_cst_sys\n");
  rejectsBehind("    INLINEASM &\"\", 1\n");
  rejectsBehind("    ST_i32 %1, 0, 0, 3, 32, @other, 8 :: (store (s32), "
                "addrspace 3)\n");
  rejectsBehind("    ST_i32 %1, 0, 0, 0, 32, %10, 0 :: (store (s32))\n");
  rejectsBehind("    ST_i32 %1, 0, 0, 1, 32, %10, 0\n");
  rejectsBehind("    ST_i32 %1, 8, 0, 1, 32, %10, 0 :: (volatile store (s32), "
                "addrspace 1)\n");
}

TEST(DemotionCheckerShared, RejectsStoreInLoopBehind) {
  std::string Store = "    ST_i32 %1, 0, 0, 3, 32, @other, 8 :: (store (s32), "
                      "addrspace 3)\n";
  EXPECT_NE(readAgain("    %31:b1 = SETP_i32rr %2, %0, 2\n", Store, LoopBody),
            "");
}

TEST(DemotionCheckerShared, RejectsVolatileRead) {
  EXPECT_NE(readAgain(Use1, "", Use10,
                      "    %4:b32 = LD_i32 8, 0, 3, 3, 32, -1, @other, 8 :: "
                      "(volatile load (s32), addrspace 3)\n"),
            "");
}

TEST(DemotionCheckerShared, RejectsOtherPlace) {
  std::string Original = edited(LoopKernel, {after(Def10, Read)});
  EXPECT_NE(checkBodies(
                Original,
                edited(withPrologue(Original),
                       {before(Use10, edited(Read, {{", 8 ::", ", 12 ::"}}))})),
            "");
}

} // namespace
