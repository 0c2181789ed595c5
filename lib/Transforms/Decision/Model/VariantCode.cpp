//===- VariantCode.cpp - one warp's way through a variant -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/VariantCode.h"

#include "LoadedAddresses.h"
#include "LocalReuse.h"
#include "MachineTimings.h"
#include "StridedStores.h"
#include "TouchedLines.h"
#include "regdem/Decision/PaperScorer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <array>

using namespace llvm;

namespace regdem {

namespace {

/// Iterations of loops that stand alone, of loops in those, and of all deeper
/// ones. Enough for the loops to outweigh what is around them, as in nearly
/// all kernels; how much more is not known and changes little, since variants
/// are compared with each other only. The first row is used unless it makes
/// the trace too long.
using Trips = std::array<unsigned, 3>;
constexpr Trips TripRows[] = {{8, 4, 2}, {4, 2, 1}, {2, 1, 1}, {1, 1, 1}};
/// The trace is too long with more than so many steps of the kernel's own
/// arithmetic and memory accesses, which variants have in common, so that the
/// same row is used for all of them; or with so many steps of any kind.
constexpr double MostOwnSteps = 60000, MostSteps = 400000;

/// Bytes between two loads of a word from which on less than half of the lines
/// of a warp, or of a thread's sector, are the same.
constexpr uint64_t MostLineDistance = 64, MostSectorDistance = 16;

bool isWork(TraceUnit Unit) {
  return Unit == TraceUnit::GlobalLoad || Unit == TraceUnit::GlobalStore ||
         Unit == TraceUnit::Barrier;
}

bool isOwn(TraceUnit Unit) {
  return isWork(Unit) || Unit == TraceUnit::FMA || Unit == TraceUnit::FP64 ||
         Unit == TraceUnit::Special || Unit == TraceUnit::Tensor;
}

bool mayBeSpillCode(TraceUnit Unit) {
  return isLocalAccess(Unit) || Unit == TraceUnit::SharedLoad ||
         Unit == TraceUnit::SharedStore;
}

/// Tests for equality of integers from which on a warp hardly ever gets to what
/// is behind them. One holds for 16 % of the threads (the opcode heuristic of
/// Wu and Larus, "Static Branch Frequency and Program Profile Analysis", MICRO
/// 1994), so three hold for any of 32 threads one time in eight.
constexpr unsigned MostEqualities = 2;

bool isLeftOut(const SassBlock &B) {
  return B.IsSlowPath || B.Equalities > MostEqualities;
}

/// What I, in B, keeps busy on the way.
TraceUnit unitOnWay(const SassBlock &B, const SassInstruction &I) {
  return B.Equalities + I.Equalities > MostEqualities ? TraceUnit::Control
                                                      : unitOf(I);
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

TraceStep stepOf(const SassInstruction &I, TraceUnit Unit) {
  TraceStep S;
  S.Unit = Unit;
  S.Words = static_cast<uint8_t>(wordsOf(I));
  S.Stall = std::max<uint8_t>(1, I.Stall);
  S.WriteBarrier = I.WriteBarrier;
  S.ReadBarrier = I.ReadBarrier;
  S.WaitMask = I.WaitMask;
  S.CodeLine = static_cast<uint32_t>(I.Address / CodeLineBytes);
  return S;
}

class Tracer {
public:
  explicit Tracer(const SassKernel &K) : K(K), Spans(K.Loops.size()) {
    for (unsigned B = 0; B != K.Blocks.size() && K.Blocks[B].Function == 0; ++B)
      note(B);
  }

  VariantCode run() {
    VariantCode Code;
    if (End == 0)
      return Code;
    Size Full = measure({0, End - 1}, std::nullopt, 0, TripRows[0]);
    Code.Work = Full.Whole;
    for (const Trips &Row : TripRows) {
      Size Cut = measure({0, End - 1}, std::nullopt, 0, Row);
      if ((Cut.OwnSteps > MostOwnSteps || Cut.Steps > MostSteps) &&
          &Row != std::end(TripRows) - 1)
        continue;
      if (Cut.Work > 0)
        Code.WorkScale = Full.Work / Cut.Work;
      Followed What;
      emit({0, End - 1}, std::nullopt, 0, Row, Code.Trace, What);
      What.Local.apply(Code.Trace);
      What.Strided.apply(Code.Trace);
      break;
    }
    return Code;
  }

private:
  struct Span {
    unsigned First = ~0u, Last = 0;
  };
  struct Size {
    double Steps = 0, OwnSteps = 0, Work = 0;
    WayWork Whole;
  };
  /// What is known of memory accesses from those ahead of them.
  struct Followed {
    LocalReuse Local;
    LoadedAddresses Global;
    TouchedLines Touched;
    StridedStores Strided;
    BankReads Banks;
  };
  using LoopId = std::optional<unsigned>;

  const SassKernel &K;
  std::vector<Span> Spans; ///< Blocks of each loop, inner loops included.
  unsigned End = 0;        ///< Blocks of the kernel's own function.

  void note(unsigned B) {
    End = B + 1;
    for (LoopId L = K.Blocks[B].Loop; L; L = K.Loops[*L].Parent) {
      Spans[*L].First = std::min(Spans[*L].First, B);
      Spans[*L].Last = std::max(Spans[*L].Last, B);
    }
  }

  /// The loop directly within Around that begins at block B and ends by Last.
  LoopId loopAt(unsigned B, LoopId Around, unsigned Last) const {
    LoopId L = K.Blocks[B].Loop;
    while (L && K.Loops[*L].Parent != Around)
      L = K.Loops[*L].Parent;
    if (!L || Spans[*L].First != B || Spans[*L].Last > Last)
      return std::nullopt;
    return L;
  }

  Size measure(Span S, LoopId Around, unsigned Depth, const Trips &Row) const {
    Size Sum;
    for (unsigned B = S.First; B <= S.Last; ++B) {
      if (isLeftOut(K.Blocks[B]))
        continue;
      if (LoopId L = loopAt(B, Around, S.Last)) {
        Size Inner = measure(Spans[*L], L, Depth + 1, Row);
        unsigned Times = Row[std::min<size_t>(Depth, Row.size() - 1)];
        Sum.Steps += Times * Inner.Steps;
        Sum.OwnSteps += Times * Inner.OwnSteps;
        Sum.Work += Times * Inner.Work;
        Sum.Whole.Words += Times * Inner.Whole.Words;
        Sum.Whole.Instructions += Times * Inner.Whole.Instructions;
        B = Spans[*L].Last;
        continue;
      }
      Sum.Steps += K.Blocks[B].Instructions.size();
      for (const SassInstruction &I : K.Blocks[B].Instructions) {
        TraceUnit Unit = unitOnWay(K.Blocks[B], I);
        Sum.OwnSteps += isOwn(Unit);
        Sum.Whole.Instructions += !mayBeSpillCode(Unit);
        if (isWork(Unit)) {
          ++Sum.Work;
          Sum.Whole.Words += wordsOf(I);
        }
      }
    }
    return Sum;
  }

  void emit(Span S, LoopId Around, unsigned Depth, const Trips &Row,
            std::vector<TraceStep> &Trace, Followed &What) const {
    for (unsigned B = S.First; B <= S.Last; ++B) {
      if (isLeftOut(K.Blocks[B]))
        continue;
      if (LoopId L = loopAt(B, Around, S.Last)) {
        unsigned Times = Row[std::min<size_t>(Depth, Row.size() - 1)];
        for (unsigned I = 0; I != Times; ++I)
          emit(Spans[*L], L, Depth + 1, Row, Trace, What);
        B = Spans[*L].Last;
        continue;
      }
      for (const SassInstruction &I : K.Blocks[B].Instructions) {
        Trace.push_back(stepOf(I, unitOnWay(K.Blocks[B], I)));
        TraceStep &Step = Trace.back();
        What.Local.note(I, Step);
        Step.IsScattered = What.Global.note(I, Step.Unit);
        if (auto Distance = What.Touched.note(I, Step.Unit)) {
          Step.IsInLines = *Distance < MostLineDistance * Step.Words;
          Step.IsInSectors = *Distance < MostSectorDistance;
        }
        What.Strided.note(I, Step.Unit);
        What.Banks.note(I, Step);
      }
    }
  }
};

TraceUnit unitOfInteger(StringRef Base) {
  return StringSwitch<TraceUnit>(Base)
      .Cases({"IMAD", "IMUL", "IDP", "IDP4A", "VIADD"},
             TraceUnit::IntegerMultiply)
      .Cases({"POPC", "FLO", "BREV"}, TraceUnit::Special)
      .Default(TraceUnit::ALU);
}

} // namespace

TraceUnit unitOf(const SassInstruction &I) {
  using U = TraceUnit;
  StringRef Base = baseOpcode(I.Opcode);
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

VariantCode summarize(const SassKernel &K) {
  VariantCode Code = Tracer(K).run();
  addPaperStalls(K, Code);
  return Code;
}

} // namespace regdem
