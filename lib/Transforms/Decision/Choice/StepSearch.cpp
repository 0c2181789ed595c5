//===- StepSearch.cpp - builds at occupancy steps -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepSearch.h"

#include "regdem/Constants.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

StepSearch::StepSearch(StepTools Tools)
    : T(Tools), LeastToGain(T.Pool.margin()) {
  for (const CapStep &S : T.Pool.steps()) {
    if (Steps.size() == Tuned.MostTriedSteps)
      break;
    if (!T.Pool.basis().spillBytes()) { // Else it may gain by spilling less.
      double Least = T.Pool.leastGain(S);
      if (S.Blocks < T.Pool.basis().BlocksPerSM)
        Least -= Tuned.Margin;
      double Gain = T.Pool.potential(S, Least);
      if (Gain > MostToGain) {
        MostToGain = Gain;
        LeastToGain = Least;
      }
      if (Gain <= Least)
        continue;
    }
    Steps.emplace_back(T, S);
  }
}

bool StepSearch::run() {
  if (!tryInTurn<StepMoves>(Steps, StepMoves::AtEachStep))
    return false;
  SmallVector<size_t, 8> Best;
  for (const StepMoves &S : Steps) {
    Best.push_back(S.best());
    if (std::optional<size_t> ToMove = S.toMove())
      Best.push_back(*ToMove);
  }
  if (!T.Pool.compare(Best))
    return false;
  StepMoves *S = mostPromising();
  if (!S || !mayGainMore(*S))
    return true;
  size_t Before = S->best();
  if (!tryInTurn<StepMoves>(*S, StepMoves::AtBestStep))
    return false;
  // One reading for all: a run of the disassembler is what takes longest. What
  // a rewrite does to the time does not show in ptxas's figures.
  size_t Unchanged = S->best([this](const Variant &V) {
    return V.Rewrites == T.Pool.basis().Rewrites;
  });
  SmallVector<size_t, 2> New;
  if (Unchanged != Before)
    New.push_back(Unchanged);
  if (S->best() != Unchanged)
    New.push_back(S->best());
  return T.Pool.compare(New);
}

/// Whether more at S, of which a build is read, may be chosen: the basis's code
/// would gain enough there if it cost nothing to hold it to so many registers,
/// and more than a tie over what is the fastest already.
bool StepSearch::mayGainMore(const StepMoves &S) const {
  const VariantPool &Pool = T.Pool;
  if (Pool.basis().spillBytes())
    return true; // Builds that spill less gain by that, too.
  double Fastest = 1 - Pool[Pool.fastest()].Cycles / Pool.stock().Cycles;
  double Enough = std::max(Pool.leastGain(S.step()), Fastest + Tuned.Tie);
  return Pool.potential(S.step(), Enough) > Enough;
}

/// The step with spill code that is predicted to be fastest, if that is near
/// enough to the fastest build for other plans to matter; of those within the
/// margin of it the nearest, which spills least.
StepMoves *StepSearch::mostPromising() {
  const VariantPool &Pool = T.Pool;
  double Limit = Pool[Pool.fastest()].Cycles * Tuned.WorthRefining,
         Least = Limit;
  auto CyclesOf = [&](const StepMoves &S) { return Pool[S.best()].Cycles; };
  auto IsTried = [&](const StepMoves &S) {
    return S.mayNeedMore() && CyclesOf(S) > 0;
  };
  for (const StepMoves &S : Steps)
    if (IsTried(S))
      Least = std::min(Least, CyclesOf(S));
  for (StepMoves &S : Steps)
    if (IsTried(S) && CyclesOf(S) < Limit &&
        CyclesOf(S) <= Least + Pool.stock().Cycles * Pool.margin())
      return &S;
  return nullptr;
}

} // namespace regdem
