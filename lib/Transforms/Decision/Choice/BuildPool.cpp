//===- BuildPool.cpp - what was built, and its predicted time -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildPool.h"

#include "Moves.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace regdem {

bool BuildPool::add(ArrayRef<BuildRecipe> Wanted) {
  return buildInto(Wanted, Make, Builds);
}

std::optional<size_t> BuildPool::lifted() const {
  for (size_t I = 1; I != Builds.size(); ++I)
    if (Builds[I].liftsLimit() && Builds[I].Rewrites == basis().Rewrites)
      return I;
  if (basis().spillBytes() && basis().Regs >= Goal.Limits.MaxRegsPerThread)
    return Basis;
  return std::nullopt;
}

/// Registers with which a kernel can be launched with any number of threads.
static constexpr unsigned AlwaysLaunchable = 64;

unsigned BuildPool::mostLaunchable() const {
  return std::max(stock().Regs, AlwaysLaunchable);
}

bool BuildPool::fits(const Build &V, const Launch &L) const {
  return residencyAt(L, V, Goal.Limits).BlocksPerSM != 0;
}

SmallVector<BuildPool::LaunchTime, 4>
BuildPool::predictEach(const Build &V, const CodeSummary *Code) const {
  SmallVector<LaunchTime, 4> Times;
  for (const Launch &L : Launches)
    if (fits(stock(), L)) {
      LaunchTime T{L, std::numeric_limits<double>::infinity(), {}};
      if (fits(V, L))
        T.Cycles = Model.predict(V, Code, L, &T.ByMemory);
      Times.push_back(std::move(T));
    }
  return Times;
}

double BuildPool::meanOf(ArrayRef<LaunchTime> Times) {
  SmallVector<double, 4> Cycles;
  for (const LaunchTime &T : Times)
    Cycles.push_back(T.Cycles);
  return geometricMean(Cycles);
}

double BuildPool::cyclesAtRisk(const Build &V) const {
  return V.Cycles * (1 + riskOf(V, stock(), evidence()));
}

/// Predicts build I alone on an SM, and stock if that is yet to be done, where
/// the comparison asks for it: only more blocks than stock's may lack a grid,
/// and what they lose then adds to the risk of a build that may be chosen.
void BuildPool::predictLone(size_t I, const CodeSummary &Code) {
  Launch Alone = statedLaunch(Goal.Facts, Goal.O).alone();
  bool IsAskedFor =
      Goal.O.BlockSizeOfLaunch || Builds[I].BlocksPerSM > stock().BlocksPerSM;
  bool MayBeChosen = !I || cyclesAtRisk(Builds[I]) < stock().Cycles;
  if (!IsAskedFor || !MayBeChosen)
    return;
  Builds[I].LoneCycles = Model.predict(Builds[I], &Code, Alone);
  if (auto Its = Codes.find(0); !stock().LoneCycles && Its != Codes.end())
    Builds[0].LoneCycles = Model.predict(stock(), &Its->second, Alone);
}

/// Whether V, which takes Times and has its LoneCycles if it may be chosen,
/// gains its margin with the half of the block sizes with which it gains less,
/// if it spills more than stock: spill code costs time with all sizes, and
/// nobody may ever launch the kernel with those at which it brings blocks.
bool BuildPool::paysForSpilling(const Build &V,
                                ArrayRef<LaunchTime> Times) const {
  if (Goal.Facts.knowsBlockSize() || V.spillBytes() <= stock().spillBytes())
    return true;
  std::map<unsigned, SmallVector<double, 4>> BySize;
  for (auto [Its, Stock] : zip_equal(Times, StockTimes))
    BySize[Its.At.Threads].push_back(Its.Cycles / Stock.Cycles);
  SmallVector<double, 4> Factors;
  for (const auto &[Threads, AtSize] : BySize)
    Factors.push_back(geometricMean(AtSize));
  sort(Factors, std::greater<>());
  Factors.truncate((Factors.size() + 1) / 2);
  return 1 - geometricMean(Factors) > marginOf(V, stock(), evidence());
}

/// Whether V keeps what is promised of the kernel.
bool BuildPool::keeps(const Build &V) const {
  return keepsPromises(V, stock(), promisesOf(Goal.Facts, Goal.O), Goal.Limits);
}

/// Whether V, which takes Times, is no worse than stock at any launch. A build
/// beside stock has to be that whatever memory does: mix64 of
/// benchmarks/launch, to gain 10 % by slow memory alone, takes 1.03 to 1.08 of
/// the time.
bool BuildPool::suitsAllLaunches(const Build &V,
                                 ArrayRef<LaunchTime> Times) const {
  if (!keeps(V))
    return false;
  if (Goal.O.BlockSizeOfLaunch &&
      any_of(zip(Times.front().ByMemory, StockTimes.front().ByMemory),
             [](auto Pair) {
               auto [Now, Stock] = Pair;
               return Now > Stock * (1 + Tuned.Margin);
             }))
    return false;
  if (Goal.Facts.knowsLaunch())
    return true;
  return isLaunchable(V) && all_of(zip_equal(Times, StockTimes), [](auto Pair) {
           auto [Now, Stock] = Pair;
           return Now.Cycles <= Stock.Cycles * (1 + Tuned.Margin / 2);
         });
}

double BuildPool::potential(const OccupancyStep &S) const {
  if (Codes.empty())
    return 1;
  double Most = -std::numeric_limits<double>::infinity();
  for (const auto &[I, Code] : Codes) {
    Build Ideal = Builds[I];
    if (Ideal.Rewrites != basis().Rewrites)
      continue;
    Ideal.Regs = S.MaxRegs;
    double Gain = 1 - meanOf(predictEach(Ideal, &Code)) / stock().Cycles;
    Most = std::max(Most, Gain);
  }
  return Most;
}

double BuildPool::leastGain(const OccupancyStep &S) const {
  double Most = 0, Unspilled = 0;
  for (size_t I : Finalists) {
    const Build &V = Builds[I];
    if (!I)
      continue;
    double Gain =
        1 - V.Cycles / stock().Cycles - marginOf(V, stock(), evidence());
    Most = std::max(Most, Gain);
    if (!V.spillBytes() && V.StaticShared <= stock().StaticShared)
      Unspilled = std::max(Unspilled, Gain);
  }
  double Wanted = leastTie(Most);
  if (Unspilled > 0 && Unspilled >= Wanted)
    Wanted = mostTie(Unspilled);
  Build AtStep;
  AtStep.BlocksPerSM = S.Blocks;
  return std::max(Wanted, 0.0) + marginOf(AtStep, stock(), evidence());
}

bool BuildPool::compare(ArrayRef<size_t> Indices) {
  std::vector<size_t> Kept;
  std::vector<Build> Wanted;
  for (size_t I : Indices)
    if (Builds[I].BlocksPerSM && !(Builds[I].Cycles > 0)) {
      Kept.push_back(I);
      Wanted.push_back(Builds[I]);
    }
  std::vector<CodeSummary> Found; // As Kept; empty: not read.
  if (Read && !Wanted.empty()) {
    std::optional<std::vector<ReadBuild>> Result = Read(Wanted);
    if (!Result)
      return false;
    for (ReadBuild &R : *Result) {
      if (Found.size() == Kept.size()) { // With its frame moved.
        Kept.push_back(size());
        Builds.push_back(R.Of);
      }
      Found.push_back(std::move(R.Code));
    }
    if (Finalists.empty())
      for (const CodeSummary &Code : Found)
        Hits.raiseTo(knownHits(Code));
    for (CodeSummary &Code : Found)
      setKnownHits(Code, Hits);
    if (Kept.front() == 0)
      Model.Work = Found.front().Work;
  }
  auto CodeOf = [&](size_t N) { return Found.empty() ? nullptr : &Found[N]; };
  for (auto [N, I] : enumerate(Kept)) {
    SmallVector<LaunchTime, 4> Times = predictEach(Builds[I], CodeOf(N));
    if (I == 0)
      StockTimes = Times;
    if (double Cycles = meanOf(Times); std::isfinite(Cycles))
      Builds[I].Cycles = Cycles;
    if (!suitsAllLaunches(Builds[I], Times))
      continue;
    if (CodeOf(N))
      predictLone(I, *CodeOf(N));
    if (!paysForSpilling(Builds[I], Times))
      continue;
    if (CodeOf(N) && !Builds[I].MaxRegs)
      Codes[I] = std::move(*CodeOf(N));
    Finalists.push_back(I);
  }
  return true;
}

void BuildPool::chooseBasis() {
  double Limit = stock().Cycles * (1 - margin());
  for (size_t I : Finalists)
    if (Builds[I].What == Decision::Rewrite && Builds[I].Cycles < Limit) {
      Basis = I;
      Limit = Builds[I].Cycles;
    }
}

size_t BuildPool::fastest() const {
  std::vector<Build> List;
  for (size_t I : Finalists)
    List.push_back(Builds[I]);
  return Finalists[chooseBuild(List, evidence())];
}

size_t BuildPool::bestOther() const {
  size_t Best = 0;
  for (size_t I : Finalists)
    if (I && (!Best || Builds[I].Cycles < Builds[Best].Cycles))
      Best = I;
  return Best;
}

Prediction BuildPool::prediction(size_t I) const {
  return {readsCode(), 1 - Builds[I].Cycles / stock().Cycles,
          I ? marginOf(Builds[I], stock(), evidence()) : margin(),
          static_cast<unsigned>(I)};
}

} // namespace regdem
