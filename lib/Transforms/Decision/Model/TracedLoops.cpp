//===- TracedLoops.cpp - which loops and calls a trace goes into ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TracedLoops.h"

#include "regdem/Constants.h"
#include "regdem/Decision/Builds/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace regdem {

/// Whether Function is for operands that programs hardly ever have: ptxas's own
/// functions ("$__internal_0_$__cuda_sm20_rcp_rn_f32_slowpath") and the
/// reduction of large angles.
static bool isForUnusualOperands(const SassFunction &Function) {
  StringRef Name = Function.Name;
  return Name.contains("$__cuda_sm") || Name.contains("slowpath");
}

TracedCalls::TracedCalls(const SassKernel &K) : Entered(K.Functions.size()) {
  std::vector<std::vector<unsigned>> Callees(K.Functions.size());
  for (const SassBlock &B : K.Blocks)
    if (B.Callee && !isForUnusualOperands(K.Functions[*B.Callee]))
      Callees[B.Function].push_back(*B.Callee);
  // Those that call nothing, then those that call only these, and so on: what
  // is left calls itself.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned F = 0; F != K.Functions.size(); ++F) {
      if (Entered[F] || isForUnusualOperands(K.Functions[F]) ||
          !all_of(Callees[F], [this](unsigned C) { return Entered[C]; }))
        continue;
      Entered[F] = true;
      Changed = true;
    }
  }
}

bool isLeftOut(const SassBlock &B) {
  return B.IsSlowPath || B.Equalities > MostEqualities;
}

static bool showsCount(const SassLoop &L) {
  return L.TripsKnown && L.Trips <= MostUnrolledFully;
}

bool showsInnerCounts(const SassKernel &K) {
  TracedCalls Calls(K);
  return all_of(K.Loops, [&](const SassLoop &L) {
    const SassBlock &Header = K.Blocks[L.Header];
    bool IsOuter = !L.Parent && !Header.Function;
    return IsOuter || showsCount(L) || isLeftOut(Header) ||
           !Calls.enters(Header.Function);
  });
}

bool isArithmetic(const SassInstruction &I) {
  return is_contained({SassClass::Tensor, SassClass::FP32, SassClass::FP64,
                       SassClass::Half, SassClass::Special},
                      I.Class);
}

bool isOfTheSource(const SassInstruction &I) {
  return isArithmetic(I) ||
         is_contained({SassClass::GlobalLoad, SassClass::GlobalStore,
                       SassClass::Atomic, SassClass::Texture},
                      I.Class);
}

/// Whether A does Times what B does. ptxas may save a little of what iterations
/// have in common, and repeats no counting. Where A counts by Times as much, it
/// may save any part of that.
static bool doesTimes(unsigned Times, const LoopWork &A, const LoopWork &B) {
  if (Times > 1 && B.CountsBy && A.CountsBy == Times * B.CountsBy)
    return A.Own >= B.Own;
  auto IsNear = [Times](unsigned Does, unsigned Of, unsigned MostSaved) {
    return Does * 100 >= (100 - MostSaved) * Times * Of &&
           Does * 100 <= (100 + Tuned.Relief) * Times * Of;
  };
  if (A.Own && B.Own)
    return IsNear(A.Own, B.Own, Tuned.Relief);
  return !A.Own && !B.Own && IsNear(A.Steps, B.Steps, Tuned.SavedCounting);
}

TracedLoops::TracedLoops(const SassKernel &K, const TracedCalls &Calls,
                         const TraceRules &Rules)
    : K(K), Counts(Rules.Counts), Functions(K.Functions.size()),
      Loops(K.Loops.size()) {
  auto Add = [](Span &S, unsigned B) {
    S.First = std::min(S.First, B);
    S.Last = std::max(S.Last, B);
  };
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    if (!Calls.enters(K.Blocks[B].Function))
      continue;
    Add(Functions[K.Blocks[B].Function], B);
    for (LoopId L = K.Blocks[B].Loop; L; L = K.Loops[*L].Parent)
      Add(Loops[*L].Blocks, B);
  }
  for (const SassLoop &L : K.Loops)
    if (L.Parent)
      Loops[*L.Parent].IsInnermost = false;
  for (unsigned L = 0; L != Loops.size(); ++L) {
    Loop &Its = Loops[L];
    Its.IsInnermost &= !Its.Blocks.empty(); // Else no trace comes there.
    if (!Its.IsInnermost)
      continue;
    Its.Work = workOf(Its.Blocks);
    Its.Work.CountsBy = K.Loops[L].CountsBy;
  }
  for (unsigned L = 0; L != Loops.size(); ++L)
    noteHeight(L);
  noteUnrolled(Rules.Rolled);
  noteSkipped();
}

/// Has the loops around Loop know of it.
void TracedLoops::noteHeight(unsigned Loop) {
  if (Loops[Loop].Blocks.empty())
    return;
  unsigned Height = 0;
  for (LoopId L = Loop; L; L = K.Loops[*L].Parent) {
    Loops[*L].Height = std::max(Loops[*L].Height, Height);
    Height += !isCounted(*L);
  }
}

LoopWork TracedLoops::workOf(const Span &Blocks) const {
  LoopWork Work;
  for (unsigned B = Blocks.First; B <= Blocks.Last; ++B) {
    if (isLeftOut(K.Blocks[B]))
      continue;
    Work.Steps += K.Blocks[B].Instructions.size();
    Work.Own += count_if(K.Blocks[B].Instructions, isOfTheSource);
  }
  return Work;
}

static unsigned functionOf(const SassKernel &K, unsigned Loop) {
  return K.Blocks[K.Loops[Loop].Header].Function;
}

void TracedLoops::noteUnrolled(ArrayRef<LoopWork> Rolled) {
  auto DoesTimesOne = [Rolled](unsigned Times, const Loop &L) {
    return any_of(Rolled, [&](const LoopWork &One) {
      return doesTimes(Times, L.Work, One);
    });
  };
  for (Loop &L : Loops)
    L.IsUnrolled = L.IsInnermost && DoesTimesOne(UnrolledIterations, L) &&
                   !DoesTimesOne(1, L);
  // ptxas may have unrolled the main loop further, twice or four times.
  auto DoesMultiple = [](const Loop &Main, const Loop &Left) {
    return any_of(ArrayRef{1u, 2u, 4u}, [&](unsigned Times) {
      return doesTimes(Times * UnrolledIterations, Main.Work, Left.Work);
    });
  };
  for (unsigned Main = 0; Main != Loops.size(); ++Main)
    for (unsigned L = 0; L != Loops.size(); ++L)
      if (Loops[Main].IsUnrolled && Loops[L].IsInnermost &&
          K.Loops[L].Parent == K.Loops[Main].Parent &&
          functionOf(K, L) == functionOf(K, Main) &&
          DoesMultiple(Loops[Main], Loops[L]))
        Loops[L].IsRemainder = true;
}

void TracedLoops::noteSkipped() {
  std::set<unsigned> Remainders; // Their headers.
  for (unsigned L = 0; L != Loops.size(); ++L)
    if (Loops[L].IsRemainder)
      Remainders.insert(K.Loops[L].Header);
  for (unsigned B = 0; B != K.Blocks.size(); ++B) {
    ArrayRef<unsigned> Next = K.Blocks[B].Successors;
    bool IsAhead = Next.size() == 1 && Remainders.count(Next.front()) &&
                   !Loops[*K.Blocks[Next.front()].Loop].Blocks.has(B);
    Skipped.push_back(isLeftOut(K.Blocks[B]) || IsAhead);
  }
}

TracedLoops::LoopId TracedLoops::loopAt(unsigned B, LoopId Around,
                                        unsigned Last) const {
  LoopId L = K.Blocks[B].Loop;
  while (L && K.Loops[*L].Parent != Around)
    L = K.Loops[*L].Parent;
  if (!L || Loops[*L].Blocks.First != B || Loops[*L].Blocks.Last > Last)
    return std::nullopt;
  return L;
}

unsigned TracedLoops::tripsOf(const Loop &L, unsigned Depth,
                              const Trips &Row) const {
  size_t Place = Row.FromInside ? L.Height : Depth;
  return Row.Times[std::min(Place, Row.Times.size() - 1)];
}

bool TracedLoops::isCounted(unsigned Loop) const {
  return Counts != LoopCounts::Assumed && showsCount(K.Loops[Loop]);
}

bool TracedLoops::isGivenCount(unsigned Loop) const {
  return isCounted(Loop) || (Counts == LoopCounts::All && K.Loops[Loop].Parent);
}

unsigned TracedLoops::trips(unsigned Loop, unsigned Depth,
                            const Trips &Row) const {
  if (isCounted(Loop))
    return static_cast<unsigned>(K.Loops[Loop].Trips);
  if (isGivenCount(Loop))
    return MostUnrolledFully; // As slow as it may be.
  unsigned Times = tripsOf(Loops[Loop], Depth, Row);
  if (Loops[Loop].IsRemainder)
    return 0;
  return Loops[Loop].IsUnrolled ? std::max(Times / UnrolledIterations, 1u)
                                : Times;
}

bool TracedLoops::runsLonger(unsigned Loop, unsigned Depth,
                             const Trips &Row) const {
  return !isCounted(Loop) && Loops[Loop].IsUnrolled &&
         tripsOf(Loops[Loop], Depth, Row) < UnrolledIterations;
}

std::vector<LoopWork> TracedLoops::innermost() const {
  std::vector<LoopWork> List;
  for (const Loop &L : Loops)
    if (L.IsInnermost)
      List.push_back(L.Work);
  return List;
}

} // namespace regdem
