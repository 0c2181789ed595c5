//===- OccupancyTest.cpp - Occupancy, by hand -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are worked out by hand from the limits in the CUDA
// Programming Guide; the sums are in the comments.
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/Occupancy.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace occupancy {

const SMLimits &sm(unsigned Arch) {
  const SMLimits *L = lookupSMLimits(Arch);
  if (!L)
    ADD_FAILURE() << "no row for sm_" << Arch;
  return L ? *L : allSMLimits().front();
}

Occupancy occupancy(unsigned Arch, unsigned Regs, unsigned Threads,
                    unsigned Static = 0, unsigned Dynamic = 0) {
  return computeOccupancy(sm(Arch), {Regs, Threads, Static, Dynamic});
}

void expectResidency(const Occupancy &O, unsigned Blocks, unsigned Warps,
                     Limiter Limit) {
  EXPECT_EQ(O.BlocksPerSM, Blocks);
  EXPECT_EQ(O.WarpsPerSM, Warps);
  EXPECT_EQ(toString(O.Limit).str(), toString(Limit).str());
}

void expectSteps(const std::vector<OccupancyStep> &Actual,
                 const std::vector<OccupancyStep> &Expected) {
  ASSERT_EQ(Actual.size(), Expected.size());
  for (size_t I = 0; I < Expected.size(); ++I) {
    EXPECT_EQ(Actual[I].Blocks, Expected[I].Blocks) << "step " << I;
    EXPECT_EQ(Actual[I].MaxRegs, Expected[I].MaxRegs) << "step " << I;
  }
}

TEST(Occupancy, LimiterNames) {
  EXPECT_EQ(toString(Limiter::Registers), "registers");
  EXPECT_EQ(toString(Limiter::SharedMemory), "shared memory");
  EXPECT_EQ(toString(Limiter::Warps), "warps");
  EXPECT_EQ(toString(Limiter::Blocks), "blocks");
  EXPECT_EQ(toString(Limiter::TooLarge), "none fits");
}

TEST(Occupancy, RegistersLimit) {
  // 40 * 32 = 1280 a warp; 16384 / 1280 = 12 warps in each of 4 partitions.
  Occupancy O = occupancy(90, 40, 256);
  expectResidency(O, 6, 48, Limiter::Registers);
  EXPECT_EQ(O.BlocksByRegisters, 6u);
  EXPECT_EQ(O.BlocksByWarps, 8u);
  EXPECT_EQ(O.BlocksBySlots, 32u);
  EXPECT_EQ(O.BlocksBySharedMemory, 228u); // The reserve alone: 1 KB a block.
}

TEST(Occupancy, RegistersAreRoundedUpToEightPerThread) {
  // 41 takes 48: 16384 / 1536 = 10 warps a partition, 40 in all.
  expectResidency(occupancy(90, 41, 256), 5, 40, Limiter::Registers);
  expectResidency(occupancy(90, 48, 256), 5, 40, Limiter::Registers);
}

TEST(Occupancy, APartitionHoldsWholeWarps) {
  // 5 warps a block. 96 * 32 = 3072: 5 warps a partition, 20 in all, although
  // 65536 / 3072 is 21. 97 takes 104: 4 a partition, 16 in all.
  expectResidency(occupancy(90, 96, 160), 4, 20, Limiter::Registers);
  expectResidency(occupancy(90, 97, 160), 3, 15, Limiter::Registers);
}

TEST(Occupancy, OneWarpBlocks) {
  // 256 * 32 = 8192 a warp: 2 a partition.
  expectResidency(occupancy(90, 255, 32), 8, 8, Limiter::Registers);
  // 16 * 32 = 512 a warp: 32 a partition; the 32 block slots bind first.
  expectResidency(occupancy(90, 16, 32), 32, 32, Limiter::Blocks);
  expectResidency(occupancy(75, 16, 32), 16, 16, Limiter::Blocks);
  expectResidency(occupancy(89, 16, 1), 24, 24, Limiter::Blocks);
}

TEST(Occupancy, LargestBlocks) {
  expectResidency(occupancy(90, 32, 1024), 2, 64, Limiter::Warps);
  expectResidency(occupancy(90, 64, 1024), 1, 32, Limiter::Registers);
  expectResidency(occupancy(86, 64, 1024), 1, 32, Limiter::Warps);
  // 65 takes 72: 16384 / 2304 = 7 warps a partition, 28 < 32.
  expectResidency(occupancy(90, 65, 1024), 0, 0, Limiter::TooLarge);
}

TEST(Occupancy, PartialWarpsCountAsWhole) {
  // 33 threads are 2 warps. 40 registers: 12 warps a partition, 48 in all.
  expectResidency(occupancy(90, 40, 33), 24, 48, Limiter::Registers);
  // 1000 threads are 32 warps.
  expectResidency(occupancy(90, 33, 1000), 1, 32, Limiter::Registers);
}

TEST(Occupancy, SharedMemoryLimits) {
  // 49152 + 1024 = 50176 a block. 233472 / 50176 = 4, 167936 / 50176 = 3.
  expectResidency(occupancy(90, 32, 256, 49152), 4, 32, Limiter::SharedMemory);
  expectResidency(occupancy(80, 32, 256, 49152), 3, 24, Limiter::SharedMemory);
  // No reserve before 8.0: 98304 / 49152 and 65536 / 49152.
  expectResidency(occupancy(70, 32, 256, 49152), 2, 16, Limiter::SharedMemory);
  expectResidency(occupancy(75, 32, 256, 49152), 1, 8, Limiter::SharedMemory);
}

TEST(Occupancy, SharedMemoryIsRoundedUpToItsGranule) {
  // 1 + 1024 takes 1152: 233472 / 1152 = 202. On 7.5, 1 takes 256.
  EXPECT_EQ(occupancy(90, 32, 32, 1).BlocksBySharedMemory, 202u);
  EXPECT_EQ(occupancy(75, 32, 32, 1).BlocksBySharedMemory, 256u);
}

TEST(Occupancy, StaticAndDynamicSharedMemoryAddUp) {
  expectResidency(occupancy(90, 32, 256, 16384, 32768), 4, 32,
                  Limiter::SharedMemory);
}

TEST(Occupancy, ABlockMayOptInToAllSharedMemory) {
  expectResidency(occupancy(90, 32, 256, 0, 232448), 1, 8,
                  Limiter::SharedMemory);
  expectResidency(occupancy(90, 32, 256, 0, 232449), 0, 0, Limiter::TooLarge);
  expectResidency(occupancy(90, 32, 256, 1024, 231425), 0, 0,
                  Limiter::TooLarge);
}

TEST(Occupancy, WhatPtxasTakesOfStaticSharedMemoryIsNoLimit) {
  // A frame that is moved in the binary: 100000 + 1024 twice in 233472.
  expectResidency(occupancy(90, 32, 256, 100000), 2, 16, Limiter::SharedMemory);
  Occupancy O = occupancy(90, 32, 256, 232449);
  expectResidency(O, 0, 0, Limiter::TooLarge);
  EXPECT_EQ(O.BlocksBySharedMemory, 0u);
  EXPECT_EQ(O.BlocksByRegisters, 8u);
}

TEST(Occupancy, HugeSharedMemoryDoesNotWrapAround) {
  expectResidency(occupancy(90, 32, 256, 49152, ~0u - 1024), 0, 0,
                  Limiter::TooLarge);
}

TEST(Occupancy, NoSharedMemoryAndNoReserveDoesNotLimit) {
  EXPECT_EQ(occupancy(75, 32, 256).BlocksBySharedMemory, UnlimitedBlocks);
}

TEST(Occupancy, ZeroRegistersDoNotLimit) {
  Occupancy O = occupancy(90, 0, 256);
  EXPECT_EQ(O.BlocksByRegisters, UnlimitedBlocks);
  expectResidency(O, 8, 64, Limiter::Warps);
}

TEST(Occupancy, NoBlockFitsOutsideTheLaunchLimits) {
  expectResidency(occupancy(90, 32, 0), 0, 0, Limiter::TooLarge);
  expectResidency(occupancy(90, 32, 1025), 0, 0, Limiter::TooLarge);
  expectResidency(occupancy(90, 32, ~0u), 0, 0, Limiter::TooLarge);
  expectResidency(occupancy(90, 256, 32), 0, 0, Limiter::TooLarge);
  expectResidency(occupancy(90, ~0u, 32), 0, 0, Limiter::TooLarge);
}

TEST(Occupancy, OfEqualLimitsRegistersAreNamedLast) {
  // Registers and warps both allow 8 blocks.
  expectResidency(occupancy(90, 32, 256), 8, 64, Limiter::Warps);
  // Registers and shared memory both allow 4: (57344 + 1024) * 4 = 233472.
  expectResidency(occupancy(90, 64, 256, 0, 57344), 4, 32,
                  Limiter::SharedMemory);
  // Warps and block slots both allow 32.
  expectResidency(occupancy(90, 32, 64), 32, 64, Limiter::Warps);
}

TEST(Occupancy, RegistersAreNamedOnlyIfFewerWouldAddABlock) {
  for (const SMLimits &L : allSMLimits())
    for (unsigned Threads = 32; Threads <= 1024; Threads += 32)
      for (unsigned Regs = 1; Regs <= 255; ++Regs)
        for (unsigned Shared : {0u, 8192u, 20000u}) {
          Occupancy O = computeOccupancy(L, {Regs, Threads, Shared, 0});
          unsigned Free =
              computeOccupancy(L, {0, Threads, Shared, 0}).BlocksPerSM;
          if (O.BlocksPerSM != 0) {
            ASSERT_EQ(O.Limit == Limiter::Registers, Free > O.BlocksPerSM)
                << "sm_" << L.Arch << ' ' << Threads << ' ' << Regs;
          }
        }
}

TEST(MaxRegsForBlocks, HandComputed) {
  EXPECT_EQ(maxRegsForBlocks(sm(90), 256, 4), 64u);
  EXPECT_EQ(maxRegsForBlocks(sm(90), 256, 5), 48u);
  EXPECT_EQ(maxRegsForBlocks(sm(90), 256, 8), 32u);
  // 9 one-warp blocks: 3 in one partition, 64 units of 256 / 3 = 21.
  EXPECT_EQ(maxRegsForBlocks(sm(90), 32, 9), 168u);
  EXPECT_EQ(maxRegsForBlocks(sm(90), 1024, 1), 64u);
  EXPECT_EQ(maxRegsForBlocks(sm(75), 256, 4), 64u);
}

TEST(MaxRegsForBlocks, IsThe255ThatAThreadCanNameWhere256WouldFit) {
  EXPECT_EQ(maxRegsForBlocks(sm(90), 256, 1), 255u);
  EXPECT_EQ(maxRegsForBlocks(sm(90), 32, 8), 255u);
}

TEST(MaxRegsForBlocks, IsZeroWhereNoRegisterCountHelps) {
  EXPECT_EQ(maxRegsForBlocks(sm(90), 256, 9), 0u); // 72 warps
  EXPECT_EQ(maxRegsForBlocks(sm(90), 32, 33), 0u); // 33 block slots
  EXPECT_EQ(maxRegsForBlocks(sm(86), 1024, 2), 0u);
  EXPECT_EQ(maxRegsForBlocks(sm(90), 0, 1), 0u);
  EXPECT_EQ(maxRegsForBlocks(sm(90), 1025, 1), 0u);
  EXPECT_EQ(maxRegsForBlocks(sm(90), 256, 0), 0u);
  EXPECT_EQ(maxRegsForBlocks(sm(90), 1024, ~0u), 0u);
}

TEST(MaxRegsForBlocks, IsTheLargestCountThatFits) {
  for (const SMLimits &L : allSMLimits())
    for (unsigned Threads = 1; Threads <= 1024; ++Threads)
      for (unsigned Blocks = 1; Blocks <= L.MaxBlocksPerSM; ++Blocks) {
        unsigned Regs = maxRegsForBlocks(L, Threads, Blocks);
        if (Regs == 0) {
          ASSERT_GT(Blocks, computeOccupancy(L, {1, Threads, 0, 0}).BlocksPerSM)
              << "sm_" << L.Arch << ' ' << Threads;
          continue;
        }
        ASSERT_TRUE(Regs % 8 == 0 || Regs == 255) << Regs;
        ASSERT_GE(computeOccupancy(L, {Regs, Threads, 0, 0}).BlocksPerSM,
                  Blocks);
        ASSERT_LT(computeOccupancy(L, {Regs + 1, Threads, 0, 0}).BlocksPerSM,
                  Blocks);
      }
}

TEST(SharedBytesForBlocks, HandComputed) {
  EXPECT_EQ(sharedBytesForBlocks(sm(90), 1), 232448u);
  EXPECT_EQ(sharedBytesForBlocks(sm(90), 4), 57344u); // 58368 less 1024
  // 233472 / 5 = 46694, in granules 46592, less 1024.
  EXPECT_EQ(sharedBytesForBlocks(sm(90), 5), 45568u);
  EXPECT_EQ(sharedBytesForBlocks(sm(90), 32), 6272u);
  // 65536 / 3 = 21845, in granules of 256 21760, no reserve.
  EXPECT_EQ(sharedBytesForBlocks(sm(75), 3), 21760u);
}

TEST(SharedBytesForBlocks, IsZeroForImpossibleNumbersOfBlocks) {
  EXPECT_EQ(sharedBytesForBlocks(sm(90), 0), 0u);
  EXPECT_EQ(sharedBytesForBlocks(sm(90), 33), 0u);
  EXPECT_EQ(sharedBytesForBlocks(sm(75), 17), 0u);
}

TEST(SharedBytesForBlocks, IsTheLargestSizeThatFits) {
  for (const SMLimits &L : allSMLimits())
    for (unsigned Blocks = 1; Blocks <= L.MaxBlocksPerSM; ++Blocks) {
      unsigned Bytes = sharedBytesForBlocks(L, Blocks);
      EXPECT_GE(computeOccupancy(L, {1, 32, 0, Bytes}).BlocksPerSM, Blocks)
          << "sm_" << L.Arch;
      EXPECT_LT(computeOccupancy(L, {1, 32, 0, Bytes + 1}).BlocksPerSM, Blocks)
          << "sm_" << L.Arch;
    }
}

TEST(OccupancySteps, WholeWarpBlocks) {
  expectSteps(
      occupancySteps(sm(90), 256),
      {{1, 255}, {2, 128}, {3, 80}, {4, 64}, {5, 48}, {6, 40}, {8, 32}});
  expectSteps(occupancySteps(sm(75), 256),
              {{1, 255}, {2, 128}, {3, 80}, {4, 64}});
}

TEST(OccupancySteps, OddBlockSize) {
  expectSteps(occupancySteps(sm(90), 33), {{4, 255},
                                           {6, 168},
                                           {8, 128},
                                           {10, 96},
                                           {12, 80},
                                           {14, 72},
                                           {16, 64},
                                           {18, 56},
                                           {20, 48},
                                           {24, 40},
                                           {32, 32}});
}

TEST(OccupancySteps, OneWarpBlocksStopAtTheBlockSlots) {
  expectSteps(occupancySteps(sm(86), 32), {{8, 255}, {12, 168}, {16, 128}});
}

TEST(OccupancySteps, LargestBlock) {
  expectSteps(occupancySteps(sm(90), 1024), {{1, 64}, {2, 32}});
  expectSteps(occupancySteps(sm(86), 1024), {{1, 64}});
}

TEST(OccupancySteps, NoneForAnImpossibleBlockSize) {
  EXPECT_TRUE(occupancySteps(sm(90), 0).empty());
  EXPECT_TRUE(occupancySteps(sm(90), 1025).empty());
}

} // namespace occupancy
