//===- PartitionSimulator.cpp - warps that share a scheduler --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scheduler issues at most one instruction a cycle. A warp may issue its next
// instruction once the stall of the last one is over, the scoreboards that it
// waits for are free, and its unit can take it. Of several warps that may, the
// one that issued last goes on, else that of the oldest block. Units take
// instructions at their rates; the load-store unit, the memory behind it and
// the ports of the register file are queues.
//
//===----------------------------------------------------------------------===//

#include "PartitionSimulator.h"

#include "InstructionCache.h"
#include "UnitClocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

using namespace llvm;

namespace regdem {

namespace {

/// Completions of each group: the first ends the start-up, during which all
/// warps are at the same place. How warps meet at the units depends on small
/// things, the more so the shorter their way, so there are as many rounds as
/// are affordable.
constexpr unsigned LeastRounds = 3, MostRounds = 8;
constexpr size_t AffordableSteps = 100000;
/// Times the steps of all rounds, after which warps that never get a unit,
/// since others are always at it, are not waited for any more.
constexpr size_t Patience = 4;
/// Between the end of a block and the start of the next one.
constexpr double Relaunch = 10;
constexpr unsigned Partitions = 4;
/// Shortest time after which a scoreboard is seen as free.
constexpr double LeastBarrier = 2;
/// What a thread's place takes of memory where its neighbours load from others.
constexpr double SectorBytes = 32, ThreadsPerWarp = 32;
/// Times the turns that a scattered load takes on its way to L1.
constexpr double ScatteredTurns = SectorBytes * ThreadsPerWarp / LineBytes;
/// The most of a warp's 32 accesses that meet in one of 32 banks, in the mean
/// over random places.
constexpr double RandomBankTurns = 3.5;

/// Cycles for which an access to memory keeps the load-store unit busy, and the
/// memory behind it.
struct AccessWork {
  double LoadStore = 0, Memory = 0;
};

/// Whether S, a load from global memory, finds its data in L1.
bool hitsL1(const TraceStep &S, const MemoryScenario &M) {
  return S.IsShared || (M.AllScattered ? S.IsInSectors : S.IsInLines);
}

/// The work of S, which accesses memory.
AccessWork workOf(const TraceStep &S, const PartitionLoad &L,
                  const MachineTimings &T, const MemoryScenario &M) {
  double Words = S.Words, Bytes = LineBytes * Words;
  auto Transfer = [&M](double Moved) {
    return Moved * Partitions / M.BytesPerCycle;
  };
  double PartsOfSectors = S.Sectors * Partitions * T.PartOfSectorBusy;
  switch (S.Unit) {
  case TraceUnit::SharedLoad:
  case TraceUnit::SharedStore:
    return {T.WordBusy * (S.IsScattered ? Words * RandomBankTurns : Words), 0};
  case TraceUnit::GlobalLoad: {
    // Scattered addresses take a turn each on the way to L1, too.
    bool IsScattered = M.AllScattered && !S.IsShared;
    AccessWork A{T.WordBusy * (IsScattered ? Words * ScatteredTurns : Words),
                 0};
    if (!hitsL1(S, M))
      A.Memory =
          Transfer(M.AllScattered ? SectorBytes * ThreadsPerWarp : Bytes);
    return A;
  }
  case TraceUnit::GlobalStore: {
    double Touched = std::max(Bytes, S.Sectors * SectorBytes);
    return {T.WordBusy * Touched / LineBytes,
            std::max(Transfer(Bytes), PartsOfSectors)};
  }
  default: { // Local memory.
    double Far = S.IsFirst ? std::min(L.LocalMisses, L.LocalWrittenBack)
                           : L.LocalMisses * L.LocalBeyondL2;
    return {T.WordBusy * (S.IsScattered ? Words * ScatteredTurns : Words),
            Transfer(Bytes * (L.LocalMisses - Far)) +
                Bytes * Far * Partitions / MemoryBytesPerCycle +
                PartsOfSectors};
  }
  }
}

struct Warp {
  size_t Next = 0; ///< Index of the step to issue next.
  double Ready = 0;
  /// When each scoreboard is released.
  double Free[SassControl::NumBarriers] = {};
  bool AtBarrier = false;
};

/// What decides when a warp issues, which is asked of all of them all the time.
struct Turn {
  double Due = 0; ///< When the warp may issue if its unit lets it, or Never.
  const double *Unit = nullptr;  ///< When that unit can take its next step.
  const double *Ports = nullptr; ///< When those that it reads from can.
};

constexpr double Never = std::numeric_limits<double>::infinity();

/// A thread block. Ends: when it, and those that took its place, were done.
struct Group {
  unsigned Place = 0;                 ///< Among the groups at the start.
  unsigned Waiting = 0, Finished = 0; ///< Warps.
  std::vector<double> Ends;
};

/// How often Groups were done, all together.
size_t completions(const std::vector<Group> &Groups) {
  size_t Count = 0;
  for (const Group &G : Groups)
    Count += G.Ends.size();
  return Count;
}

class Simulator {
public:
  Simulator(ArrayRef<TraceStep> Trace, const PartitionLoad &L,
            const MachineTimings &T, const MemoryScenario &M)
      : Trace(Trace), L(L), T(T), M(M), Units(T), Code(Trace, T),
        Warps(L.Groups * L.WarpsPerGroup), Turns(Warps.size()),
        Groups(L.Groups), Rounds(std::clamp<size_t>(
                              AffordableSteps / (Trace.size() * Warps.size()),
                              LeastRounds, MostRounds)) {
    for (unsigned I = 0; I != Groups.size(); ++I)
      Groups[I].Place = I;
    for (unsigned I = 0; I != Warps.size(); ++I) {
      Warps[I].Ready = I * M.Stagger;
      setTurn(I);
    }
  }

  double run() {
    size_t Left = Patience * Rounds * Trace.size() * Warps.size();
    for (unsigned Running = L.Groups; Running;) {
      if (Left-- == 0)
        return Now * Groups.size() / completions(Groups);
      size_t W = pick();
      issue(W);
      Running -= advance(W);
    }
    // Rounding depends on the order.
    sort(Groups,
         [](const Group &A, const Group &B) { return A.Place < B.Place; });
    double Sum = 0;
    for (const Group &G : Groups)
      Sum += (G.Ends[Rounds - 1] - G.Ends[0]) / (Rounds - 1);
    return Sum / Groups.size();
  }

private:
  ArrayRef<TraceStep> Trace;
  const PartitionLoad &L;
  const MachineTimings &T;
  const MemoryScenario &M;
  UnitClocks Units;
  InstructionCache Code;
  // By age, those that started first in front; a group's warps stand together.
  std::vector<Warp> Warps;
  std::vector<Turn> Turns; ///< Of the warps.
  std::vector<Group> Groups;
  const unsigned Rounds;
  static constexpr size_t None = ~size_t(0);
  size_t Last = None;
  double Now = 0;      ///< First cycle in which nothing was issued yet.
  double IssuedAt = 0; ///< Of the last instruction.

  /// Must follow every change of the warp.
  void setTurn(size_t Index) {
    const Warp &W = Warps[Index];
    Turn &Its = Turns[Index];
    if (W.AtBarrier || W.Next == Trace.size()) {
      Its.Due = Never;
      return;
    }
    const TraceStep &S = Trace[W.Next];
    Its = {W.Ready, &Units.of(S.Unit).Takes, &Units.Ports.free(S)};
    for (unsigned Mask = S.WaitMask; Mask; Mask &= Mask - 1)
      Its.Due = std::max(Its.Due, W.Free[llvm::countr_zero(Mask)]);
  }

  double earliest(const Turn &Its) const {
    return std::max(std::max(Its.Due, Now), std::max(*Its.Unit, *Its.Ports));
  }

  /// The warp that issues next; sets IssuedAt. Of those that may first, it is
  /// the last one, else the oldest.
  size_t pick() {
    IssuedAt = Now;
    if (Last != None && earliest(Turns[Last]) == Now)
      return Last;
    size_t Best = Last;
    double First = Last == None ? Never : earliest(Turns[Last]);
    for (size_t W = 0; W != Turns.size(); ++W) {
      if (Turns[W].Due >= First) // No sooner, whatever its unit says.
        continue;
      double Time = earliest(Turns[W]);
      if (Time == Now)
        return W;
      bool IsFirst = Time < First;
      Best = IsFirst ? W : Best;
      First = IsFirst ? Time : First;
    }
    assert(First != Never && "every warp waits for another");
    IssuedAt = First;
    return Best;
  }

  /// Issues W's next step at IssuedAt.
  void issue(size_t Index) {
    Warp &W = Warps[Index];
    const TraceStep &S = Trace[W.Next];
    Units.Ports.read(S, IssuedAt, T.OperandBacklog);
    if (isMemoryAccess(S.Unit)) {
      access(W, S);
    } else {
      UnitClock &Unit = Units.of(S.Unit);
      double Start = Unit.enter(IssuedAt, Unit.Busy);
      occupy(W, S.WriteBarrier, Start + Unit.Latency);
      occupy(W, S.ReadBarrier, Start + T.OperandRead);
    }
    W.Ready = IssuedAt + S.Stall;
    Now = IssuedAt + 1;
    Last = Index;
  }

  /// Has the load-store unit and memory do S, which W issues.
  void access(Warp &W, const TraceStep &S) {
    AccessWork Work = workOf(S, L, T, M);
    double Start = Units.loadStore().enter(IssuedAt, Work.LoadStore);
    double Begin = std::max(Start, Units.Memory);
    if (Work.Memory > 0)
      Units.Memory = Begin + Work.Memory;
    double Done = 0;
    switch (S.Unit) {
    case TraceUnit::SharedLoad:
    case TraceUnit::SharedStore:
      Done = Start + (Work.LoadStore - T.WordBusy) + T.SharedLatency;
      break;
    case TraceUnit::GlobalLoad:
      Done = hitsL1(S, M) ? Start + T.L1Latency : Begin + M.LoadLatency;
      break;
    case TraceUnit::GlobalStore:
      break;
    default: { // Local memory.
      double Share = L.LocalMisses, Far = Share * L.LocalBeyondL2;
      Done = (Share > 0 ? Begin : Start) + T.L1Latency +
             Share * (T.L2Latency - T.L1Latency) +
             Far * (MemoryLatency - T.L2Latency);
    }
    }
    occupy(W, S.WriteBarrier, Done);
    occupy(W, S.ReadBarrier, Start + T.OperandRead);
  }

  void occupy(Warp &W, uint8_t Barrier, double Until) const {
    if (Barrier < SassControl::NumBarriers)
      W.Free[Barrier] =
          std::max({W.Free[Barrier], Until, IssuedAt + LeastBarrier});
  }

  void setTurns(size_t GroupIndex) {
    for (unsigned I = 0; I != L.WarpsPerGroup; ++I)
      setTurn(GroupIndex * L.WarpsPerGroup + I);
  }

  /// Moves the warp after the step it issued; 1 if its group has completed the
  /// last round, else 0.
  unsigned advance(size_t Index) {
    Warp &W = Warps[Index];
    bool Meets = Trace[W.Next].Unit == TraceUnit::Barrier;
    if (++W.Next != Trace.size())
      W.Ready = std::max(W.Ready, Code.arrive(W.Next, IssuedAt));
    if (Meets)
      arrive(Index);
    setTurn(Index);
    return W.Next == Trace.size() && finish(Index / L.WarpsPerGroup);
  }

  MutableArrayRef<Warp> members(size_t GroupIndex) {
    return {&Warps[GroupIndex * L.WarpsPerGroup], L.WarpsPerGroup};
  }

  /// The warp has come to its group's barrier.
  void arrive(size_t Index) {
    size_t GroupIndex = Index / L.WarpsPerGroup;
    Group &G = Groups[GroupIndex];
    Warps[Index].AtBarrier = true;
    if (++G.Waiting != L.WarpsPerGroup)
      return;
    G.Waiting = 0;
    for (Warp &Member : members(GroupIndex)) {
      Member.AtBarrier = false;
      Member.Ready = std::max(Member.Ready, IssuedAt + T.BarrierCycles);
    }
    setTurns(GroupIndex);
  }

  /// A warp of the group has come to its end; whether that completes the
  /// group's last round.
  bool finish(size_t GroupIndex) {
    Group &G = Groups[GroupIndex];
    if (++G.Finished != L.WarpsPerGroup)
      return false;
    // The next block takes over, so that the load on the units stays.
    G.Finished = 0;
    G.Ends.push_back(IssuedAt);
    bool IsLast = G.Ends.size() == Rounds;
    for (Warp &Member : members(GroupIndex)) {
      Member = Warp();
      Member.Ready = Code.arrive(0, IssuedAt + Relaunch);
    }
    setTurns(GroupIndex);
    makeYoungest(Groups, GroupIndex, 1);
    makeYoungest(Warps, GroupIndex, L.WarpsPerGroup);
    makeYoungest(Turns, GroupIndex, L.WarpsPerGroup);
    Last = None;
    return IsLast;
  }

  /// Moves what List has of a group, Count each, after all others.
  template <typename Item>
  static void makeYoungest(std::vector<Item> &List, size_t GroupIndex,
                           size_t Count) {
    auto Place = List.begin() + GroupIndex * Count;
    std::rotate(Place, Place + Count, List.end());
  }
};

} // namespace

double simulatePartition(ArrayRef<TraceStep> Trace, const PartitionLoad &Load,
                         const MachineTimings &T,
                         const MemoryScenario &Memory) {
  assert(!Trace.empty() && Load.Groups && Load.WarpsPerGroup);
  return Simulator(Trace, Load, T, Memory).run();
}

} // namespace regdem
