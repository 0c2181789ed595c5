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

#include "UnitClocks.h"
#include "WarpState.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace regdem {

namespace {

/// Completions of each group: the first ends the start-up, during which all
/// warps are at the same place. How warps meet at the units depends on small
/// things, the more so the shorter their way, so there are as many rounds as
/// are affordable.
constexpr unsigned LeastRounds = 3, MostRounds = 8;
constexpr size_t AffordableSteps = 800000;
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

class Simulator : private UnitClocks {
public:
  Simulator(ArrayRef<TraceStep> Trace, const PartitionLoad &L,
            const MachineTimings &T, const MemoryScenario &M)
      : Trace(Trace), L(L), T(T), M(M), Warps(L.Groups * L.WarpsPerGroup),
        Turns(Warps.size()), Groups(L.Groups), Misses(Trace.size()),
        Rounds(
            std::clamp<size_t>(AffordableSteps / (Trace.size() * Warps.size()),
                               LeastRounds, MostRounds)) {
    for (size_t I = 0; I != Trace.size(); ++I)
      Misses[I] = missShare(Trace[I], L.Local);
    for (unsigned I = 0; I != Warps.size(); ++I) {
      ByAge.push_back(I);
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
  std::vector<Warp> Warps;
  std::vector<Turn> Turns; ///< Of the warps.
  std::vector<Group> Groups;
  std::vector<unsigned> ByAge; ///< Warps, those that started first in front.
  std::vector<float> Misses;   ///< Of each step that accesses local memory.
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
      Its = {Never, &NoUnit, &NoUnit};
      return;
    }
    const TraceStep &S = Trace[W.Next];
    Its = {W.Ready, &free(S.Unit), &Ports.free(S)};
    for (unsigned Mask = S.WaitMask; Mask; Mask &= Mask - 1)
      Its.Due = std::max(Its.Due, W.Free[llvm::countr_zero(Mask)]);
  }

  double earliest(const Turn &Its) const {
    return std::max(std::max(Its.Due, Now), std::max(*Its.Unit, *Its.Ports));
  }

  /// The warp that issues next; sets IssuedAt.
  size_t pick() {
    size_t Best = Last;
    double First = Last == None ? Never : earliest(Turns[Last]);
    for (unsigned W : ByAge) {
      if (First == Now) // Nobody can be earlier. Most often it is the last.
        break;
      if (Turns[W].Due >= First) // As for most, whatever the units do.
        continue;
      if (double Time = earliest(Turns[W]); Time < First) {
        First = Time;
        Best = W;
      }
    }
    assert(First != Never && "every warp waits for another");
    IssuedAt = First;
    return Best;
  }

  /// Takes Busy cycles of a unit in order; the time when it begins.
  double enter(UnitClock &Unit, double Busy) const {
    double Start = std::max(IssuedAt, Unit.Done);
    Unit.Done = Start + Busy;
    Unit.Takes = Unit.Queues ? Unit.Done - T.LoadStoreBacklog : Unit.Done;
    return Start;
  }

  /// Cycles that memory takes for Bytes of a warp of this partition.
  double transfer(double Bytes) const {
    return Bytes * Partitions / M.BytesPerCycle;
  }

  /// The same for a scattered load. Each of its sectors waits in a line of L1
  /// of its own, so that no more come in a latency than L1 has lines (Little's
  /// law). With 28 KB left of L1, spline3d of benchmarks/ took 1.8 times as
  /// long on an H200 as with 240 KB.
  double scatteredTransfer() const {
    double Bytes = SectorBytes * ThreadsPerWarp;
    if (L.L1Bytes == 0)
      return transfer(Bytes);
    double InFlight = L.L1Bytes / LineBytes * SectorBytes;
    return std::max(transfer(Bytes),
                    Bytes * Partitions * M.LoadLatency / InFlight);
  }

  /// Issues W's next step at IssuedAt.
  void issue(size_t Index) {
    Warp &W = Warps[Index];
    const TraceStep &S = Trace[W.Next];
    double Done = 0, Read = IssuedAt + T.OperandRead;
    double Words = S.Words;
    Ports.read(S, IssuedAt, T.OperandBacklog);
    switch (S.Unit) {
    case TraceUnit::FMA:
      enter(FMA, T.FMABusy);
      break;
    case TraceUnit::IntegerMultiply:
      enter(Multiply, T.IntegerMultiplyBusy);
      break;
    case TraceUnit::ALU:
      enter(ALU, T.ALUBusy);
      break;
    case TraceUnit::FP64:
      Done = enter(FP64, T.FP64Busy) + T.FP64Latency;
      break;
    case TraceUnit::Special:
      Read = enter(Special, T.SpecialBusy);
      Done = Read + T.SpecialLatency;
      Read += T.OperandRead;
      break;
    case TraceUnit::Tensor:
      Done = enter(Tensor, T.TensorBusy) + T.TensorLatency;
      break;
    case TraceUnit::Uniform:
      Done = enter(Uniform, T.UniformBusy) + T.UniformLatency;
      break;
    case TraceUnit::Constant:
      Done = IssuedAt + T.ConstantLatency;
      break;
    case TraceUnit::SystemRegister:
      Done = IssuedAt + T.SystemRegisterLatency;
      break;
    case TraceUnit::SharedLoad:
    case TraceUnit::SharedStore: {
      double Start = enter(LoadStore, T.WordBusy * Words);
      Read = Start + T.OperandRead;
      Done = Start + T.WordBusy * (Words - 1) + T.SharedLatency;
      break;
    }
    case TraceUnit::GlobalLoad: {
      bool IsKnown = S.IsScattered && L.L1Bytes > 0;
      bool IsScattered = IsKnown || M.AllScattered;
      // Scattered addresses take a turn each on the way to L1, too.
      double Turns = IsScattered ? Words * ScatteredTurns : Words;
      double Start = enter(LoadStore, T.WordBusy * Turns);
      Read = Start + T.OperandRead;
      if (IsScattered ? S.IsInSectors : S.IsInLines) { // It hits L1.
        Done = Start + T.L1Latency;
        break;
      }
      double Begin = std::max(Start, Memory);
      Memory = Begin + (IsScattered ? scatteredTransfer()
                                    : transfer(LineBytes * Words));
      Done = Begin + M.LoadLatency;
      break;
    }
    case TraceUnit::GlobalStore: {
      double Touched = std::max(LineBytes * Words, S.Sectors * SectorBytes);
      double Start = enter(LoadStore, T.WordBusy * Touched / LineBytes);
      Read = Start + T.OperandRead;
      Memory = std::max(Start, Memory) +
               std::max(transfer(LineBytes * Words),
                        S.Sectors * Partitions * T.PartOfSectorBusy);
      break;
    }
    case TraceUnit::LocalLoad:
    case TraceUnit::LocalStore: {
      double Start = enter(LoadStore, T.WordBusy * Words);
      Read = Start + T.OperandRead;
      double Begin = std::max(Start, Memory);
      double Share = Misses[W.Next];
      Memory = Begin + transfer(LineBytes * Words * Share);
      Done = (Share > 0 ? Begin : Start) + T.L1Latency +
             Share * (T.L2Latency - T.L1Latency);
      break;
    }
    case TraceUnit::Barrier:
    case TraceUnit::Control:
      break;
    }
    occupy(W, S.WriteBarrier, Done);
    occupy(W, S.ReadBarrier, Read);
    W.Ready = IssuedAt + S.Stall;
    Now = IssuedAt + 1;
    Last = Index;
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

  /// Moves W behind the step it issued; 1 if its group has completed the last
  /// round, else 0.
  unsigned advance(size_t Index) {
    Warp &W = Warps[Index];
    size_t GroupIndex = Index / L.WarpsPerGroup;
    Group &G = Groups[GroupIndex];
    MutableArrayRef<Warp> Members(&Warps[GroupIndex * L.WarpsPerGroup],
                                  L.WarpsPerGroup);
    bool Meets = Trace[W.Next].Unit == TraceUnit::Barrier;
    ++W.Next;
    if (Meets) {
      W.AtBarrier = true;
      if (++G.Waiting == L.WarpsPerGroup) {
        G.Waiting = 0;
        for (Warp &Member : Members) {
          Member.AtBarrier = false;
          Member.Ready = std::max(Member.Ready, IssuedAt + T.BarrierCycles);
        }
        setTurns(GroupIndex);
      }
    }
    setTurn(Index);
    if (W.Next != Trace.size() || ++G.Finished != L.WarpsPerGroup)
      return 0;
    // The next block takes over, so that the load on the units stays.
    G.Finished = 0;
    G.Ends.push_back(IssuedAt);
    for (Warp &Member : Members) {
      Member = Warp();
      Member.Ready = IssuedAt + Relaunch;
    }
    setTurns(GroupIndex);
    auto Oldest = find(ByAge, GroupIndex * L.WarpsPerGroup);
    std::rotate(Oldest, Oldest + L.WarpsPerGroup, ByAge.end());
    Last = None;
    return G.Ends.size() == Rounds;
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
