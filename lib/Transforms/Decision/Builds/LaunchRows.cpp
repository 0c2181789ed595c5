//===- LaunchRows.cpp - the launches that a build is for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchRows.h"

#include "regdem/Constants.h"
#include "regdem/Target/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace regdem {

/// As how many cycles each counts that a build is expected to take: what builds
/// risk at most.
static double launchFactor() { return 1 + Tuned.SpillMargin; }

bool paysAtLaunch(const Build &V, const Build &Stock) {
  return launchFactor() * V.Cycles < Stock.Cycles;
}

/// The same where several blocks share an SM: how long stock's last round takes
/// is less sure than what pays on full SMs.
static double factorOfRounds(const Build &V, const Build &Stock) {
  return paysAtLaunch(V, Stock) ? launchFactor() : 1 + Tuned.RoundMargin;
}

SmallGrid bestSmallGrid(const Build &V, const Build &Stock) {
  SmallGrid Best;
  if (!V.LoneCycles || !Stock.LoneCycles)
    return Best;
  auto Try = [&](unsigned OnSM, double Factor) {
    double Its = cyclesFor(V, OnSM, /*IsWorst=*/true),
           Stocks = cyclesFor(Stock, OnSM, /*IsWorst=*/false);
    if (Factor * Its < Stocks && 1 - Its / Stocks > Best.Gain)
      Best = {OnSM, 1 - Its / Stocks};
  };
  Try(1, launchFactor());
  for (unsigned OnSM = Stock.BlocksPerSM + 1; OnSM <= V.BlocksPerSM; ++OnSM)
    Try(OnSM, factorOfRounds(V, Stock));
  return Best;
}

double gainAtLaunch(const Build &V, const Build &Stock) {
  return paysAtLaunch(V, Stock) ? 1 - V.Cycles / Stock.Cycles
                                : bestSmallGrid(V, Stock).Gain;
}

/// Bytes of a block of C's build that are static in the program.
static unsigned ownBytes(const LaunchChoice &C) {
  return C.Chosen.StaticShared - addedBytes(C.Chosen.ThreadBytes, C.At.Threads);
}

/// Bytes of dynamic shared memory that a launch of C may have of its own: the
/// build keeps its blocks per SM, and the kernel could be launched without
/// opting in to more, as it has not.
static unsigned mostDynamic(const LaunchChoice &C, const SMLimits &Limits) {
  // Such a build is for blocks of one size, because its shared memory is: ptxas
  // asks for as much as all threads need, and counts on no other.
  if (C.Chosen.SmemSpilling)
    return 0;
  auto Left = [](unsigned All, unsigned Taken) {
    return All > Taken ? All - Taken : 0;
  };
  unsigned Room = Left(sharedBytesForBlocks(Limits, C.Chosen.BlocksPerSM),
                       C.Chosen.StaticShared);
  unsigned Static = std::max(ownBytes(C), C.Stock.StaticShared);
  return static_cast<unsigned>(alignDown(
      std::min(Room, Left(Limits.StaticSharedBytesPerBlock, Static)), 16));
}

/// Whether a launch of Chosen may become another one, with any block and grid
/// with which Stock can be launched. ptxas's own spilling is for blocks of one
/// size; more registers or shared memory leave no room for some blocks.
static bool takesAnyLaunch(const Build &Chosen, const Build &Stock) {
  return !Chosen.ThreadBytes && !Chosen.SmemSpilling &&
         Chosen.Regs <= Stock.Regs && Chosen.StaticShared <= Stock.StaticShared;
}

/// What is expected of V, times OfOne for a block by itself and OfRound for
/// more. Where nothing is known of one by itself, it takes as long as a full
/// SM's.
static BlockTimes timesOf(const Build &V, double OfOne, double OfRound) {
  auto Rounded = [](double Cycles) {
    return static_cast<unsigned>(
        std::lround(std::clamp(Cycles, 1.0, double(MostCycles))));
  };
  double Full = OfRound * V.Cycles * V.BlocksPerSM;
  double Alone = V.LoneCycles ? std::min(OfOne * V.LoneCycles, Full) : Full;
  return {V.BlocksPerSM, Rounded(Alone), Rounded(Full)};
}

double cyclesFor(const Build &V, unsigned OnSM, bool IsWorst) {
  double Full = V.Cycles * V.BlocksPerSM;
  double Alone = std::min(V.LoneCycles, Full);
  unsigned Rounds = OnSM / V.BlocksPerSM, Rest = OnSM % V.BlocksPerSM;
  if (!Rest)
    return Rounds * Full;
  if (Rounds && IsWorst)
    return (Rounds + 1) * Full;
  double More = V.BlocksPerSM == 1 ? 0 : (Full - Alone) / (V.BlocksPerSM - 1);
  return Rounds * Full + Alone + More * (Rest - 1);
}

/// Whether blocks of V take no longer than Stock's, however many of them an SM
/// gets, and so whatever the grid and however much shared memory it leaves
/// them.
static bool isNeverSlower(const Build &V, const Build &Stock) {
  double Equal = 1 + Tuned.Margin;
  if (V.LoneCycles > Stock.LoneCycles * Equal ||
      V.Cycles > Stock.Cycles * Equal)
    return false;
  // With as many blocks, rounds end alike.
  if (V.BlocksPerSM >= Stock.BlocksPerSM)
    return true;
  for (unsigned OnSM = 1; OnSM <= V.BlocksPerSM * Stock.BlocksPerSM; ++OnSM)
    if (cyclesFor(V, OnSM, /*IsWorst=*/true) >
        cyclesFor(Stock, OnSM, /*IsWorst=*/false) * Equal)
      return false;
  return true;
}

bool mayReplaceByFigures(const Build &V, const Build &Stock,
                         const SMLimits &Limits) {
  // Expected cycles are too rough to have spill code, or fewer blocks, for some
  // instructions.
  bool LosesFrame = V.FrameBytes < Stock.FrameBytes;
  if (V.Regs > mostLaunchable(Stock, Limits) ||
      V.StaticShared > Stock.StaticShared ||
      (V.spillBytes() > Stock.spillBytes() && !LosesFrame))
    return false;
  return !Stock.BlocksPerSM ||
         (V.BlocksPerSM && (V.BlocksPerSM >= Stock.BlocksPerSM || LosesFrame));
}

bool mayReplace(const Build &V, const Build &Stock, const SMLimits &Limits) {
  if (!mayReplaceByFigures(V, Stock, Limits))
    return false;
  return !Stock.BlocksPerSM ||
         (V.LoneCycles && Stock.LoneCycles && isNeverSlower(V, Stock));
}

/// The row for launches of C's shared memory, for build number 1.
static LaunchRow rowFor(const LaunchChoice &C, const SMLimits &Limits) {
  LaunchRow Row;
  Row.FromThreads = leastThreadsLike(C.At.Threads);
  Row.Threads = C.At.Threads;
  Row.Build = 1;
  Row.MostDynamic = mostDynamic(C, Limits);
  Row.ThreadBytes = C.Chosen.ThreadBytes;
  Row.AnyLaunch = takesAnyLaunch(C.Chosen, C.Stock);
  Row.MayWait = C.MayWait;
  Row.Gain = C.Gain;
  Row.Own =
      timesOf(C.Chosen, launchFactor(), factorOfRounds(C.Chosen, C.Stock));
  Row.Stock = timesOf(C.Stock, 1, 1);
  if (C.Stock.BlocksPerSM)
    return Row;
  Row.OnlyBuild = true;
  Row.Stock = Row.Own; // There is nothing to compare.
  // Smaller blocks with which stock cannot be launched either take it, too.
  Launch Smaller = C.At;
  for (Smaller.Threads = Row.FromThreads - 1; Smaller.Threads;
       Smaller.Threads -= Limits.WarpSize) {
    if (residencyAt(Smaller, C.Stock, Limits).BlocksPerSM)
      break;
    Row.FromThreads = leastThreadsLike(Smaller.Threads);
  }
  return Row;
}

/// V with fewer blocks on an SM than it is predicted for.
static Build withFewerBlocks(Build V, unsigned Blocks) {
  double Full = cyclesFor(V, Blocks, /*IsWorst=*/false);
  V.BlocksPerSM = Blocks;
  V.Cycles = Full / Blocks;
  return V;
}

/// C where launches have a little more dynamic shared memory than Dynamic
/// bytes; none where an SM has no room for a block of either then.
static std::optional<LaunchChoice> beyond(LaunchChoice C, unsigned Dynamic,
                                          const SMLimits &Limits) {
  C.At.DynamicShared = Dynamic + 1;
  for (Build *V : {&C.Chosen, &C.Stock}) {
    unsigned Blocks = residencyAt(C.At, *V, Limits).BlocksPerSM;
    if (!Blocks || !V->LoneCycles)
      return std::nullopt;
    *V = withFewerBlocks(*V, Blocks);
  }
  return C;
}

std::vector<LaunchRow> rowsFor(const LaunchChoice &C, const SMLimits &Limits) {
  std::vector<LaunchRow> Rows = {rowFor(C, Limits)};
  while (C.HasDynamic && C.Stock.BlocksPerSM) {
    auto Next = beyond(C, Rows.back().MostDynamic, Limits);
    if (!Next || !(gainAtLaunch(Next->Chosen, Next->Stock) > 0))
      break;
    LaunchRow Row = rowFor(*Next, Limits);
    if (Row.MostDynamic <= Rows.back().MostDynamic)
      break;
    Rows.push_back(Row);
  }
  return Rows;
}

Build asPredictedElsewhere(const LaunchChoice &C, Build V, const Build &Stock,
                           const SMLimits &Limits) {
  double Full = V.Cycles / Stock.Cycles;
  bool IsKnown = V.LoneCycles && Stock.LoneCycles;
  double Alone = IsKnown ? V.LoneCycles / Stock.LoneCycles : Full;
  V.Cycles = Full * C.Stock.Cycles;
  V.LoneCycles = Alone * C.Stock.LoneCycles;
  return residentAt(C.At, std::move(V), Limits);
}

/// Low as it is with blocks of Threads threads. Cycles lie between Low's and
/// High's.
static LaunchChoice resized(const LaunchChoice &Low, const LaunchChoice &High,
                            unsigned Threads, const SMLimits &Limits) {
  LaunchChoice C = Low;
  double Part =
      double(Threads - Low.At.Threads) / (High.At.Threads - Low.At.Threads);
  auto Between = [Part](double A, double B) { return A + Part * (B - A); };
  for (Build LaunchChoice::*Which :
       {&LaunchChoice::Chosen, &LaunchChoice::Stock}) {
    Build &V = C.*Which;
    const Build &Other = High.*Which;
    bool IsKnown = V.LoneCycles && Other.LoneCycles;
    V.LoneCycles = IsKnown ? Between(V.LoneCycles, Other.LoneCycles) : 0;
    V.Cycles = Between(V.Cycles, Other.Cycles);
  }
  C.Chosen.StaticShared =
      ownBytes(Low) + addedBytes(C.Chosen.ThreadBytes, Threads);
  C.At.Threads = Threads;
  C.Chosen = residentAt(C.At, C.Chosen, Limits);
  C.Stock = residentAt(C.At, C.Stock, Limits);
  return C;
}

/// Whether A has fewer blocks on an SM for each of stock's than B.
static bool hasFewer(const LaunchChoice &A, const LaunchChoice &B) {
  return A.Chosen.BlocksPerSM * B.Stock.BlocksPerSM <
         B.Chosen.BlocksPerSM * A.Stock.BlocksPerSM;
}

std::vector<LaunchRow> rowsBetween(const LaunchChoice &Low,
                                   const LaunchChoice &High,
                                   const SMLimits &Limits) {
  std::vector<LaunchRow> Rows;
  if (Low.Chosen.SmemSpilling)
    return Rows;
  unsigned First = warpsPerBlock(Limits, Low.At.Threads) + 1,
           End = warpsPerBlock(Limits, High.At.Threads);
  for (unsigned Warps = First; Warps < End; ++Warps) {
    LaunchChoice C = resized(Low, High, Warps * Limits.WarpSize, Limits);
    if (!C.Chosen.BlocksPerSM || !C.Stock.BlocksPerSM ||
        (hasFewer(C, Low) && hasFewer(C, High)))
      continue;
    C.Gain = std::min(Low.Gain, High.Gain);
    append_range(Rows, rowsFor(C, Limits));
  }
  return Rows;
}

} // namespace regdem
