//===- CostModel.cpp - predict how long builds take -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warps that are resident on one of an SM's four sub-partitions are
// simulated along the machine code (PartitionSimulator.cpp):
//
//   W = blocks * warps of a block / 4            warps, in groups of a block
//   R(m) = cycles from one completion of a group to its next, under memory m
//   T(m) = R(m) / blocks                         cycles of a block on the SM
//   T    = WorkScale * (T(m1) * … * T(mn))^(1/n)
//
// What decides between builds comes out of it: how many instructions there
// are, how many loads ptxas keeps in flight before it waits for one, how many
// warps hide that wait, and what spill code adds to the queues. Memory is the
// unknown: whether loads hit a cache, come from memory, or are scattered is not
// in the code, so T is a mean over four cases (MachineTimings.h), and a build
// is only chosen if it gains on the whole.
//
// What is in the code: loads that hit L1 in all four cases (TouchedLines.h,
// TracedValues.h), scattered ones only where a build leaves L1 a line for each
// thread (l1ForScatteredLoads), stores that fill parts of many sectors
// (TracedValues.h), and code that is too long for the instruction cache
// (InstructionCache.h). What several tests for equality guard, as the report of
// a hash that was found, is left out: its accesses would make code that only
// computes look as if more warps could hide something.
//
// Local memory, spill code and arrays alike, shares L1 with the data of the
// kernel. A share of its accesses misses: what does not fit half of L1 and,
// however small it is, a quarter of them, or half where most loads are
// scattered (Constants.def), because loads throw its lines out of L1 between a
// store and its reload. What does not fit an SM's share of L2 goes to memory.
// Words that are stored do so sooner, once, for L2 writes them back while it
// has room.
//
// Not known to it: locality in L1 that fewer warps improve. How well it does
// nevertheless, and what each part is worth: benchmarks/model/README.md.
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CostModel.h"

#include "MachineTimings.h"
#include "PartitionSimulator.h"
#include "regdem/Decision/Model/KnownHits.h"
#include "regdem/Toolchain/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

using namespace llvm;

namespace regdem {

namespace {

/// Steps to simulate, over all groups, that take longer than a thread to start.
constexpr size_t StepsWorthAThread = 2000;

/// The share of Footprint bytes that Room has no place for.
double shareBeyond(double Room, double Footprint) {
  return Footprint <= Room ? 0 : 1 - Room / Footprint;
}

/// All that counts of Trace in a simulation.
uint64_t hashOf(ArrayRef<TraceStep> Trace) {
  SmallVector<uint32_t, 0> Words;
  for (const TraceStep &S : Trace) {
    Words.push_back(unsigned(S.Unit) | S.Words << 8 | S.WaitMask << 24);
    Words.push_back(unsigned(S.WriteBarrier) | S.ReadBarrier << 8 |
                    S.BankReads[0] << 16 | S.BankReads[1] << 24);
    Words.push_back(unsigned(S.Sectors) | S.IsScattered << 8 | S.IsShared << 9 |
                    S.IsInLines << 10 | S.IsInSectors << 11 | S.IsFirst << 12 |
                    S.Stall << 16);
    Words.push_back(S.CodeLine);
  }
  return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Words.data()),
                              Words.size() * sizeof(uint32_t)));
}

/// What was simulated in this process: launches of several sizes may leave the
/// same resident, and kernels of one template may have the same trace.
class Simulations {
public:
  /// Cycles from one completion of a thread block to the next of the same group
  /// with Load along Trace, for each memory.
  SmallVector<double, 4> at(ArrayRef<TraceStep> Trace,
                            const PartitionLoad &Load, const Predictor &P) {
    std::tuple Key(hashOf(Trace), P.Limits.Arch, Load.Groups,
                   Load.WarpsPerGroup, Load.LocalMisses, Load.LocalBeyondL2,
                   Load.LocalWrittenBack, Load.KeepsScattered);
    {
      std::lock_guard Lock(Mutex);
      if (auto Found = Known.find(Key); Found != Known.end())
        return Found->second;
    }
    SmallVector<double, 4> Cycles = simulate(Trace, Load, P);
    std::lock_guard Lock(Mutex);
    return Known.try_emplace(Key, Cycles).first->second;
  }

  size_t size() {
    std::lock_guard Lock(Mutex);
    return Known.size();
  }

private:
  std::mutex Mutex;
  std::map<std::tuple<uint64_t, unsigned, unsigned, unsigned, double, double,
                      double, bool>,
           SmallVector<double, 4>>
      Known;

  static SmallVector<double, 4> simulate(ArrayRef<TraceStep> Trace,
                                         const PartitionLoad &Load,
                                         const Predictor &P) {
    TimeTraceScope Scope("RegDem predict", [&] {
      return formatv("{0} steps, {1} groups of {2} warps", Trace.size(),
                     Load.Groups, Load.WarpsPerGroup)
          .str();
    });
    SmallVector<double, 4> Cycles(std::size(MemoryScenarios));
    // Large kernels take tenths of a second each.
    bool IsLarge = Trace.size() * Load.Groups > StepsWorthAThread;
    forEachInParallel(Cycles.size(), IsLarge ? P.Jobs : 1, [&](size_t I) {
      Cycles[I] = simulatePartition(Trace, Load, timingsOf(P.Limits.Arch),
                                    MemoryScenarios[I]);
    });
    return Cycles;
  }
};

Simulations &simulations() {
  static Simulations All;
  return All;
}

/// What a partition holds at a launch, and the blocks of which that is the
/// part.
struct PartitionAt {
  PartitionLoad Load;
  double Blocks;
};

/// Warps of a block are dealt over the partitions; a block of fewer warps than
/// there are partitions is a group on some of them only.
PartitionAt partitionAt(const Launch &L, const Build &V,
                        const CodeSummary &Code, const Predictor &P) {
  Residency R = residencyAt(L, V, P.Limits);
  assert(R.BlocksPerSM && "the build does not fit an SM");
  PartitionLoad Load;
  unsigned Partitions = P.Limits.SubPartitions;
  unsigned WarpsPerBlock = warpsPerBlock(P.Limits, L.Threads);
  double Warps = double(R.BlocksPerSM) * WarpsPerBlock;
  double Resident = Warps / Partitions;
  Load.WarpsPerGroup =
      std::max(1u, (WarpsPerBlock + Partitions / 2) / Partitions);
  Load.Groups = std::max(
      1u, static_cast<unsigned>(std::lround(Resident / Load.WarpsPerGroup)));
  double Least =
      loadsAreScattered(Code) ? P.C.LeastAmidScattered : P.C.LeastLocalMisses;
  double Footprint = std::max(double(R.SpillFootprint),
                              Warps * P.Limits.WarpSize * V.FrameBytes);
  Load.LocalMisses =
      std::max(Least, shareBeyond(P.C.LocalShareOfL1 * R.L1Bytes, Footprint));
  double L2 = timingsOf(P.Limits.Arch).L2BytesPerSM;
  // From a store to its reload half of that is touched, in the mean.
  Load.LocalBeyondL2 = shareBeyond(L2, Footprint / 2);
  Load.LocalWrittenBack = shareBeyond(L2 / 2, Footprint);
  Load.KeepsScattered =
      R.L1Bytes >= l1ForScatteredLoads(R.BlocksPerSM * L.Threads);
  // Rounding to whole groups changes how many blocks are simulated, but where
  // one is too small for all partitions it leaves the others idle.
  double Blocks =
      double(Load.Groups) * Load.WarpsPerGroup * Partitions / WarpsPerBlock;
  if (Load.Groups == 1)
    Blocks = std::min(Blocks, double(R.BlocksPerSM));
  return {Load, Blocks};
}

/// The mean of cycles that may each be the true ones: what counts is by which
/// factor builds differ. Values must not be empty.
double geometricMean(ArrayRef<double> Values) {
  double Logarithms = 0;
  for (double V : Values)
    Logarithms += std::log(V);
  return std::exp(Logarithms / Values.size());
}

} // namespace

size_t numSimulated() { return simulations().size(); }

bool loadsAreScattered(const CodeSummary &Code) {
  ptrdiff_t MoreScattered = 0;
  for (const TraceStep &S : Code.Trace)
    if (S.Unit == TraceUnit::GlobalLoad)
      MoreScattered += S.IsScattered ? 1 : -1;
  return MoreScattered > 0;
}

unsigned l1ForScatteredLoads(unsigned Threads) {
  return static_cast<unsigned>(Tuned.LeastScatteredLines * LineBytes * Threads);
}

SmallVector<double, 4> Predictor::ofBlock(const Build &V,
                                          const CodeSummary &Code,
                                          const Launch &L) const {
  PartitionAt Here = partitionAt(L, V, Code, *this);
  SmallVector<double, 4> Cycles =
      simulations().at(Code.Trace, Here.Load, *this);
  for (double &Of : Cycles)
    Of = forSameWork(Code.WorkScale * Of / Here.Blocks, Code.Work, Work);
  return Cycles;
}

double Predictor::predict(const Build &V, const CodeSummary &Code,
                          const Launch &L,
                          SmallVectorImpl<double> *ByMemory) const {
  if (Code.Trace.empty())
    return 1;
  SmallVector<double, 4> Cycles = ofBlock(V, Code, L);
  // The last round has the blocks that are left.
  unsigned Held = residencyAt(L, V, Limits).BlocksPerSM;
  if (unsigned Left = L.GridBlocks % Held) {
    double Share = double(Left) / L.GridBlocks;
    SmallVector<double, 4> OfLast =
        ofBlock(V, Code, {L.Threads, L.DynamicShared, Left});
    for (auto [Of, Last] : zip_equal(Cycles, OfLast))
      Of += Share * (Last - Of);
  }
  if (ByMemory)
    ByMemory->append(Cycles);
  return geometricMean(Cycles);
}

/// The same where the work Done was behind calls in the build that does Wanted:
/// loops with known counts do more or less than those with assumed ones. Loops
/// of integers show that by instructions only, of which calls take some.
static double forInlinedWork(double Cycles, const WayWork &Done,
                             const WayWork &Wanted) {
  bool HasOwn = Done.Own > 0 && Wanted.Own > 0;
  double Share = HasOwn ? Wanted.Own / Done.Own : 1;
  double OfCalls = Wanted.Calls * Tuned.MostOfCall;
  bool IsLess = Done.Instructions > 0 &&
                Share * Done.Instructions + OfCalls < Wanted.Instructions;
  return Cycles * (IsLess ? Wanted.Instructions / Done.Instructions : Share);
}

/// The rewrites that change how much arithmetic a thread does, or seems to do.
static constexpr Rewrite ArithmeticRewrites =
    Rewrite::LowerArrays | Rewrite::InlineCalls | Rewrite::UnrollLoops;

/// Whether one of two builds seems to do more arithmetic by a tenth though it
/// does the same: it has loops that ptxas unrolls in that build alone. Of
/// little arithmetic that shows nothing.
static bool countsOtherwise(const WayWork &Done, const WayWork &Wanted) {
  auto IsMore = [](double A, double B) { return 10 * A > 11 * B; };
  return !has(Done.Rewrites, ArithmeticRewrites) &&
         10 * Done.Arithmetic > Done.Instructions &&
         10 * Wanted.Arithmetic > Wanted.Instructions &&
         (IsMore(Done.Arithmetic, Wanted.Arithmetic) ||
          IsMore(Wanted.Arithmetic, Done.Arithmetic));
}

double forSameWork(double Cycles, const WayWork &Done, const WayWork &Wanted) {
  if (Done.IsCounted && Wanted.IsCounted)
    return Cycles;
  if (has(Done.Rewrites, Rewrite::InlineCalls))
    return forInlinedWork(Cycles, Done, Wanted);
  if (has(Done.Rewrites, Rewrite::HoistBranches))
    return Cycles; // It is to do less.
  if (countsOtherwise(Done, Wanted))
    return Cycles * Wanted.Arithmetic / Done.Arithmetic;
  if (Done.RunsLonger && Done.Own > 0 && Wanted.Own > 0)
    return Cycles * Wanted.Own / Done.Own;
  if (Done.Words <= 0 || Wanted.Words <= 0 || Done.Instructions <= 0)
    return Cycles;
  double Words = std::log(Wanted.Words / Done.Words);
  auto IsAsMuch = [Words](double Of, double By) {
    return Words * std::log(Of / By) > Words * Words / 2;
  };
  bool HasArithmetic = Done.Arithmetic > 0 && Wanted.Arithmetic > 0;
  if (HasArithmetic && !IsAsMuch(Wanted.Arithmetic, Done.Arithmetic))
    return Cycles;
  // What unrolling is for is that there are fewer instructions for the same.
  bool CountsOwn = has(Done.Rewrites, Rewrite::UnrollLoops) && Done.Own > 0 &&
                   Wanted.Own > 0;
  bool IsMultiple = CountsOwn
                        ? IsAsMuch(Wanted.Own, Done.Own)
                        : IsAsMuch(Wanted.Instructions, Done.Instructions);
  return IsMultiple ? Cycles * Wanted.Words / Done.Words : Cycles;
}

std::vector<Build> predictTogether(std::vector<ReadBuild> Builds,
                                   const Launch &L, Predictor P) {
  KnownHits Hits;
  for (const ReadBuild &B : Builds)
    Hits.raiseTo(knownHits(B.Code));
  P.Work = Builds.front().Code.Work;
  std::vector<Build> Result;
  for (ReadBuild &B : Builds) {
    setKnownHits(B.Code, Hits);
    Result.emplace_back(B.Of).Cycles = P.predict(B.Of, B.Code, L);
  }
  return Result;
}

} // namespace regdem
