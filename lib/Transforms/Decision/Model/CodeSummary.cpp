//===- CodeSummary.cpp - one warp's way through a build -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CodeSummary.h"

#include "MachineTimings.h"
#include "TouchedLines.h"
#include "TracedLoops.h"
#include "TracedValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;

namespace regdem {

static TraceUnit unitOfInteger(StringRef Base) {
  return StringSwitch<TraceUnit>(Base)
      .Cases({"IMAD", "IMUL", "IDP", "IDP4A", "VIADD"},
             TraceUnit::IntegerMultiply)
      .Cases({"POPC", "FLO", "BREV"}, TraceUnit::Special)
      .Default(TraceUnit::ALU);
}

TraceUnit unitOf(const SassInstruction &I) {
  using U = TraceUnit;
  StringRef Base = I.base();
  switch (I.Class) {
  case SassClass::LocalLoad:
    return U::LocalLoad;
  case SassClass::LocalStore:
    return U::LocalStore;
  case SassClass::SharedLoad:
  case SassClass::Shuffle:
    return U::SharedLoad;
  case SassClass::SharedStore:
    return U::SharedStore;
  case SassClass::GlobalLoad:
  case SassClass::AsyncCopy:
  case SassClass::Texture:
    return U::GlobalLoad;
  case SassClass::GlobalStore:
    return U::GlobalStore;
  case SassClass::Atomic:
    if (Base == "ATOMS")
      return U::SharedLoad;
    return Base.starts_with("RED") ? U::GlobalStore : U::GlobalLoad;
  case SassClass::ConstantLoad:
    return Base == "LDC" ? U::Constant : U::Uniform;
  case SassClass::Tensor:
    return U::Tensor;
  case SassClass::FP32:
    return Base.starts_with("FADD") || Base.starts_with("FMUL") ||
                   Base.starts_with("FFMA")
               ? U::FMA
               : U::ALU;
  case SassClass::Half:
    return Base.contains("SET") || Base == "HMNMX2" ? U::ALU : U::FMA;
  case SassClass::FP64:
    return U::FP64;
  case SassClass::Integer:
    return unitOfInteger(Base);
  case SassClass::Conversion:
    // Packing and widening of small formats run where integers do.
    return Base == "F2FP" || Base == "I2FP" || Base == "I2IP" ? U::ALU
                                                              : U::Special;
  case SassClass::Special:
    return U::Special;
  case SassClass::Uniform:
    return U::Uniform;
  case SassClass::Barrier:
    return Base == "BAR" ? U::Barrier : U::Control;
  case SassClass::Move:
    return Base == "IMAD" ? U::FMA : Base == "UMOV" ? U::Uniform : U::ALU;
  case SassClass::SystemRegister:
    return Base == "CS2R" ? U::ALU : U::SystemRegister;
  case SassClass::Branch:
  case SassClass::Other:
    return U::Control;
  }
  return U::Control;
}

namespace {

/// Enough for the loops to outweigh what is around them, as in nearly all
/// kernels; how much more is not known and changes little, since builds are
/// compared with each other only. The first row is used unless it makes the
/// trace of the first build too long. Then outer loops are cut short first:
/// what is in the innermost ones runs most often.
constexpr Trips TripRows[] = {{{8, 4, 2}},       {{4, 4, 1}, true},
                              {{4, 2, 1}, true}, {{4, 1, 1}, true},
                              {{2, 1, 1}, true}, {{1, 1, 1}, true}};
/// Steps with more of which a trace is too long, and those with more of which,
/// cut as short as can be, it does not go into functions. Choices are as good
/// with more (benchmarks/model/README.md).
constexpr double MostSteps = 4000, MostStepsWithCalls = 20000;
/// Steps with more of which a trace has fewer iterations than loops show: nests
/// of such loops make any length of it.
constexpr double MostStepsShown = 8000;

/// Bytes between two loads of a word from which on less than half of the lines
/// of a warp, or of a thread's sector, are the same.
constexpr uint64_t MostLineDistance = 64, MostSectorDistance = 16;

bool isWork(TraceUnit Unit) {
  return Unit == TraceUnit::GlobalLoad || Unit == TraceUnit::GlobalStore ||
         Unit == TraceUnit::Barrier;
}

bool mayBeSpillCode(TraceUnit Unit) {
  return isLocalAccess(Unit) || Unit == TraceUnit::SharedLoad ||
         Unit == TraceUnit::SharedStore;
}

/// 32-bit words that I moves for a thread, at least 1.
unsigned wordsOf(const SassInstruction &I) { return std::max(1u, I.Bytes / 4); }

/// Registers that instructions read, of each bank. What is kept of one's is at
/// hand for the next.
class BankReads {
public:
  void note(const SassInstruction &I, TraceStep &S) {
    for (const SassRegister &R : I.Reads)
      if (R.File == SassFile::General && !is_contained(Kept, R))
        ++S.BankReads[R.Index % 2];
    Kept = I.Kept;
  }

private:
  ArrayRef<SassRegister> Kept;
};

/// Makes misses and hits of probabilities, as many as these add up to.
class WholeMisses {
public:
  bool hits(double MissProbability) {
    if (MissProbability == 1)
      return false;
    Owed += MissProbability;
    if (Owed < 1)
      return true;
    --Owed;
    return false;
  }

private:
  double Owed = 0.5;
};

/// Until I is done for the warp, which goes on no sooner, where it is a fence
/// that other blocks or the host take part in; else 1.
uint16_t fenceCycles(const SassInstruction &I) {
  if (I.base() != "MEMBAR")
    return 1;
  return I.has("SYS")   ? SystemFenceCycles
         : I.has("GPU") ? DeviceFenceCycles
                        : 1;
}

TraceStep stepOf(const SassInstruction &I, TraceUnit Unit) {
  TraceStep S;
  S.Unit = Unit;
  S.Words = static_cast<uint8_t>(wordsOf(I));
  S.Stall = std::max<uint16_t>(I.Stall, fenceCycles(I));
  S.WriteBarrier = I.WriteBarrier;
  S.ReadBarrier = I.ReadBarrier;
  S.WaitMask = I.WaitMask;
  S.CodeLine = static_cast<uint32_t>(I.Address / CodeLineBytes);
  return S;
}

/// Of 32 places so many are taken, in the mean, where each of 32 threads takes
/// any: 32 * (1 - (31 / 32)^32).
constexpr unsigned SectorsOfWord = 20;

/// L1 hands what is stored on to L2, sector by sector: of an array of eight
/// words, a warp's words are in as many sectors as it has threads. Of a guarded
/// store nobody knows how many threads make it.
uint8_t scatteredSectors(const TraceStep &Step, const SassInstruction &I) {
  bool IsCertain = Step.Unit == TraceUnit::LocalStore && !I.isPredicated();
  return Step.IsScattered && IsCertain ? SectorsOfWord * Step.Words : 0;
}

class Tracer {
public:
  Tracer(const SassKernel &K, const TraceRules &Rules)
      : K(K), HasGenericFrame(hasGenericFrame(K)), Calls(K),
        Loops(K, Calls, Rules), Rules(Rules) {
    // Functions that call others several times each make long ways of little
    // code.
    EntersCalls = Rules.EntersCalls.value_or(
        wholeSize(std::size(TripRows) - 1).Steps <= MostStepsWithCalls);
    if (!EntersCalls) {
      Calls.enterNone();
      Sizes.clear();
    }
  }

  CodeSummary run() {
    CodeSummary Code;
    Code.EntersCalls = EntersCalls;
    if (Loops.function(0).empty())
      return Code;
    Size Full = wholeSize(0);
    Code.Work = Full.Whole;
    Code.InnermostLoops = Loops.innermost();
    unsigned Row = Rules.Cut.value_or(0);
    while (!Rules.Cut && Row + 1 != std::size(TripRows) &&
           wholeSize(Row).Steps > MostSteps)
      ++Row;
    Code.Cut = Row;
    for (; wholeSize(Row).Steps > MostStepsShown && MostOfLoop > 1;
         MostOfLoop /= 2)
      Sizes.clear();
    Size Left = wholeSize(Row);
    if (Left.Whole.Own > 0)
      Code.WorkScale = Full.Whole.Own / Left.Whole.Own;
    if (Left.Steps > 0)
      Code.WorkScale *= Left.AllSteps / Left.Steps;
    Code.Trace = traceOf(TripRows[Row], Row);
    if (Rules.WantsShort) {
      Trips Few = TripRows[Row];
      for (unsigned &Times : Few.Times)
        Times = std::min(Times, UnrolledIterations);
      Code.ShortTrace = traceOf(Few, Row);
    }
    return Code;
  }

private:
  using Span = TracedLoops::Span;
  using LoopId = TracedLoops::LoopId;
  struct Size {
    double Steps = 0;    ///< Of the trace.
    double AllSteps = 0; ///< With all iterations that loops show.
    WayWork Whole;

    /// Times: so often; Traced: in the trace.
    void add(const Size &Other, unsigned Times, unsigned Traced) {
      Steps += Traced * Other.Steps;
      AllSteps += Times * Other.AllSteps;
      Whole.Own += Times * Other.Whole.Own;
      Whole.Arithmetic += Times * Other.Whole.Arithmetic;
      Whole.Words += Times * Other.Whole.Words;
      Whole.Instructions += Times * Other.Whole.Instructions;
      Whole.Calls += Times * Other.Whole.Calls;
      Whole.IsCounted &= Other.Whole.IsCounted;
      Whole.RunsLonger |= Other.Whole.RunsLonger;
    }
  };
  /// What is known of memory accesses from those ahead of them.
  struct Followed {
    TracedValues Values;
    TouchedLines Touched;
    WholeMisses Sectors;
    std::set<TracedWord> Stored; ///< Words of local memory.
    BankReads Banks;
    std::optional<unsigned> Block; ///< That the trace was in last.
    /// What was in registers at the ends of blocks that branch.
    std::map<unsigned, TracedValues::State> AtEnd;
  };
  const SassKernel &K;
  const bool HasGenericFrame;
  TracedCalls Calls;
  TracedLoops Loops;
  const TraceRules &Rules;
  bool EntersCalls;
  /// Of functions, by the row of trips and the number of loops around the call,
  /// as far as that matters.
  std::map<std::array<unsigned, 3>, Size> Sizes;
  /// Steps of a loop, with all that is in it.
  double MostOfLoop = MostStepsShown;
  /// Iterations in traces of a loop, at most, by row, loop, and how deep it is.
  std::map<std::array<unsigned, 3>, unsigned> MostTrips;

  /// What I, in B, keeps busy on the way.
  TraceUnit unitOnWay(const SassBlock &B, const SassInstruction &I) const {
    if (B.Equalities + I.Equalities > MostEqualities)
      return TraceUnit::Control;
    TraceUnit Unit = unitOf(I);
    if (!HasGenericFrame || !isGenericAccess(I))
      return Unit;
    return Unit == TraceUnit::GlobalLoad ? TraceUnit::LocalLoad
                                         : TraceUnit::LocalStore;
  }

  unsigned depthIn(unsigned Loop, unsigned Depth) const {
    return Loops.isCounted(Loop) ? Depth : Depth + 1;
  }

  /// Depth as far as it matters.
  static unsigned shownDepth(unsigned Depth) {
    return std::min<unsigned>(Depth, TripRows[0].Times.size() - 1);
  }

  /// Iterations of BodySteps in Steps, at least one.
  static unsigned tripsIn(double Steps, double BodySteps) {
    return static_cast<unsigned>(
        std::max(Steps / std::max(BodySteps, 1.0), 1.0));
  }

  Size wholeSize(unsigned Row) { return sizeOf(0, 0, Row); }

  Size sizeOf(unsigned Function, unsigned Depth, unsigned Row) {
    Depth = shownDepth(Depth);
    std::array<unsigned, 3> Key = {Row, Function, Depth};
    if (auto Known = Sizes.find(Key); Known != Sizes.end())
      return Known->second;
    Size S = measure(Loops.function(Function), std::nullopt, Depth, Row);
    Sizes[Key] = S;
    return S;
  }

  Size measure(Span S, LoopId Around, unsigned Depth, unsigned Row) {
    Size Sum;
    Sum.Whole.IsCounted = true;
    for (unsigned B = S.First; B <= S.Last; ++B) {
      if (Loops.isSkipped(B))
        continue;
      if (LoopId L = Loops.loopAt(B, Around, S.Last)) {
        Size Body = measure(Loops[*L], L, depthIn(*L, Depth), Row);
        unsigned Times = Loops.trips(*L, Depth, TripRows[Row]);
        unsigned Traced = Times;
        if (Loops.isGivenCount(*L))
          Traced = std::min(Times, tripsIn(MostOfLoop, Body.Steps));
        MostTrips[{Row, *L, Depth}] = Traced;
        Sum.add(Body, Times, Traced);
        Sum.Whole.IsCounted &= Loops.isCounted(*L);
        Sum.Whole.RunsLonger |= Loops.runsLonger(*L, Depth, TripRows[Row]);
        B = Loops[*L].Last;
        continue;
      }
      Sum.Steps += K.Blocks[B].Instructions.size();
      Sum.AllSteps += K.Blocks[B].Instructions.size();
      for (const SassInstruction &I : K.Blocks[B].Instructions) {
        TraceUnit Unit = unitOnWay(K.Blocks[B], I);
        Sum.Whole.Own += isOfTheSource(I);
        Sum.Whole.Arithmetic += isArithmetic(I);
        Sum.Whole.Instructions += !mayBeSpillCode(Unit);
        if (isWork(Unit))
          Sum.Whole.Words += wordsOf(I);
      }
      if (auto Callee = Calls.after(K.Blocks[B])) {
        Sum.add(sizeOf(*Callee, Depth, Row), 1, 1);
        ++Sum.Whole.Calls;
      }
    }
    return Sum;
  }

  /// Loops are given iterations as Given says, but no more than in Row's trace,
  /// which has been measured.
  std::vector<TraceStep> traceOf(const Trips &Given, unsigned Row) const {
    std::vector<TraceStep> Trace;
    Followed What;
    emit(Loops.function(0), std::nullopt, 0, Given, Row, Trace, What);
    What.Values.apply(Trace);
    return Trace;
  }

  /// A trace goes both ways of a branch, one after the other: the second begins
  /// where the branch is.
  void comeTo(unsigned B, Followed &What) const {
    if (!What.Block || leadsTo(*What.Block, B))
      return;
    auto From = find_if(reverse(What.AtEnd),
                        [&](const auto &End) { return leadsTo(End.first, B); });
    if (From != What.AtEnd.rend())
      What.Values.goTo(From->second);
  }

  bool leadsTo(unsigned From, unsigned To) const {
    return is_contained(K.Blocks[From].Successors, To);
  }

  void emit(Span S, LoopId Around, unsigned Depth, const Trips &Given,
            unsigned Row, std::vector<TraceStep> &Trace, Followed &What) const {
    for (unsigned B = S.First; B <= S.Last; ++B) {
      if (Loops.isSkipped(B))
        continue;
      if (LoopId L = Loops.loopAt(B, Around, S.Last)) {
        unsigned Times = std::min(Loops.trips(*L, Depth, Given),
                                  MostTrips.at({Row, *L, Depth}));
        for (unsigned I = 0; I != Times; ++I)
          emit(Loops[*L], L, depthIn(*L, Depth), Given, Row, Trace, What);
        B = Loops[*L].Last;
        continue;
      }
      comeTo(B, What);
      for (const SassInstruction &I : K.Blocks[B].Instructions) {
        Trace.push_back(stepOf(I, unitOnWay(K.Blocks[B], I)));
        TraceStep &Step = Trace.back();
        TracedValues::Addresses Are = What.Values.note(I, Step.Unit);
        Step.IsScattered = Are == TracedValues::Addresses::Random;
        Step.IsShared = Are == TracedValues::Addresses::Equal;
        Step.Sectors = scatteredSectors(Step, I);
        Step.IsFirst = Step.Unit == TraceUnit::LocalStore &&
                       What.Stored.insert(wordOf(I, /*IsLocal=*/true)).second;
        LoadNeighbours Near = What.Touched.note(I, Step.Unit);
        Step.IsInLines = Near.nearest() < MostLineDistance * Step.Words;
        Step.IsInSectors =
            Step.Unit == TraceUnit::GlobalLoad && Step.IsScattered
                ? What.Sectors.hits(Near.newSectors())
                : Near.nearest() < MostSectorDistance;
        What.Banks.note(I, Step);
      }
      if (K.Blocks[B].Successors.size() > 1)
        What.AtEnd[B] = What.Values.state();
      if (auto Callee = Calls.after(K.Blocks[B]))
        emit(Loops.function(*Callee), std::nullopt, shownDepth(Depth), Given,
             Row, Trace, What);
      What.Block = B;
    }
  }
};

} // namespace

bool hasGenericFrame(const SassKernel &K) {
  return any_of(K.Blocks, [](const SassBlock &B) {
    return any_of(B.Instructions, readsLocalWindow);
  });
}

CodeSummary summarize(const SassKernel &K, const TraceRules &Rules) {
  return Tracer(K, Rules).run();
}

CodeSummary Summarizer::summarize(const SassKernel &K, Rewrite Rewrites) {
  bool IsFirst = !Rules.Cut, IsUnrolled = has(Rewrites, Rewrite::UnrollLoops);
  if (IsFirst && MayUnroll)
    Rules.Counts = showsInnerCounts(K) ? LoopCounts::All : LoopCounts::Shown;
  Rules.Rolled = IsUnrolled ? ArrayRef(Rolled) : ArrayRef<LoopWork>();
  Rules.WantsShort = IsUnrolled || !any(Rewrites);
  CodeSummary Code = regdem::summarize(K, Rules);
  Rules.EntersCalls = Code.EntersCalls;
  Rules.Cut = Code.Cut;
  if (Rolled.empty() && !IsUnrolled)
    Rolled = Code.InnermostLoops;
  Code.Work.Rewrites = Rewrites;
  Code.Work.RunsLonger |=
      has(Rewrites, Rewrite::LowerArrays) && Rules.Counts == LoopCounts::Shown;
  return Code;
}

} // namespace regdem
