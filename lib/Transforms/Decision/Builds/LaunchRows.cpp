//===- LaunchRows.cpp - the launches that a build is for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchRows.h"

#include "regdem/Target/Occupancy.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

bool dependsOnBlockSize(const Variant &V) { return V.SmemSpilling; }

/// Bytes of a block of C's build that are static in the program.
static unsigned ownBytes(const LaunchChoice &C) {
  return C.Build.StaticShared - addedBytes(C.Build.ThreadBytes, C.At.Threads);
}

/// Bytes of dynamic shared memory that a launch of C may have of its own: the
/// build keeps its blocks per SM, and the kernel could be launched without
/// opting in to more, as it has not.
static unsigned mostDynamic(const LaunchChoice &C, const SMLimits &Limits) {
  if (C.Build.SmemSpilling)
    return 0; // ptxas has counted on none.
  auto Left = [](unsigned All, unsigned Taken) {
    return All > Taken ? All - Taken : 0;
  };
  unsigned Room = Left(sharedBytesForBlocks(Limits, C.Build.BlocksPerSM),
                       C.Build.StaticShared);
  unsigned Static = std::max(ownBytes(C), C.Stock.StaticShared);
  return static_cast<unsigned>(alignDown(
      std::min(Room, Left(Limits.StaticSharedBytesPerBlock, Static)), 16));
}

static bool gainsAlone(const LaunchChoice &C) {
  return C.Build.LoneCycles > 0 && C.Build.LoneCycles <= C.Stock.LoneCycles;
}

LaunchRow rowFor(const LaunchChoice &C, const SMLimits &Limits) {
  LaunchRow Row;
  Row.FromThreads = leastThreadsLike(C.At.Threads);
  Row.Threads = C.At.Threads;
  Row.Build = 1;
  Row.FillBlocks =
      fillBlocks(C.Build.BlocksPerSM, C.Stock.BlocksPerSM, gainsAlone(C));
  Row.MostDynamic = mostDynamic(C, Limits);
  Row.ThreadBytes = C.Build.ThreadBytes;
  Row.MovesFrame = C.Build.MovedBytes != 0;
  Row.Gain = C.Gain;
  return Row;
}

/// C as it is with blocks of Threads threads.
static LaunchChoice resized(LaunchChoice C, unsigned Threads,
                            const SMLimits &Limits) {
  C.Build.StaticShared = ownBytes(C) + addedBytes(C.Build.ThreadBytes, Threads);
  C.At.Threads = Threads;
  setResidency(C.Build, C.At, Limits);
  setResidency(C.Stock, C.At, Limits);
  return C;
}

/// Whether A has fewer blocks on an SM for each of stock's than B.
static bool hasFewer(const LaunchChoice &A, const LaunchChoice &B) {
  return A.Build.BlocksPerSM * B.Stock.BlocksPerSM <
         B.Build.BlocksPerSM * A.Stock.BlocksPerSM;
}

std::vector<LaunchRow> rowsBetween(const LaunchChoice &Low,
                                   const LaunchChoice &High,
                                   const SMLimits &Limits) {
  std::vector<LaunchRow> Rows;
  if (dependsOnBlockSize(Low.Build))
    return Rows;
  unsigned First = warpsPerBlock(Limits, Low.At.Threads) + 1,
           End = warpsPerBlock(Limits, High.At.Threads);
  for (unsigned Warps = First; Warps < End; ++Warps) {
    LaunchChoice C = resized(Low, Warps * Limits.WarpSize, Limits);
    if (!C.Build.BlocksPerSM || !C.Stock.BlocksPerSM ||
        (hasFewer(C, Low) && hasFewer(C, High)))
      continue;
    if (!gainsAlone(High))
      C.Build.LoneCycles = 0;
    C.Gain = std::min(Low.Gain, High.Gain);
    LaunchRow Row = rowFor(C, Limits);
    if (Rows.empty() || Rows.back().Threads + 1 != Row.FromThreads) {
      Rows.push_back(Row);
      continue;
    }
    LaunchRow &All = Rows.back();
    All.Threads = Row.Threads;
    All.FillBlocks = std::max(All.FillBlocks, Row.FillBlocks);
    All.MostDynamic = std::min(All.MostDynamic, Row.MostDynamic);
  }
  return Rows;
}

} // namespace regdem
