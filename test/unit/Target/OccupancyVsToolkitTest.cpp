//===- OccupancyVsToolkitTest.cpp - Agreement with CUDA's -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares Occupancy with the occupancy calculator of the CUDA toolkit. Built
// only where cuda_occupancy.h is found. The devices below are written out in
// the units of cudaDeviceProp and do not come from SMLimits, so that a wrong
// row there shows up as a difference.
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/Occupancy.h"
#include "gtest/gtest.h"
#include <cuda_occupancy.h>
#include <iterator>
#include <string>

using namespace regdem;

namespace {

struct Device {
  int Major, Minor;
  int ThreadsPerSM;
  size_t SharedPerSM, SharedOptIn, Reserved;
};

constexpr Device Devices[] = {
    {7, 0, 2048, 98304, 98304, 0},       {7, 2, 2048, 98304, 98304, 0},
    {7, 5, 1024, 65536, 65536, 0},       {8, 0, 2048, 167936, 166912, 1024},
    {8, 6, 1536, 102400, 101376, 1024},  {8, 7, 1536, 167936, 166912, 1024},
    {8, 8, 1536, 102400, 101376, 1024},  {8, 9, 1536, 102400, 101376, 1024},
    {9, 0, 2048, 233472, 232448, 1024},  {10, 0, 2048, 233472, 232448, 1024},
    {10, 1, 1536, 233472, 232448, 1024}, {10, 3, 2048, 233472, 232448, 1024},
    {11, 0, 1536, 233472, 232448, 1024}, {12, 0, 1536, 102400, 101376, 1024},
    {12, 1, 1536, 102400, 101376, 1024},
};

constexpr unsigned BlockSizes[] = {1,   31,  32,  33,  64,  96,   100,
                                   128, 160, 192, 255, 256, 288,  320,
                                   384, 512, 640, 768, 992, 1024, 1025};

/// Static and dynamic bytes of a block.
constexpr unsigned SharedSizes[][2] = {
    {0, 0},         {1, 0},      {0, 127},       {128, 0},    {2048, 1000},
    {6272, 1},      {12345, 0},  {16384, 16384}, {49152, 0},  {49152, 1024},
    {0, 65536},     {0, 65537},  {1024, 98304},  {0, 101376}, {0, 101377},
    {4096, 162816}, {0, 166913}, {0, 232448},    {1, 232448}, {49152, 183296}};

cudaOccDeviceProp properties(const Device &D) {
  cudaOccDeviceProp P;
  P.computeMajor = D.Major;
  P.computeMinor = D.Minor;
  P.maxThreadsPerBlock = 1024;
  P.maxThreadsPerMultiprocessor = D.ThreadsPerSM;
  P.regsPerBlock = 65536;
  P.regsPerMultiprocessor = 65536;
  P.warpSize = 32;
  P.sharedMemPerBlock = 49152;
  P.sharedMemPerMultiprocessor = D.SharedPerSM;
  P.numSms = 1;
  P.sharedMemPerBlockOptin = D.SharedOptIn;
  P.reservedSharedMemPerBlock = D.Reserved;
  return P;
}

/// The toolkit's answer for a kernel that opted in to all shared memory.
cudaOccResult toolkit(const cudaOccDeviceProp &P, unsigned Regs,
                      unsigned Threads, unsigned Static, unsigned Dynamic) {
  cudaOccFuncAttributes A;
  A.maxThreadsPerBlock = 1024;
  A.numRegs = static_cast<int>(Regs);
  A.sharedSizeBytes = Static;
  A.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  A.maxDynamicSharedSizeBytes = P.sharedMemPerBlockOptin - Static;
  A.numBlockBarriers = 1;
  cudaOccDeviceState S;
  cudaOccResult R = {};
  EXPECT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(
                &R, &P, &A, &S, static_cast<int>(Threads), Dynamic),
            CUDA_OCC_SUCCESS);
  return R;
}

unsigned toolkitBlocks(const cudaOccDeviceProp &P, unsigned Regs,
                       unsigned Threads, unsigned Static, unsigned Dynamic) {
  cudaOccResult R = toolkit(P, Regs, Threads, Static, Dynamic);
  return static_cast<unsigned>(R.activeBlocksPerMultiprocessor);
}

class OccupancyVsToolkit : public testing::TestWithParam<Device> {
protected:
  void SetUp() override {
    P = properties(GetParam());
    Arch = static_cast<unsigned>(P.computeMajor * 10 + P.computeMinor);
    L = lookupSMLimits(Arch);
    ASSERT_NE(L, nullptr) << "sm_" << Arch;
  }

  cudaOccDeviceProp P;
  const SMLimits *L = nullptr;
  unsigned Arch = 0;
};

TEST_P(OccupancyVsToolkit, BlocksPerSM) {
  for (unsigned Regs = 0; Regs <= 255; ++Regs)
    for (unsigned Threads : BlockSizes)
      for (const auto &[Static, Dynamic] : SharedSizes) {
        Occupancy O = computeOccupancy(*L, {Regs, Threads, Static, Dynamic});
        ASSERT_EQ(O.BlocksPerSM,
                  toolkitBlocks(P, Regs, Threads, Static, Dynamic))
            << "sm_" << Arch << ", " << Regs << " registers, " << Threads
            << " threads, " << Static << " + " << Dynamic << " bytes";
      }
}

TEST_P(OccupancyVsToolkit, BlocksByEachLimiter) {
  for (unsigned Regs = 1; Regs <= 255; ++Regs)
    for (unsigned Threads = 32; Threads <= 1024; Threads += 32) {
      Occupancy O = computeOccupancy(*L, {Regs, Threads, 5000, 0});
      cudaOccResult R = toolkit(P, Regs, Threads, 5000, 0);
      ASSERT_EQ(O.BlocksByRegisters, static_cast<unsigned>(R.blockLimitRegs));
      ASSERT_EQ(O.BlocksBySharedMemory,
                static_cast<unsigned>(R.blockLimitSharedMem));
      ASSERT_EQ(O.BlocksByWarps, static_cast<unsigned>(R.blockLimitWarps));
      ASSERT_EQ(O.BlocksBySlots, static_cast<unsigned>(R.blockLimitBlocks));
    }
}

TEST_P(OccupancyVsToolkit, RegisterCapIsTheLargestThatReachesTheBlocks) {
  for (unsigned Threads = 1; Threads <= 1024; ++Threads)
    for (unsigned Blocks = 1; Blocks <= 33; ++Blocks) {
      unsigned Regs = maxRegsForBlocks(*L, Threads, Blocks);
      if (Regs == 0) {
        ASSERT_LT(toolkitBlocks(P, 1, Threads, 0, 0), Blocks)
            << "sm_" << Arch << ", " << Threads << " threads";
        continue;
      }
      ASSERT_GE(toolkitBlocks(P, Regs, Threads, 0, 0), Blocks)
          << "sm_" << Arch << ", " << Threads << " threads";
      // The toolkit takes 256 registers for possible, which no thread can use.
      if (Regs < 255) {
        ASSERT_LT(toolkitBlocks(P, Regs + 1, Threads, 0, 0), Blocks)
            << "sm_" << Arch << ", " << Threads << " threads";
      }
    }
}

TEST_P(OccupancyVsToolkit, SharedBytesAreTheMostThatReachTheBlocks) {
  unsigned Most = toolkitBlocks(P, 16, 32, 0, 0);
  for (unsigned Blocks = 1; Blocks <= Most; ++Blocks) {
    unsigned Bytes = sharedBytesForBlocks(*L, Blocks);
    EXPECT_GE(toolkitBlocks(P, 16, 32, 0, Bytes), Blocks) << "sm_" << Arch;
    EXPECT_LT(toolkitBlocks(P, 16, 32, 0, Bytes + 1), Blocks) << "sm_" << Arch;
  }
  EXPECT_EQ(sharedBytesForBlocks(*L, Most + 1), 0u) << "sm_" << Arch;
}

TEST_P(OccupancyVsToolkit, CarveOutIsTheStepTheDriverWouldTake) {
  for (unsigned Bytes = 0; Bytes <= P.sharedMemPerBlockOptin; Bytes += 61)
    for (unsigned Blocks = 1; Blocks <= 32; ++Blocks) {
      size_t Allocated =
          toolkit(P, 16, 32, 0, Bytes).allocatedSharedMemPerBlock;
      size_t Size = Allocated * Blocks;
      bool Fits =
          cudaOccAlignUpShmemSizeVoltaPlus(&Size, &P) == CUDA_OCC_SUCCESS;
      ASSERT_EQ(l1Bytes(*L, Bytes, Blocks),
                Fits ? L->UnifiedCacheBytes - Size : 0)
          << "sm_" << Arch << ", " << Blocks << " blocks of " << Bytes;
    }
}

INSTANTIATE_TEST_SUITE_P(AllDevices, OccupancyVsToolkit,
                         testing::ValuesIn(Devices),
                         [](const testing::TestParamInfo<Device> &Info) {
                           return "sm_" + std::to_string(Info.param.Major) +
                                  std::to_string(Info.param.Minor);
                         });

TEST(OccupancyVsToolkitTable, EveryRowIsCompared) {
  ASSERT_EQ(allSMLimits().size(), std::size(Devices));
  for (size_t I = 0; I < std::size(Devices); ++I)
    EXPECT_EQ(allSMLimits()[I].Arch,
              static_cast<unsigned>(Devices[I].Major * 10 + Devices[I].Minor));
}

} // namespace
