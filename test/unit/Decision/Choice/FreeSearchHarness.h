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
  bool WantsFigures = false;
  bool HasFreeRewrites = false;
  /// The call of Build or Read, counted together, that fails.
  unsigned FailingCall = ~0u;
  bool PragmaFails = false;
  size_t MostBuilds = ~size_t(0);      ///< All that may be built.
  std::vector<Rewrite> ListWorthwhile; ///< What may be left out.

  /// Registers that ptxas takes without a cap.
  unsigned StockRegs = 80;
  /// The same where it is told to make room for one block; 0: no other.
  unsigned LiftedRegs = 0;
  /// The same with a rewrite; 0: as many as without.
  unsigned RewrittenRegs = 0;
  LoneWarp Alone;          ///< Of all variants.
  unsigned FrameBytes = 0; ///< Of all variants.
  /// Words that ptxas spills under a cap: without demotion, and with it.
  std::function<unsigned(const Variant &)> SpilledWords;
  /// Register words before ptxas; empty: nobody measures them.
  std::function<unsigned(const Variant &)> WordsOf;
  /// Shared memory that demotion takes unless it is bounded.
  unsigned SlotBytes = 8192;
  /// What the disassembler shows of a variant.
  std::function<VariantCode(const Variant &)> Code;

  std::vector<Variant> Built; ///< All variants, in the order of building.
  unsigned Calls = 0, CodesRead = 0;
  unsigned Readings = 0; ///< Calls of Read.

  FreeSearchTest() {
    Facts.Arch = 90;
    Facts.Threads = Threads;
    Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
    SpilledWords = [](const Variant &) { return 0; };
    Code = [](const Variant &V) { return waitingAlso(V); };
  }

  /// Code that waits for Loads loads, one after the other, so that more warps
  /// make it faster.
  static VariantCode waiting(unsigned Loads = 50) {
    TraceStep Load, Use;
    Load.Unit = TraceUnit::GlobalLoad;
    Load.WriteBarrier = 0;
    Use.Unit = TraceUnit::ALU;
    Use.WaitMask = 1;
    VariantCode C;
    for (unsigned I = 0; I != Loads; ++I)
      C.Trace.insert(C.Trace.end(), {Load, Use});
    C.PaperStalls = 200 * Loads;
    return C;
  }

  /// The same for V, with a twelfth more for its slots or its spill code.
  static VariantCode waitingAlso(const Variant &V, unsigned Loads = 48) {
    bool HasMore = V.spillBytes() || V.StaticShared;
    return waiting(HasMore ? Loads + Loads / 12 : Loads);
  }

  /// Code that issues all the time, so that more warps change nothing.
  static VariantCode issuing(unsigned Steps = 1000) {
    TraceStep Step;
    Step.Unit = TraceUnit::ALU;
    VariantCode C;
    C.Trace.assign(Steps, Step);
    C.PaperStalls = Steps;
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
                  WantsFigures,
                  HasFreeRewrites};
    auto Build = [this](llvm::ArrayRef<Variant> Wanted) {
      return build(Wanted);
    };
    auto Read = [this](std::vector<Variant> &Wanted) { return read(Wanted); };
    auto Measure = [this](llvm::ArrayRef<Variant> Wanted) {
      std::vector<unsigned> Words;
      for (const Variant &V : Wanted)
        Words.push_back(WordsOf(V));
      return std::optional(Words);
    };
    return searchFreely(
        Goal, Build, HasDisassembler ? ReadVariants(Read) : nullptr,
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
    for (const Variant &V : Built)
      N += V.What == What;
    return N;
  }

  bool wasBuilt(Decision What, unsigned MaxRegs) const {
    for (const Variant &V : Built)
      if (V.What == What && V.MaxRegs == MaxRegs && !V.MinBlocks)
        return true;
    return false;
  }

private:
  void assemble(Variant &V) const {
    unsigned FreeRegs =
        V.MinBlocks || V.MaxRegs ? std::max(StockRegs, LiftedRegs) : StockRegs;
    if (any(V.Rewrites) && RewrittenRegs)
      FreeRegs = RewrittenRegs;
    V.Regs =
        V.MaxRegs && !V.MinBlocks ? std::min(V.MaxRegs, FreeRegs) : FreeRegs;
    V.SpillStoreBytes = V.SpillLoadBytes = 4 * SpilledWords(V);
    V.Alone = Alone;
    V.FrameBytes = FrameBytes;
    V.PressureAfter = Pressure;
    if (any(V.Rewrites)) {
      V.PressureAfter = LeanPressure;
      V.Regs = std::min(V.Regs, LeanRegs);
    }
    V.StaticShared = V.What == Decision::Demote ? SlotBytes : 0;
    setResidency(V, {Threads}, *lookupSMLimits(90));
  }

  std::optional<std::vector<Variant>> build(llvm::ArrayRef<Variant> Wanted) {
    auto IsPragma = [](const Variant &V) { return V.What == Decision::Pragma; };
    if (Calls++ == FailingCall ||
        (PragmaFails && llvm::any_of(Wanted, IsPragma)))
      return std::nullopt;
    Wanted = Wanted.take_front(MostBuilds - Built.size());
    std::vector<Variant> Result(Wanted.begin(), Wanted.end());
    for (Variant &V : Result) {
      assemble(V);
      Built.push_back(V);
    }
    return Result;
  }

  std::optional<std::vector<VariantCode>> read(std::vector<Variant> &Wanted) {
    ++Readings;
    if (Calls++ == FailingCall)
      return std::nullopt;
    CodesRead += Wanted.size();
    for (size_t I = 0, E = Wanted.size(); MovesFrames && I != E; ++I)
      if (Wanted[I].FrameBytes)
        Wanted.push_back(withFrameMoved(Wanted[I]));
    std::vector<VariantCode> Result;
    for (const Variant &V : Wanted)
      Result.push_back(Code(V));
    return Result;
  }

  Variant withFrameMoved(Variant V) const {
    V.MovedBytes = V.FrameBytes;
    V.SpillStoreBytes = V.SpillLoadBytes = V.FrameBytes = 0;
    V.StaticShared += V.MovedBytes * Threads;
    setResidency(V, {Threads}, *lookupSMLimits(90));
    return V;
  }
};

} // namespace regdem

#endif // REGDEM_TEST_UNIT_FREESEARCHHARNESS_H
