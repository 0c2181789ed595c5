//===- OccupancyTest.cpp - Occupancy, by hand -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are worked out by hand from the limits in the CUDA
// Programming Guide; the sums are in the comments. OccupancyVsToolkitTest
// compares all others with NVIDIA's own calculation.
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

TEST(Occupancy, OneWarpBlocks) {
  // 256 * 32 = 8192 a warp: 2 a partition.
  expectResidency(occupancy(90, 255, 32), 8, 8, Limiter::Registers);
  // 16 * 32 = 512 a warp: 32 a partition; the 32 block slots bind first.
  expectResidency(occupancy(90, 16, 32), 32, 32, Limiter::Blocks);
  expectResidency(occupancy(75, 16, 32), 16, 16, Limiter::Blocks);
  expectResidency(occupancy(89, 16, 1), 24, 24, Limiter::Blocks);
}

TEST(Occupancy, SharedMemoryLimits) {
  // 49152 + 1024 = 50176 a block. 233472 / 50176 = 4, 167936 / 50176 = 3.
  expectResidency(occupancy(90, 32, 256, 49152), 4, 32, Limiter::SharedMemory);
  expectResidency(occupancy(80, 32, 256, 49152), 3, 24, Limiter::SharedMemory);
  // No reserve before 8.0: 98304 / 49152 and 65536 / 49152.
  expectResidency(occupancy(70, 32, 256, 49152), 2, 16, Limiter::SharedMemory);
  expectResidency(occupancy(75, 32, 256, 49152), 1, 8, Limiter::SharedMemory);
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

TEST(SharedBytesForBlocks, IsZeroForImpossibleNumbersOfBlocks) {
  EXPECT_EQ(sharedBytesForBlocks(sm(90), 0), 0u);
  EXPECT_EQ(sharedBytesForBlocks(sm(90), 33), 0u);
  EXPECT_EQ(sharedBytesForBlocks(sm(75), 17), 0u);
}

TEST(OccupancySteps, WholeWarpBlocks) {
  expectSteps(
      occupancySteps(sm(90), 256),
      {{1, 255}, {2, 128}, {3, 80}, {4, 64}, {5, 48}, {6, 40}, {8, 32}});
  expectSteps(occupancySteps(sm(75), 256),
              {{1, 255}, {2, 128}, {3, 80}, {4, 64}});
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
