//===- KnownHitsTest.cpp - loads that hit L1 in all builds ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/KnownHits.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

/// Loads of a word each, of which every so many hit, with a store between.
CodeSummary loads(unsigned Count, unsigned Period) {
  TraceStep Load, Store;
  Load.Unit = TraceUnit::GlobalLoad;
  Store.Unit = TraceUnit::GlobalStore;
  CodeSummary Code;
  for (unsigned I = 0; I != Count; ++I) {
    Load.IsInLines = Period && I % Period == Period - 1;
    Code.Trace.push_back(Load);
    Code.Trace.push_back(Store);
  }
  return Code;
}

std::vector<size_t> hits(const CodeSummary &Code) {
  std::vector<size_t> List;
  for (const auto &[I, S] : enumerate(Code.Trace))
    if (S.IsInLines)
      List.push_back(I);
  return List;
}

TEST(KnownHits, WordsCount) {
  CodeSummary Code = loads(2, 2);
  Code.Trace[2].Words = 3;
  EXPECT_EQ(knownHits(Code).InLines, 0.75);
}

TEST(KnownHits, CodeWithoutLoadsHasNone) {
  CodeSummary Code;
  setKnownHits(Code, {1, 1});
  EXPECT_EQ(knownHits(Code).InLines, 0);
}

TEST(KnownHits, MissingOnesAreGivenToLoadsAllOver) {
  CodeSummary Code = loads(8, 0);
  setKnownHits(Code, {0.5, 0});
  EXPECT_EQ(hits(Code), (std::vector<size_t>{2, 6, 10, 14}));
}

TEST(KnownHits, LoadsThatHitAnywayKeepIt) {
  CodeSummary Code = loads(8, 4);
  setKnownHits(Code, {0.5, 0});
  EXPECT_EQ(knownHits(Code).InLines, 0.5);
  EXPECT_TRUE(Code.Trace[6].IsInLines);
  EXPECT_TRUE(Code.Trace[14].IsInLines);
}

TEST(KnownHits, TooManyAreTakenFromLoadsAllOver) {
  CodeSummary Code = loads(8, 1);
  setKnownHits(Code, {0.5, 0});
  EXPECT_EQ(hits(Code), (std::vector<size_t>{0, 4, 8, 12}));
}

TEST(KnownHits, TheMostOfEachIsKept) {
  KnownHits Hits = {0.5, 0.25};
  Hits.raiseTo({0.25, 0.5});
  EXPECT_EQ(Hits.InLines, 0.5);
  EXPECT_EQ(Hits.InSectors, 0.5);
}

TEST(KnownHits, SectorsFollowWhereLinesDiffer) {
  CodeSummary Code = loads(8, 0);
  setKnownHits(Code, {0.5, 0.25});
  EXPECT_EQ(knownHits(Code).InSectors, 0.25);
}

TEST(KnownHits, SectorsAreLeftAloneWhereLinesAreEqual) {
  CodeSummary Code = loads(8, 2);
  setKnownHits(Code, {0.5, 0.25});
  EXPECT_EQ(knownHits(Code).InSectors, 0);
}

TEST(KnownHits, NearSharesAreEqual) {
  CodeSummary Code = loads(100, 2);
  setKnownHits(Code, {0.515, 0});
  EXPECT_EQ(knownHits(Code).InLines, 0.5);
}

} // namespace
