//===- BuildPool.cpp - what was built, and its predicted time -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildPool.h"

#include "regdem/Constants.h"
#include "regdem/Decision/Builds/LaunchRows.h"
#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace regdem {

BuildPool::BuildPool(const Question &Q, BuildSource &From)
    : Q(Q), From(From), Keep(promisesOf(Q.Facts, Q.O, Q.Cap)),
      Stated(statedLaunch(Q.Facts, Q.O)), Model{Q.Limits, Q.O.Limits.Jobs} {}

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

bool BuildPool::keeps(const Build &V) const {
  return keepsPromises(V, base(), Keep, Q.Limits);
}

/// Predicts V, whose code is Code, at the stated launch, in the mean of the
/// grids that it is known to have. In many rounds of an SM blocks get out of
/// step, and how many are in the last one does not count.
double BuildPool::cyclesInGrids(const Build &V, const CodeSummary &Code,
                                SmallVectorImpl<double> *ByMemory) const {
  if (!Q.Noted || Q.Noted->Grids.empty())
    return Model.predict(V, Code, Stated, ByMemory);
  double Cycles = 0;
  for (const NotedGrid &G : Q.Noted->Grids) {
    Launch L = Stated;
    if (G.BlocksOnSM <= Tuned.RoundsInStep * base().BlocksPerSM)
      L.GridBlocks = G.BlocksOnSM;
    Cycles += G.Share * Model.predict(V, Code, L);
  }
  return Cycles;
}

/// V as an SM holds it at L, with its predicted times where it fits one.
Build BuildPool::predictedAt(const Launch &L, const Build &V,
                             const CodeSummary &Code) const {
  Build At = residentAt(L, V, Q.Limits);
  if (At.BlocksPerSM) {
    At.Cycles = Model.predict(V, Code, L);
    At.LoneCycles = Model.predict(V, Code, L.alone());
  }
  return At;
}

/// Whether V, which takes ByMemory, is slower than what takes OfBase with
/// memory of some kind.
static bool isSlowerAnywhere(const Build &V, ArrayRef<double> ByMemory,
                             ArrayRef<double> OfBase) {
  double Equal = 1 + Tuned.Margin + riskOfWork(V);
  return any_of(zip_equal(ByMemory, OfBase), [Equal](auto Pair) {
    auto [Now, Of] = Pair;
    return Now > Of * Equal;
  });
}

/// The cycles of OnSM blocks of V on an SM by kind of memory, of which it takes
/// Full a block on full SMs and Alone for one by itself.
static SmallVector<double, 4> cyclesByMemory(Build V, unsigned OnSM,
                                             ArrayRef<double> Full,
                                             ArrayRef<double> Alone) {
  SmallVector<double, 4> Cycles;
  for (auto [OfFull, OfAlone] : zip_equal(Full, Alone)) {
    V.Cycles = OfFull;
    V.LoneCycles = OfAlone;
    Cycles.push_back(cyclesFor(V, OnSM, /*IsWorst=*/false));
  }
  return Cycles;
}

/// Predicts build I of a launch, which takes FullByMemory on full SMs, alone on
/// one, whether or not it gains on full ones.
void BuildPool::predictLoneOfLaunch(size_t I, const CodeSummary &Code,
                                    ArrayRef<double> FullByMemory) {
  Build &V = Builds[I];
  SmallVector<double, 4> ByMemory;
  V.LoneCycles = Model.predict(V, Code, Stated.alone(), &ByMemory);
  if (I == Base) {
    BaseAloneByMemory = ByMemory;
    return;
  }
  unsigned OnSM = bestSmallGrid(V, base()).OnSM;
  if (OnSM &&
      !isSlowerAnywhere(
          V, cyclesByMemory(V, OnSM, FullByMemory, ByMemory),
          cyclesByMemory(base(), OnSM, BaseByMemory, BaseAloneByMemory)))
    SafeInSmallGrids.push_back(I);
}

/// Predicts build I alone on an SM, and the base if that is yet to be done,
/// where the comparison asks for it: grids may lack the blocks that it has.
void BuildPool::predictLone(size_t I, const CodeSummary &Code) {
  Launch Alone = Stated.alone();
  Build &V = Builds[I];
  if (V.BlocksPerSM < base().BlocksPerSM ||
      (I != Base && V.Cycles > base().Cycles))
    return;
  V.LoneCycles = Model.predict(V, Code, Alone);
  if (auto Its = Codes.find(Base); !base().LoneCycles && Its != Codes.end())
    Builds[Base].LoneCycles = Model.predict(base(), Its->second, Alone);
}

/// Whether V, whose code is Code and has loops unrolled, is worth its risk in
/// the mean of full SMs, loops of few iterations on these, and a block alone:
/// what finds out how many iterations are left over takes its time.
bool BuildPool::gainsByUnrolling(const Build &V,
                                 const CodeSummary &Code) const {
  auto Of = Codes.find(Base);
  if (Of == Codes.end())
    return true;
  auto InFew = [this](const Build &Which, CodeSummary Summary) {
    Summary.Trace = std::move(Summary.ShortTrace);
    return Model.predict(Which, Summary, Stated);
  };
  auto Alone = [this](const Build &Which, const CodeSummary &Summary) {
    return Model.predict(Which, Summary, Stated.alone());
  };
  double Ratios = V.Cycles / base().Cycles * InFew(V, Code) /
                  InFew(base(), Of->second) * Alone(V, Code) /
                  Alone(base(), Of->second);
  return std::cbrt(Ratios) * (1 + riskOfWork(V)) < 1;
}

/// Whether V, whose code is Code, may stand in the base's place at all launches
/// that the kernel may have.
bool BuildPool::suitsAllLaunches(const Build &V,
                                 const CodeSummary &Code) const {
  if (Q.knowsLaunch())
    return true;
  auto Of = Codes.find(Base);
  if (Of == Codes.end())
    return false;
  SmallVector<Launch, 6> All;
  for (unsigned Threads : launchSizes(Q.Facts, /*AsShown=*/false))
    All.push_back({Threads, Stated.DynamicShared});
  // What needs no simulation comes first.
  return all_of(All,
                [&](const Launch &L) {
                  return mayReplaceByFigures(residentAt(L, V, Q.Limits),
                                             residentAt(L, base(), Q.Limits),
                                             Q.Limits);
                }) &&
         all_of(All, [&](const Launch &L) {
           return mayReplace(predictedAt(L, V, Code),
                             predictedAt(L, base(), Of->second), Q.Limits);
         });
}

/// Predicts build I, whose code is Code; whether it may be chosen.
bool BuildPool::makesFinalist(size_t I, CodeSummary &Code) {
  Build &V = Builds[I];
  SmallVector<double, 4> ByMemory;
  V.Cycles = cyclesInGrids(V, Code, &ByMemory);
  V.LoadsAreScattered = loadsAreScattered(Code);
  if (I == Base)
    BaseByMemory = ByMemory;
  if (!keeps(V))
    return false;
  if (Q.O.BlockSizeOfLaunch)
    predictLoneOfLaunch(I, Code, ByMemory);
  // A build that launches may take, or any launch, has to be no slower whatever
  // memory does: mix64 of benchmarks/launch, to gain 10 % by slow memory alone,
  // takes 1.03 to 1.08 of the time.
  bool AnyMemory = Q.O.BlockSizeOfLaunch || !Q.knowsLaunch();
  if (AnyMemory && isSlowerAnywhere(V, ByMemory, BaseByMemory))
    return false;
  if (AnyMemory && has(V.Rewrites, Rewrite::UnrollLoops) &&
      !gainsByUnrolling(V, Code))
    return false;
  if (!Q.O.BlockSizeOfLaunch)
    predictLone(I, Code);
  if (I != Base && costOf(V, base()) < 1 && !suitsAllLaunches(V, Code))
    return false;
  if (I == Base || !V.MaxRegs)
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

size_t BuildPool::fastestInSmallGrids() const {
  size_t Best = Base;
  double Gain = 0;
  for (size_t I : SafeInSmallGrids) {
    const Build &V = Builds[I];
    // What pays on full SMs has lost there by memory of some kind.
    if (double Its = bestSmallGrid(V, base()).Gain;
        !paysAtLaunch(V, base()) && Its > Gain) {
      Gain = Its;
      Best = I;
    }
  }
  return Best;
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
  // Its frame may move, too.
  for (size_t I : Finalists)
    if (Builds[I].recipe() == base().recipe())
      Limit = std::min(Limit, Builds[I].Cycles);
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

bool BuildPool::mayPayInSmallGrids(const OccupancyStep &S) const {
  auto Of = Codes.find(Base);
  if (!Q.O.BlockSizeOfLaunch || Of == Codes.end())
    return false;
  Build AtStep = base();
  AtStep.Regs = S.MaxRegs;
  AtStep = predictedAt(Stated, AtStep, Of->second);
  return AtStep.BlocksPerSM && bestSmallGrid(AtStep, base()).OnSM;
}

BuildPool::StepBounds BuildPool::boundsAt(const OccupancyStep &S) const {
  double Fastest = 1;
  for (const auto &[I, Code] : Codes) {
    Build AtStep = Builds[I];
    if (AtStep.Rewrites != basis().Rewrites)
      continue;
    AtStep.Regs = S.MaxRegs;
    if (residencyAt(Stated, AtStep, Q.Limits).BlocksPerSM)
      Fastest = std::min(Fastest, cyclesInGrids(AtStep, Code) / base().Cycles);
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
