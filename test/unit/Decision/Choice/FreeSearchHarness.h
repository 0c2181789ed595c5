//===- FreeSearchHarness.h - tools made up for tests ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembler and disassembler are functions here that make up what they say of
// a kernel with 256 threads a block on sm_90, whose occupancy steps are 255,
// 128, 80, 64, 48, 40 and 32 registers for 1 to 8 blocks per SM.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_FREESEARCHHARNESS_H
#define REGDEM_TEST_UNIT_FREESEARCHHARNESS_H

#include "regdem/Decision/Choice/FreeSearch.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <functional>

namespace regdem {

class FreeSearchTest : public testing::Test {
protected:
  static constexpr unsigned Threads = 256;

  KernelFacts Facts;
  Options O;
  unsigned Pressure = 70;
  /// With a pass left out, and ptxas's registers at most.
  unsigned LeanPressure = 0, LeanRegs = 255;
  bool MaySpillToShared = false;
  bool MovesFrames = false; ///< All that there are.
  bool HasDisassembler = true;
  bool HasArrayRewrites = false;
  /// The call of Build or Read, counted together, that fails.
  unsigned FailingCall = ~0u;
  /// Whether ptxas refuses a build; empty: it refuses none.
  std::function<bool(const Build &)> Refuses;
  size_t MostBuilds = ~size_t(0);      ///< All that may be built.
  std::vector<Rewrite> ListWorthwhile; ///< What may be left out.

  /// Registers that ptxas takes without a cap.
  unsigned StockRegs = 80;
  /// The same where it is told to make room for one block; 0: no other.
  unsigned LiftedRegs = 0;
  /// The same with a rewrite; 0: as many as without.
  unsigned RewrittenRegs = 0;
  unsigned FrameBytes = 0; ///< Of all builds.
  /// Words that ptxas spills under a cap: without demotion, and with it.
  std::function<unsigned(const Build &)> SpilledWords;
  /// Register words before ptxas; empty: nobody measures them.
  std::function<unsigned(const BuildRecipe &)> WordsOf;
  /// Shared memory that demotion takes unless it is bounded.
  unsigned SlotBytes = 8192;
  /// What the disassembler shows of a build.
  std::function<CodeSummary(const Build &)> Code;

  std::vector<Build> Built; ///< All builds, in the order of building.
  unsigned Calls = 0, CodesRead = 0;
  unsigned Readings = 0; ///< Calls of Read.

  FreeSearchTest() {
    Facts.Arch = 90;
    Facts.Threads = Threads;
    Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
    SpilledWords = [](const Build &) { return 0; };
    Code = [](const Build &V) { return waitingAlso(V); };
  }

  /// Code that waits for Loads loads, one after the other, so that more warps
  /// make it faster.
  static CodeSummary waiting(unsigned Loads = 50) {
    TraceStep Load, Use;
    Load.Unit = TraceUnit::GlobalLoad;
    Load.WriteBarrier = 0;
    Use.Unit = TraceUnit::ALU;
    Use.WaitMask = 1;
    CodeSummary C;
    for (unsigned I = 0; I != Loads; ++I)
      C.Trace.insert(C.Trace.end(), {Load, Use});
    return C;
  }

  /// The same for V, with a twelfth more for its slots or its spill code.
  static CodeSummary waitingAlso(const Build &V, unsigned Loads = 48) {
    bool HasMore = V.spillBytes() || V.StaticShared;
    return waiting(HasMore ? Loads + Loads / 12 : Loads);
  }

  /// Code that issues all the time, so that more warps change nothing.
  static CodeSummary issuing(unsigned Steps = 1000) {
    TraceStep Step;
    Step.Unit = TraceUnit::ALU;
    CodeSummary C;
    C.Trace.assign(Steps, Step);
    return C;
  }

  std::optional<Outcome> search() {
    Built.clear();
    Calls = CodesRead = Readings = 0;
    FreeGoal Goal{Facts,
                  O,
                  *lookupSMLimits(90),
                  Pressure,
                  MaySpillToShared,
                  MovesFrames,
                  HasArrayRewrites};
    auto Make = [this](llvm::ArrayRef<BuildRecipe> Wanted) {
      return build(Wanted);
    };
    auto Read = [this](llvm::ArrayRef<Build> Wanted) { return read(Wanted); };
    auto Measure = [this](llvm::ArrayRef<BuildRecipe> Wanted) {
      std::vector<unsigned> Words;
      for (const BuildRecipe &R : Wanted)
        Words.push_back(WordsOf(R));
      return std::optional(Words);
    };
    return searchFreely(
        Goal, Make, HasDisassembler ? ReadBuilds(Read) : nullptr,
        [this](llvm::ArrayRef<Rewrite> Single) {
          auto List = ListWorthwhile;
          llvm::erase_if(List, [Single](Rewrite O) {
            return !llvm::is_contained(Single, O);
          });
          return List;
        },
        WordsOf ? MeasurePressure(Measure) : nullptr);
  }

  unsigned count(Decision What) const {
    unsigned N = 0;
    for (const Build &V : Built)
      N += V.What == What;
    return N;
  }

  bool wasBuilt(Decision What, unsigned MaxRegs) const {
    for (const Build &V : Built)
      if (V.What == What && V.MaxRegs == MaxRegs && !V.MinBlocks)
        return true;
    return false;
  }

private:
  Build assembled(const BuildRecipe &R) const {
    Build V(R);
    unsigned FreeRegs =
        V.MinBlocks || V.MaxRegs ? std::max(StockRegs, LiftedRegs) : StockRegs;
    if (any(V.Rewrites) && RewrittenRegs)
      FreeRegs = RewrittenRegs;
    V.Regs =
        V.MaxRegs && !V.MinBlocks ? std::min(V.MaxRegs, FreeRegs) : FreeRegs;
    V.SpillStoreBytes = V.SpillLoadBytes = 4 * SpilledWords(V);
    V.FrameBytes = FrameBytes;
    V.PressureAfter = Pressure;
    if (any(V.Rewrites)) {
      V.PressureAfter = LeanPressure;
      V.Regs = std::min(V.Regs, LeanRegs);
    }
    V.StaticShared = V.What == Decision::Demote ? SlotBytes : 0;
    if (Refuses && Refuses(V)) {
      V.Refusal = "no";
      return V;
    }
    return residentAt({Threads}, V, *lookupSMLimits(90));
  }

  std::optional<std::vector<Build>> build(llvm::ArrayRef<BuildRecipe> Wanted) {
    if (Calls++ == FailingCall)
      return std::nullopt;
    Wanted = Wanted.take_front(MostBuilds - Built.size());
    std::vector<Build> Result;
    for (const BuildRecipe &R : Wanted)
      Result.push_back(assembled(R));
    llvm::append_range(Built, Result);
    return Result;
  }

  std::optional<std::vector<ReadBuild>> read(llvm::ArrayRef<Build> Wanted) {
    ++Readings;
    if (Calls++ == FailingCall)
      return std::nullopt;
    CodesRead += Wanted.size();
    std::vector<ReadBuild> Result;
    for (const Build &V : Wanted)
      Result.push_back({V, Code(V)});
    for (const Build &V : Wanted)
      if (MovesFrames && V.FrameBytes) {
        Build Moved = withFrameMoved(V);
        Result.push_back({Moved, Code(Moved)});
      }
    return Result;
  }

  Build withFrameMoved(Build V) const {
    V.MovedBytes = V.FrameBytes;
    V.SpillStoreBytes = V.SpillLoadBytes = V.FrameBytes = 0;
    V.StaticShared += V.MovedBytes * Threads;
    return residentAt({Threads}, V, *lookupSMLimits(90));
  }
};

} // namespace regdem

#endif // REGDEM_TEST_UNIT_FREESEARCHHARNESS_H
