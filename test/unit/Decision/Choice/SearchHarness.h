//===- SearchHarness.h - builds made up for tests ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ptxas says of a build and what its code shows is made up here: for
// FreeSearchTest of a kernel with 256 threads a block on sm_90, whose occupancy
// steps are 255, 128, 80, 64, 48, 40 and 32 registers for 1 to 8 blocks per SM,
// for CapSearch of one under a stated cap.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_SEARCHHARNESS_H
#define REGDEM_TEST_UNIT_SEARCHHARNESS_H

#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Decision/Choice/Search.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <functional>

namespace regdem {

/// A source of builds that functions make up.
constexpr unsigned SearchThreads = 256;

class MadeUpBuilds : public BuildSource {
public:
  std::function<Build(const BuildRecipe &)> Assemble;
  std::function<CodeSummary(const Build &)> Code;
  std::vector<Rewrite> Worthwhile; ///< What may be rewritten.
  bool MovesFrames = false;        ///< All that there are.
  /// The call of make() or read(), counted together, that fails.
  unsigned FailingCall = ~0u;
  size_t MostBuilds = ~size_t(0); ///< All that may be built.

  std::vector<Build> Built; ///< All builds, in the order of building.
  unsigned Calls = 0, CodesRead = 0;

  std::optional<std::vector<Build>>
  make(llvm::ArrayRef<BuildRecipe> Wanted) override {
    if (Calls++ == FailingCall)
      return std::nullopt;
    std::vector<Build> Result;
    for (const BuildRecipe &R : Wanted.take_front(MostBuilds - Built.size()))
      Result.push_back(Assemble(R));
    llvm::append_range(Built, Result);
    return Result;
  }
  size_t left() const override {
    return MostBuilds > Built.size() ? MostBuilds - Built.size() : 0;
  }
  std::optional<std::vector<ReadBuild>>
  read(llvm::ArrayRef<Build> Made) override {
    if (Calls++ == FailingCall)
      return std::nullopt;
    CodesRead += Made.size();
    std::vector<ReadBuild> Result;
    for (const Build &V : Made)
      Result.push_back({V, Code(V)});
    for (const Build &V : Made)
      if (MovesFrames && V.FrameBytes) {
        Build Moved = withFrameMoved(V);
        Result.push_back({Moved, Code(Moved)});
      }
    return Result;
  }
  std::vector<Rewrite> worthwhile(llvm::ArrayRef<Rewrite> Single) override {
    std::vector<Rewrite> List = Worthwhile;
    llvm::erase_if(
        List, [Single](Rewrite R) { return !llvm::is_contained(Single, R); });
    return List;
  }

  std::optional<std::vector<unsigned>>
  pressures(llvm::ArrayRef<BuildRecipe> Wanted) override {
    std::vector<unsigned> Words;
    for (const BuildRecipe &R : Wanted)
      Words.push_back(Assemble(R).PressureAfter);
    return Words;
  }

private:
  static Build withFrameMoved(Build V) {
    V.MovedBytes = V.FrameBytes;
    V.SpillStoreBytes = V.SpillLoadBytes = V.FrameBytes = 0;
    V.StaticShared += V.MovedBytes * SearchThreads;
    return residentAt({SearchThreads}, V, *lookupSMLimits(90));
  }
};

/// Code that waits for Loads loads, one after the other, so that more warps
/// make it faster.
inline CodeSummary waiting(unsigned Loads = 50) {
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
inline CodeSummary waitingAlso(const Build &V, unsigned Loads = 48) {
  bool HasMore = V.spillBytes() || V.StaticShared;
  return waiting(HasMore ? Loads + Loads / 12 : Loads);
}

/// Code that issues all the time, so that more warps change nothing.
inline CodeSummary issuing(unsigned Steps = 1000) {
  TraceStep Step;
  Step.Unit = TraceUnit::ALU;
  CodeSummary C;
  C.Trace.assign(Steps, Step);
  return C;
}

/// Searches among such builds of a kernel with launch bounds.
class MadeUpSearch : public testing::Test, protected MadeUpBuilds {
protected:
  KernelFacts Facts;
  Options O;
  bool MaySpillToShared = false;

  MadeUpSearch() {
    Facts.Arch = 90;
    Facts.Threads = SearchThreads;
    Facts.ThreadsFrom = BlockSizeSource::MaxNTID;
  }

  Question question(std::optional<Objective> Cap) const {
    Question Q{Facts, O, *lookupSMLimits(90), Cap};
    Q.MaySpillToShared = MaySpillToShared;
    Q.MovesFrames = MovesFrames;
    return Q;
  }

  std::optional<Outcome> answer(const Question &Q) {
    Built.clear();
    Calls = CodesRead = 0;
    return regdem::search(Q, *this);
  }

  /// What S has settled; it is to have done so.
  static Outcome settledBy(std::optional<Outcome> S) {
    EXPECT_TRUE(S);
    return S ? std::move(*S) : settledOn({Build()}, 0);
  }

  unsigned count(Decision What) const {
    return llvm::count_if(Built,
                          [=](const Build &V) { return V.What == What; });
  }
};

class FreeSearchTest : public MadeUpSearch {
protected:
  unsigned Pressure = 70;
  unsigned OrderedPressure = 0; ///< In another order; 0: the same.
  /// With a pass left out, and ptxas's registers at most.
  unsigned LeanPressure = 0, LeanRegs = 255;
  Rewrite OfMemory = Rewrite::None;
  NotedLaunches Noted; ///< Nothing, as it is here.
  /// Whether ptxas refuses a build; empty: it refuses none.
  std::function<bool(const Build &)> Refuses;

  /// Registers that ptxas takes without a cap.
  unsigned StockRegs = 80;
  /// The same where it is told to make room for one block; 0: no other.
  unsigned LiftedRegs = 0;
  /// The same with a rewrite; 0: as many as without.
  unsigned RewrittenRegs = 0;
  unsigned FrameBytes = 0; ///< Of all builds with their arrays.
  /// Words that ptxas spills under a cap: without demotion, and with it.
  std::function<unsigned(const Build &)> SpilledWords;
  /// Shared memory that demotion takes unless it is bounded.
  unsigned SlotBytes = 8192;

  FreeSearchTest() {
    SpilledWords = [](const Build &) { return 0; };
    Code = [](const Build &V) { return waitingAlso(V); };
    Assemble = [this](const BuildRecipe &R) { return assembled(R); };
  }

  Question question() const {
    Question Q = MadeUpSearch::question(/*Cap=*/std::nullopt);
    Q.Pressure = Pressure;
    Q.OfMemory = OfMemory;
    Q.Noted = &Noted;
    return Q;
  }

  std::optional<Outcome> search() { return answer(question()); }
  Outcome settled() { return settledBy(search()); }

  bool wasBuilt(Decision What, unsigned MaxRegs) const {
    return llvm::any_of(Built, [=](const Build &V) {
      return V.What == What && V.MaxRegs == MaxRegs && !V.MinBlocks;
    });
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
    V.FrameBytes = has(V.Rewrites, Rewrite::LowerArrays) ? 0 : FrameBytes;
    V.PressureAfter = Pressure;
    if (V.Order != InstOrder::Source && OrderedPressure)
      V.PressureAfter = OrderedPressure;
    if (any(V.Rewrites)) {
      V.PressureAfter = LeanPressure;
      V.Regs = std::min(V.Regs, LeanRegs);
    }
    V.StaticShared = V.What == Decision::Demote ? SlotBytes : 0;
    if (Refuses && Refuses(V)) {
      V.Refusal = "no";
      return V;
    }
    return residentAt({SearchThreads}, V, *lookupSMLimits(90));
  }
};

constexpr unsigned Cap = 40;

/// Fills in what ptxas says of one build.
using Assembler = std::function<void(Build &)>;

class CapSearch : public MadeUpSearch {
protected:
  Objective Goal;
  /// Predicted cycles; by default those of the figures.
  std::function<double(const Build &)> CyclesOf;

  CapSearch() {
    Goal.MaxRegs = Cap;
    Goal.CapIsNew = true;
    Goal.SlotBytes = 16384;
    CyclesOf = [](const Build &V) { return 1000 + scoreOf(V); };
    Code = [this](const Build &V) { return issuing(CyclesOf(V)); };
  }

  std::optional<Outcome> search(const Assembler &Fill) {
    Assemble = [&Fill](const BuildRecipe &R) {
      Build V(R);
      V.Regs = Cap;
      V.PressureAfter = V.Target ? V.Target : Cap + 20;
      Fill(V);
      return V.isRefused()
                 ? V
                 : residentAt({SearchThreads}, V, *lookupSMLimits(90));
    };
    Question Q = question(Goal);
    for (Rewrite R : Worthwhile)
      Q.OfMemory |= R & MemoryRewrites;
    return answer(Q);
  }
  Outcome settled(const Assembler &Fill) { return settledBy(search(Fill)); }
};

inline void spill(Build &V, unsigned Words) {
  V.SpillStoreBytes = V.SpillLoadBytes = 4 * Words;
}

/// Without demotion 100 words are spilled. With it, those by which the target
/// is above Reached; every word below costs one word of slots.
inline Assembler spillsAbove(unsigned Reached) {
  return [Reached](Build &V) {
    if (V.What == Decision::Demote) {
      spill(V, V.Target > Reached ? V.Target - Reached : 0);
      V.SlotAccesses = 2 * (Cap + 20 - V.Target);
      V.StaticShared = 256 * (Cap + 20 - V.Target);
    } else {
      spill(V, 100);
    }
  };
}

} // namespace regdem

#endif // REGDEM_TEST_UNIT_SEARCHHARNESS_H
