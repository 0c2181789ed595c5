//===- BuildPool.cpp - what was built, and its predicted time -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildPool.h"

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

static constexpr double Infinity = std::numeric_limits<double>::infinity();

BuildPool::BuildPool(const Question &Q, BuildSource &From)
    : Q(Q), From(From), Keep(Q.promises()),
      Launches(Q.Cap ? std::vector{statedLaunch(Q.Facts, Q.O)}
                     : launchesOf(Q.Facts, Q.O)),
      Model{Q.Limits, Q.O.Limits.Jobs} {}

bool BuildPool::add(ArrayRef<BuildRecipe> Wanted) {
  if (Wanted.empty())
    return true;
  auto Made = From.make(Wanted);
  if (!Made)
    return false;
  append_range(Builds, *Made);
  return Builds.empty() || !stock().isRefused();
}

std::optional<size_t> BuildPool::lifted() const {
  for (size_t I = 1; I != Builds.size(); ++I)
    if (Builds[I].liftsLimit() && Builds[I].Rewrites == basis().Rewrites)
      return I;
  if (basis().spillBytes() && basis().Regs >= Q.Limits.MaxRegsPerThread)
    return Basis;
  return std::nullopt;
}

/// Registers with which a kernel can be launched with any number of threads.
static constexpr unsigned AlwaysLaunchable = 64;

unsigned BuildPool::mostLaunchable() const {
  return std::max(stock().Regs, AlwaysLaunchable);
}

bool BuildPool::keeps(const Build &V) const {
  return keepsPromises(V, base(), Keep, Q.Limits);
}

bool BuildPool::fits(const Build &V, const Launch &L) const {
  return residencyAt(L, V, Q.Limits).BlocksPerSM != 0;
}

/// Predicted cycles at each launch at which the base fits an SM.
SmallVector<BuildPool::LaunchTime, 4>
BuildPool::predictEach(const Build &V, const CodeSummary &Code) const {
  SmallVector<LaunchTime, 4> Times;
  for (const Launch &L : Launches)
    if (fits(base(), L)) {
      LaunchTime T{L, Infinity, {}};
      if (fits(V, L))
        T.Cycles = Model.predict(V, &Code, L, &T.ByMemory);
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

/// Predicts build I alone on an SM, and the base if that is yet to be done,
/// where the comparison asks for it: only more blocks than the base's may lack
/// a grid, and what they lose then adds to the risk of a build that may be
/// chosen.
void BuildPool::predictLone(size_t I, const CodeSummary &Code) {
  Launch Alone = statedLaunch(Q.Facts, Q.O).alone();
  bool IsAskedFor =
      Q.O.BlockSizeOfLaunch || Builds[I].BlocksPerSM > base().BlocksPerSM;
  bool MayBeChosen = I == Base || costOf(Builds[I], base()) < 1;
  if (!IsAskedFor || !MayBeChosen)
    return;
  Builds[I].LoneCycles = Model.predict(Builds[I], &Code, Alone);
  if (auto Its = Codes.find(Base); !base().LoneCycles && Its != Codes.end())
    Builds[Base].LoneCycles = Model.predict(base(), &Its->second, Alone);
}

/// Whether V, which takes Times and has its LoneCycles if it may be chosen,
/// gains its margin with the half of the block sizes with which it gains less,
/// if it spills more than the base: spill code costs time with all sizes, and
/// nobody may ever launch the kernel with those at which it brings blocks.
bool BuildPool::paysForSpilling(const Build &V,
                                ArrayRef<LaunchTime> Times) const {
  if (Q.Cap || Q.Facts.knowsBlockSize() ||
      V.spillBytes() <= base().spillBytes())
    return true;
  std::map<unsigned, SmallVector<double, 4>> BySize;
  for (auto [Its, Of] : zip_equal(Times, BaseTimes))
    BySize[Its.At.Threads].push_back(Its.Cycles / Of.Cycles);
  SmallVector<double, 4> Factors;
  for (const auto &[Threads, AtSize] : BySize)
    Factors.push_back(geometricMean(AtSize));
  sort(Factors, std::greater<>());
  Factors.truncate((Factors.size() + 1) / 2);
  return 1 - geometricMean(Factors) > marginOf(V, base());
}

/// Whether V, which takes Times, is no worse than the base at any launch. A
/// build beside stock has to be that whatever memory does: mix64 of
/// benchmarks/launch, to gain 10 % by slow memory alone, takes 1.03 to 1.08 of
/// the time.
bool BuildPool::suitsAllLaunches(const Build &V,
                                 ArrayRef<LaunchTime> Times) const {
  if (Q.O.BlockSizeOfLaunch &&
      any_of(zip(Times.front().ByMemory, BaseTimes.front().ByMemory),
             [](auto Pair) {
               auto [Now, Of] = Pair;
               return Now > Of * (1 + Tuned.Margin);
             }))
    return false;
  if (Q.Cap || Q.Facts.knowsLaunch())
    return true;
  return isLaunchable(V) && all_of(zip_equal(Times, BaseTimes), [](auto Pair) {
           auto [Now, Of] = Pair;
           return Now.Cycles <= Of.Cycles * (1 + Tuned.Margin / 2);
         });
}

/// Predicts build I, whose code is Code; whether it may be chosen.
bool BuildPool::makesFinalist(size_t I, CodeSummary &Code) {
  SmallVector<LaunchTime, 4> Times = predictEach(Builds[I], Code);
  if (I == Base)
    BaseTimes = Times;
  if (double Cycles = meanOf(Times); std::isfinite(Cycles))
    Builds[I].Cycles = Cycles;
  if (!keeps(Builds[I]) || !suitsAllLaunches(Builds[I], Times))
    return false;
  predictLone(I, Code);
  if (!paysForSpilling(Builds[I], Times))
    return false;
  if (I == Base || !Builds[I].MaxRegs)
    Codes[I] = std::move(Code);
  return true;
}

bool BuildPool::compare(ArrayRef<size_t> Indices) {
  std::vector<size_t> Kept;
  std::vector<Build> Wanted;
  auto Add = [&](size_t I) {
    if (Builds[I].BlocksPerSM && !(Builds[I].Cycles > 0) &&
        !is_contained(Kept, I)) {
      Kept.push_back(I);
      Wanted.push_back(Builds[I]);
    }
  };
  Add(Base);
  for_each(Indices, Add);
  if (Wanted.empty())
    return true;
  auto Found = From.read(Wanted);
  if (!Found)
    return false;
  for (const ReadBuild &Moved : drop_begin(*Found, Kept.size())) {
    Kept.push_back(size());
    Builds.push_back(Moved.Of);
  }
  if (Finalists.empty()) {
    Model.Work = Found->front().Code.Work;
    for (const ReadBuild &R : *Found)
      Hits.raiseTo(knownHits(R.Code));
  }
  for (auto [I, R] : zip_equal(Kept, *Found)) {
    setKnownHits(R.Code, Hits);
    if (makesFinalist(I, R.Code))
      Finalists.push_back(I);
  }
  return true;
}

size_t BuildPool::fastest() const {
  std::vector<Build> List;
  for (size_t I : Finalists)
    List.push_back(Builds[I]);
  return Finalists[chooseBuild(List)];
}

size_t BuildPool::bestOther() const {
  size_t Best = Base;
  for (size_t I : Finalists)
    if (I != Base && (Best == Base || Builds[I].Cycles < Builds[Best].Cycles))
      Best = I;
  return Best;
}

Prediction BuildPool::prediction(size_t I) const {
  return {1 - Builds[I].Cycles / base().Cycles, marginOf(Builds[I], base()),
          static_cast<unsigned>(I)};
}

void BuildPool::chooseBasis() {
  double Limit = base().Cycles * (1 - Tuned.Margin);
  for (size_t I : Finalists) {
    const Build &V = Builds[I];
    bool MayBe = Q.Cap ? any(V.Rewrites) : V.What == Decision::Rewrite;
    if (!MayBe || V.Cycles >= Limit)
      continue;
    Limit = V.Cycles;
    Basis = find_if(Builds,
                    [&](const Build &Other) {
                      return Other.recipe() == V.recipe();
                    }) -
            Builds.begin();
  }
}

BuildPool::StepBounds BuildPool::boundsAt(const OccupancyStep &S) const {
  double Fastest = 1;
  for (const auto &[I, Code] : Codes) {
    Build AtStep = Builds[I];
    if (AtStep.Rewrites != basis().Rewrites)
      continue;
    AtStep.Regs = S.MaxRegs;
    Fastest =
        std::min(Fastest, meanOf(predictEach(AtStep, Code)) / base().Cycles);
  }
  // What changes less wins a tie: all with more registers, unless they spill or
  // take shared memory.
  double Limit = 1;
  for (size_t I : Finalists) {
    const Build &V = Builds[I];
    bool WinsTie = !V.spillBytes() && V.StaticShared <= base().StaticShared;
    if (I != Base)
      Limit = std::min(Limit, WinsTie ? costOf(V, base()) / (1 + Tuned.Tie)
                                      : costOf(V, base()) * (1 + Tuned.Tie));
  }
  Build AtStep;
  AtStep.BlocksPerSM = S.Blocks;
  return {Codes.empty() ? 1 : 1 - Fastest,
          1 - Limit / (1 + riskOf(AtStep, base()))};
}

} // namespace regdem
