//===- KnownHits.cpp - loads that hit L1 in all builds --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/KnownHits.h"

#include "regdem/Constants.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace regdem {

namespace {

using HitFlag = bool TraceStep::*;

struct LoadedWords {
  double All = 0, Hits = 0;
  double share() const { return All > 0 ? Hits / All : 0; }
};

LoadedWords loadedWords(ArrayRef<TraceStep> Trace, HitFlag Flag) {
  LoadedWords Words;
  for (const TraceStep &S : Trace)
    if (S.Unit == TraceUnit::GlobalLoad) {
      Words.All += S.Words;
      Words.Hits += S.*Flag ? S.Words : 0;
    }
  return Words;
}

/// Turns Flag of every so many loads over until Share of all words have it.
void setShare(MutableArrayRef<TraceStep> Trace, HitFlag Flag, double Share) {
  LoadedWords Words = loadedWords(Trace, Flag);
  double Missing = Share * Words.All - Words.Hits;
  bool Given = Missing > 0;
  double Of = Given ? Words.All - Words.Hits : Words.Hits;
  double Due = 0;
  for (TraceStep &S : Trace) {
    if (S.Unit != TraceUnit::GlobalLoad || S.*Flag == Given)
      continue;
    Due += std::abs(Missing) / Of * S.Words;
    if (Due < S.Words)
      continue;
    Due -= S.Words;
    S.*Flag = Given;
  }
}

} // namespace

void KnownHits::raiseTo(const KnownHits &Other) {
  InLines = std::max(InLines, Other.InLines);
  InSectors = std::max(InSectors, Other.InSectors);
  Shared = std::max(Shared, Other.Shared);
}

KnownHits knownHits(const CodeSummary &Code) {
  return {loadedWords(Code.Trace, &TraceStep::IsInLines).share(),
          loadedWords(Code.Trace, &TraceStep::IsInSectors).share(),
          loadedWords(Code.Trace, &TraceStep::IsShared).share()};
}

void setKnownHits(CodeSummary &Code, const KnownHits &Hits) {
  KnownHits Own = knownHits(Code);
  if (std::abs(Hits.InLines - Own.InLines) <= Tuned.Tie &&
      std::abs(Hits.Shared - Own.Shared) <= Tuned.Tie)
    return;
  for (std::vector<TraceStep> *Trace : {&Code.Trace, &Code.ShortTrace}) {
    setShare(*Trace, &TraceStep::IsInLines, Hits.InLines);
    setShare(*Trace, &TraceStep::IsInSectors, Hits.InSectors);
    setShare(*Trace, &TraceStep::IsShared, Hits.Shared);
  }
}

} // namespace regdem
