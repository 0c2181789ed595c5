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
constexpr size_t AffordableSteps = 50000;
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

/// When a unit is free, in cycles.
struct UnitClock {
  double Backlog = 0; ///< Work that it takes in ahead.
  double Done = 0;    ///< When it has worked off what it took.
  double Takes = 0;   ///< From when on it takes another instruction.

  /// Has it work for Cycles, from Time on or once it is done with what came
  /// before; the time when that begins.
  double enter(double Time, double Cycles) {
    double Start = std::max(Time, Done);
    Done = Start + Cycles;
    Takes = Done - Backlog;
    return Start;
  }
};

/// Of the even and of the odd registers, each of which reads one a cycle.
struct PortClocks {
  /// The first cycle in which an instruction may issue, by the banks that it
  /// reads.
  double Takes[4] = {0, 0, 0, 0};

  /// The index into Takes of an instruction that reads so many registers.
  static uint8_t indexOf(const uint8_t (&BankReads)[2]) {
    return (BankReads[0] ? 1 : 0) + (BankReads[1] ? 2 : 0);
  }

  /// Has the ports read so many registers for what issues at Time; they may lag
  /// behind by Backlog cycles.
  void read(const double (&BankReads)[2], double Time, double Backlog) {
    // Where nothing is read, a port is done by now: that holds nobody up.
    for (unsigned Bank = 0; Bank != 2; ++Bank) {
      Done[Bank] = std::max(Time, Done[Bank]) + BankReads[Bank];
      Takes[1 + Bank] = Done[Bank] - Backlog;
    }
    Takes[3] = std::max(Takes[1], Takes[2]);
  }

private:
  double Done[2] = {0, 0};
};

/// The units of a partition, and the memory behind them, which takes all that
/// the load-store unit sends.
struct UnitClocks {
  UnitClock Clocks[static_cast<size_t>(TraceUnit::Control) + 1];
  double Memory = 0; ///< When it has worked off what it took.
  PortClocks Ports;

  explicit UnitClocks(const MachineTimings &T) {
    for (TraceUnit Unit : {TraceUnit::Special, LoadStore})
      Clocks[indexOf(Unit)].Backlog = T.LoadStoreBacklog;
  }

  /// The index into Clocks of Unit's. All accesses to memory go one way.
  static uint8_t indexOf(TraceUnit Unit) {
    return static_cast<uint8_t>(isMemoryAccess(Unit) ? LoadStore : Unit);
  }

private:
  static constexpr TraceUnit LoadStore = TraceUnit::SharedLoad;
};

/// Whether S, a load from global memory, finds its data in L1.
bool hitsL1(const TraceStep &S, const PartitionLoad &L,
            const MemoryScenario &M) {
  bool IsKept = L.KeepsScattered || !S.IsScattered;
  return S.IsShared ||
         (IsKept && (M.AllScattered ? S.IsInSectors : S.IsInLines));
}

/// What a step takes of the units, in cycles.
struct StepWork {
  double Busy = 0;    ///< Of its unit.
  double Memory = 0;  ///< Of the memory behind the load-store unit.
  double Latency = 0; ///< From when its unit begins until its result is there.
  bool IsFar = false; ///< From when that memory begins.
};

/// The work of S, which accesses memory.
StepWork accessOf(const TraceStep &S, const PartitionLoad &L,
                  const MachineTimings &T, const MemoryScenario &M) {
  double Words = S.Words, Bytes = LineBytes * Words;
  auto Transfer = [&M](double Moved) {
    return Moved * Partitions / M.BytesPerCycle;
  };
  double PartsOfSectors = S.Sectors * Partitions * T.PartOfSectorBusy;
  switch (S.Unit) {
  case TraceUnit::SharedLoad:
  case TraceUnit::SharedStore: {
    double Turns = S.IsScattered ? Words * RandomBankTurns : Words;
    return {T.WordBusy * Turns, 0, T.WordBusy * (Turns - 1) + T.SharedLatency};
  }
  case TraceUnit::GlobalLoad: {
    // Scattered addresses take a turn each on the way to L1, too.
    bool IsScattered = M.AllScattered && !S.IsShared;
    double Busy = T.WordBusy * (IsScattered ? Words * ScatteredTurns : Words);
    if (hitsL1(S, L, M))
      return {Busy, 0, T.L1Latency};
    double Moved = M.AllScattered ? SectorBytes * ThreadsPerWarp : Bytes;
    return {Busy, Transfer(Moved), M.LoadLatency, /*IsFar=*/true};
  }
  case TraceUnit::GlobalStore: {
    double Touched = std::max(Bytes, S.Sectors * SectorBytes);
    return {T.WordBusy * Touched / LineBytes,
            std::max(Transfer(Bytes), PartsOfSectors)};
  }
  default: { // Local memory.
    double Share = L.LocalMisses, BeyondL2 = Share * L.LocalBeyondL2;
    double Far = S.IsFirst ? std::min(Share, L.LocalWrittenBack) : BeyondL2;
    return {T.WordBusy * (S.IsScattered ? Words * ScatteredTurns : Words),
            Transfer(Bytes * (Share - Far)) +
                Bytes * Far * Partitions / MemoryBytesPerCycle + PartsOfSectors,
            T.L1Latency + Share * (T.L2Latency - T.L1Latency) +
                BeyondL2 * (MemoryLatency - T.L2Latency),
            /*IsFar=*/Share > 0};
  }
  }
}

/// The work of an instruction of Unit that accesses no memory.
StepWork computationOf(TraceUnit Unit, const MachineTimings &T) {
  switch (Unit) {
  case TraceUnit::FMA:
    return {T.FMABusy};
  case TraceUnit::IntegerMultiply:
    return {T.IntegerMultiplyBusy};
  case TraceUnit::ALU:
    return {T.ALUBusy};
  case TraceUnit::FP64:
    return {T.FP64Busy, 0, T.FP64Latency};
  case TraceUnit::Special:
    return {T.SpecialBusy, 0, T.SpecialLatency};
  case TraceUnit::Tensor:
    return {T.TensorBusy, 0, T.TensorLatency};
  case TraceUnit::Uniform:
    return {T.UniformBusy, 0, T.UniformLatency};
  case TraceUnit::Constant:
    return {0, 0, T.ConstantLatency};
  case TraceUnit::SystemRegister:
    return {0, 0, T.SystemRegisterLatency};
  default:
    return {};
  }
}

/// A step of the trace as a partition does it.
struct Step {
  StepWork Work;
  double Stall;
  double BankReads[2];
  uint8_t Clock, Ports; ///< Of UnitClocks and PortClocks.
  uint8_t WriteBarrier, ReadBarrier, WaitMask;
  bool MeetsBlock;
};

std::vector<Step> stepsOf(ArrayRef<TraceStep> Trace, const PartitionLoad &L,
                          const MachineTimings &T, const MemoryScenario &M) {
  std::vector<Step> Steps;
  Steps.reserve(Trace.size());
  for (const TraceStep &S : Trace)
    Steps.push_back({isMemoryAccess(S.Unit) ? accessOf(S, L, T, M)
                                            : computationOf(S.Unit, T),
                     double(S.Stall),
                     {double(S.BankReads[0]), double(S.BankReads[1])},
                     UnitClocks::indexOf(S.Unit),
                     PortClocks::indexOf(S.BankReads),
                     S.WriteBarrier,
                     S.ReadBarrier,
                     S.WaitMask,
                     S.Unit == TraceUnit::Barrier});
  return Steps;
}

struct Warp {
  size_t Next = 0; ///< Index of the step to issue next.
  double Ready = 0;
  /// When each scoreboard is released; the last is NoBarrier, for which nobody
  /// waits.
  double Free[SassInstruction::NoBarrier + 1] = {};
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
      : Steps(stepsOf(Trace, L, T, M)), L(L), T(T), Units(T), Code(Trace, T),
        Warps(L.Groups * L.WarpsPerGroup), Turns(Warps.size()),
        Times(Warps.size()), Groups(L.Groups),
        Rounds(
            std::clamp<size_t>(AffordableSteps / (Steps.size() * Warps.size()),
                               LeastRounds, MostRounds)) {
    for (unsigned I = 0; I != Groups.size(); ++I)
      Groups[I].Place = I;
    for (unsigned I = 0; I != Warps.size(); ++I) {
      Warps[I].Ready = I * M.Stagger;
      setTurn(I);
    }
  }

  double run() {
    size_t Left = Patience * Rounds * Steps.size() * Warps.size();
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
  const std::vector<Step> Steps;
  const PartitionLoad &L;
  const MachineTimings &T;
  UnitClocks Units;
  InstructionCache Code;
  // By age, those that started first in front; a group's warps stand together.
  std::vector<Warp> Warps;
  std::vector<Turn> Turns;   ///< Of the warps.
  std::vector<double> Times; ///< When they may issue next.
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
    if (W.AtBarrier || W.Next == Steps.size()) {
      Its.Due = Never;
      return;
    }
    const Step &S = Steps[W.Next];
    Its = {W.Ready, &Units.Clocks[S.Clock].Takes, &Units.Ports.Takes[S.Ports]};
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
    // Without branches, as which warp is ready is not to be foreseen.
    const size_t Count = Turns.size();
    double First = Never;
    for (size_t W = 0; W != Count; ++W) {
      Times[W] = earliest(Turns[W]);
      First = Times[W] < First ? Times[W] : First;
    }
    size_t Best = 0;
    if (First != Now && Last != None && Times[Last] == First)
      Best = Last;
    else
      while (Times[Best] != First)
        ++Best;
    assert(First != Never && "every warp waits for another");
    IssuedAt = First;
    return Best;
  }

  /// Issues the warp's next step at IssuedAt.
  void issue(size_t Index) {
    Warp &W = Warps[Index];
    const Step &S = Steps[W.Next];
    const StepWork &Work = S.Work;
    Units.Ports.read(S.BankReads, IssuedAt, T.OperandBacklog);
    double Start = Units.Clocks[S.Clock].enter(IssuedAt, Work.Busy);
    double Begin = Start;
    if (Work.Memory > 0) {
      Begin = std::max(Start, Units.Memory);
      Units.Memory = Begin + Work.Memory;
    }
    occupy(W, S.WriteBarrier, (Work.IsFar ? Begin : Start) + Work.Latency);
    occupy(W, S.ReadBarrier, Start + T.OperandRead);
    W.Ready = IssuedAt + S.Stall;
    Now = IssuedAt + 1;
    Last = Index;
  }

  void occupy(Warp &W, uint8_t Barrier, double Until) const {
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
    bool Meets = Steps[W.Next].MeetsBlock;
    if (++W.Next != Steps.size())
      W.Ready = std::max(W.Ready, Code.arrive(W.Next, IssuedAt));
    if (Meets)
      arrive(Index);
    setTurn(Index);
    return W.Next == Steps.size() && finish(Index / L.WarpsPerGroup);
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
