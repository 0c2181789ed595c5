//===- SMLimits.cpp - What one streaming multiprocessor offers --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources, by column:
//  - blocks per SM, shared granule, register unit, sub-partitions and carve-out
//    steps: cuda_occupancy.h of CUDA 13.0 (cudaOccMaxBlocksPerMultiprocessor,
//    cudaOccSMemAllocationGranularity, cudaOccRegAllocationGranularity,
//    cudaOccSubPartitionsPerMultiprocessor, cudaOccAlignUpShmemSizeVoltaPlus);
//  - warps per SM, shared memory per SM and per block, registers, unified
//    cache: CUDA Programming Guide, appendix "Compute Capabilities", tables
//    "Device and Streaming Multiprocessor (SM) Information", "Memory
//    Information" and "Shared Memory Capacity" (13.x for 7.5 and later, the
//    CUDA C++ Programming Guide 12.x for 7.0 and 7.2);
//  - the reserve of 1 KB per block since 8.0: NVIDIA Ampere GPU Architecture
//    Tuning Guide, "Unified Shared Memory/L1/Texture Cache".
//
// Two capabilities are in no table of the guide:
//  - 8.8: warps per SM are the largest product of .maxntid and .minnctapersm
//    that ptxas 13.0 accepts for sm_88 (1536 threads); the unified cache is
//    taken to be that of the other parts with the same steps;
//  - 10.1: the name that 11.0 had before CUDA 13.0; the same SM.
//
//===----------------------------------------------------------------------===//

#include "regdem/Target/SMLimits.h"

using namespace llvm;

namespace regdem {

static constexpr unsigned KB = 1024;

static constexpr std::uint16_t StepsVolta[] = {0, 8, 16, 32, 64, 96};
static constexpr std::uint16_t StepsTuring[] = {32, 64};
static constexpr std::uint16_t Steps100[] = {0, 8, 16, 32, 64, 100};
static constexpr std::uint16_t Steps164[] = {0, 8, 16, 32, 64, 100, 132, 164};
static constexpr std::uint16_t Steps228[] = {0,   8,   16,  32,  64,
                                             100, 132, 164, 196, 228};

// clang-format off
static constexpr SMLimits Rows[] = {
    // warps, blocks, shared/SM, opt-in, reserve, granule, unified cache, steps
    { 70, 64, 32,  96 * KB,  96 * KB,    0, 256, 128 * KB, StepsVolta},
    { 72, 64, 32,  96 * KB,  96 * KB,    0, 256, 128 * KB, StepsVolta},
    { 75, 32, 16,  64 * KB,  64 * KB,    0, 256,  96 * KB, StepsTuring},
    { 80, 64, 32, 164 * KB, 163 * KB, 1024, 128, 192 * KB, Steps164},
    { 86, 48, 16, 100 * KB,  99 * KB, 1024, 128, 128 * KB, Steps100},
    { 87, 48, 16, 164 * KB, 163 * KB, 1024, 128, 192 * KB, Steps164},
    { 88, 48, 16, 100 * KB,  99 * KB, 1024, 128, 128 * KB, Steps100},
    { 89, 48, 24, 100 * KB,  99 * KB, 1024, 128, 128 * KB, Steps100},
    { 90, 64, 32, 228 * KB, 227 * KB, 1024, 128, 256 * KB, Steps228},
    {100, 64, 32, 228 * KB, 227 * KB, 1024, 128, 256 * KB, Steps228},
    {101, 48, 24, 228 * KB, 227 * KB, 1024, 128, 256 * KB, Steps228},
    {103, 64, 32, 228 * KB, 227 * KB, 1024, 128, 256 * KB, Steps228},
    {110, 48, 24, 228 * KB, 227 * KB, 1024, 128, 256 * KB, Steps228},
    {120, 48, 24, 100 * KB,  99 * KB, 1024, 128, 128 * KB, Steps100},
    {121, 48, 24, 100 * KB,  99 * KB, 1024, 128, 128 * KB, Steps100},
};
// clang-format on

ArrayRef<SMLimits> allSMLimits() { return Rows; }

const SMLimits *lookupSMLimits(unsigned Arch) {
  for (const SMLimits &Row : Rows)
    if (Row.Arch == Arch)
      return &Row;
  return nullptr;
}

unsigned parseArch(StringRef Name) {
  if (!Name.consume_front("sm_"))
    return 0;
  // The suffixes of architecture-specific and family-specific code.
  if (Name.ends_with("a") || Name.ends_with("f"))
    Name = Name.drop_back();
  if (Name.size() < 2 || Name.size() > 3 || Name.front() == '0')
    return 0;
  unsigned Arch = 0;
  return Name.getAsInteger(10, Arch) ? 0 : Arch;
}

} // namespace regdem
