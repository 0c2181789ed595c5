//===- VariantPool.cpp - variants built, and their predicted time ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VariantPool.h"

#include "SearchRules.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Decision/Model/VariantScore.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace regdem {

bool VariantPool::add(ArrayRef<Variant> Wanted) {
  return buildInto(Wanted, Build, Variants, EndedEarly);
}

bool VariantPool::addAll(std::vector<Variant> Wanted) {
  if (add(Wanted))
    return true;
  size_t All = Wanted.size();
  llvm::erase_if(Wanted, [](const Variant &V) { return V.SmemSpilling; });
  return !EndedEarly && Wanted.size() != All && add(Wanted);
}

std::optional<size_t> VariantPool::lifted() const {
  for (size_t I = 1; I != Variants.size(); ++I)
    if (Variants[I].liftsLimit() && Variants[I].Rewrites == basis().Rewrites)
      return I;
  if (basis().spillBytes() && basis().Regs >= Goal.Limits.MaxRegsPerThread)
    return Basis;
  return std::nullopt;
}

bool VariantPool::savesRegisters() const {
  return any_of(Variants,
                [this](const Variant &V) { return V.Regs < stock().Regs; });
}

/// Registers with which a kernel can be launched with any number of threads.
static constexpr unsigned AlwaysLaunchable = 64;

unsigned VariantPool::mostLaunchable() const {
  return std::max(stock().Regs, AlwaysLaunchable);
}

bool VariantPool::fits(const Variant &V, const Launch &L) const {
  return residencyAt(L, V, Goal.Limits).BlocksPerSM != 0;
}

SmallVector<VariantPool::LaunchTime, 4>
VariantPool::predictEach(const Variant &V, const VariantCode *Code,
                         size_t Most) const {
  SmallVector<LaunchTime, 4> Times;
  for (const Launch &L : Launches)
    if (Times.size() != Most && fits(stock(), L)) {
      LaunchTime T{L, std::numeric_limits<double>::infinity(), {}};
      if (fits(V, L))
        T.Cycles = Model.predict(V, Code, L, &T.ByMemory);
      Times.push_back(std::move(T));
    }
  return Times;
}

double VariantPool::leastMean(const Variant &V, const VariantCode &Code,
                              size_t Most) const {
  SmallVector<double, 4> Cycles;
  for (const Launch &L : Launches)
    if (Cycles.size() != Most && fits(stock(), L))
      Cycles.push_back(fits(V, L) ? Model.leastCycles(V, Code, L)
                                  : std::numeric_limits<double>::infinity());
  return geometricMean(Cycles);
}

double VariantPool::meanOf(ArrayRef<LaunchTime> Times) {
  SmallVector<double, 4> Cycles;
  for (const LaunchTime &T : Times)
    Cycles.push_back(T.Cycles);
  return geometricMean(Cycles);
}

/// Predicts V alone on an SM, and stock if that is yet to be done, where the
/// comparison asks for it: only more blocks than stock's may lack a grid.
void VariantPool::predictLone(Variant &V, const VariantCode &Code) {
  Launch Alone = statedLaunch(Goal.Facts, Goal.O).alone();
  bool IsAskedFor =
      Goal.O.BlockSizeOfLaunch || V.BlocksPerSM > stock().BlocksPerSM;
  if (Goal.O.ScoreBy != Scorer::Model || !IsAskedFor)
    return;
  V.LoneCycles = Model.predict(V, &Code, Alone);
  Variant &Stock = Variants.front();
  if (auto Its = Codes.find(0); !Stock.LoneCycles && Its != Codes.end())
    Stock.LoneCycles = Model.predict(Stock, &Its->second, Alone);
}

/// Whether V, which takes Times and has its LoneCycles, gains its margin with
/// the half of the block sizes with which it gains less, if it spills more than
/// stock: spill code costs time with all sizes, and nobody may ever launch the
/// kernel with those at which it brings blocks.
bool VariantPool::paysForSpilling(const Variant &V,
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

/// Whether as many blocks of V as of stock are resident, whatever the launch.
bool VariantPool::keepsBlocks(const Variant &V) const {
  return V.BlocksPerSM >= stock().BlocksPerSM &&
         (Goal.Facts.knowsLaunch() || V.Regs <= stock().Regs);
}

/// Whether V, which takes Times, is no worse than stock at any launch. A build
/// beside stock has to be that whatever memory does: mix64 of
/// benchmarks/launch, to gain 10 % by slow memory alone, takes 1.03 to 1.08 of
/// the time.
bool VariantPool::suitsAllLaunches(const Variant &V,
                                   ArrayRef<LaunchTime> Times) const {
  if (Goal.Facts.IsCooperative && !keepsBlocks(V))
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

double VariantPool::potential(const CapStep &S,
                              std::optional<double> Enough) const {
  if (Codes.empty())
    return 1;
  double Most = -std::numeric_limits<double>::infinity();
  for (const auto &[I, Code] : Codes) {
    Variant Ideal = Variants[I];
    if (Ideal.Rewrites != basis().Rewrites)
      continue;
    Ideal.Regs = S.MaxRegs;
    double Gain = 1 - leastMean(Ideal, Code) / stock().Cycles;
    if (!Enough ||
        Gain > *Enough) // Large kernels take tenths of a second each.
      Gain = 1 - meanOf(predictEach(Ideal, &Code)) / stock().Cycles;
    Most = std::max(Most, Gain);
    if (Enough && Most > *Enough)
      break;
  }
  return Most;
}

double VariantPool::leastGain(const CapStep &S) const {
  double Most = 0, Unspilled = 0;
  for (size_t I : Finalists) {
    const Variant &V = Variants[I];
    if (!I)
      continue;
    double Gain =
        1 - V.Cycles / stock().Cycles - marginOf(V, stock(), evidence());
    Most = std::max(Most, Gain);
    if (!V.spillBytes() && V.StaticShared <= stock().StaticShared)
      Unspilled = std::max(Unspilled, Gain);
  }
  double Wanted = Most - Tuned.Tie;
  if (Unspilled > 0 && Unspilled >= Wanted)
    Wanted = Unspilled + Tuned.Tie;
  Variant AtStep;
  AtStep.BlocksPerSM = S.Blocks;
  return std::max(Wanted, 0.0) + marginOf(AtStep, stock(), evidence());
}

/// The places in Kept: stock first, then what may take least time.
SmallVector<size_t, 8> VariantPool::inOrderOfBounds(
    ArrayRef<size_t> Kept,
    const std::optional<std::vector<VariantCode>> &Found) const {
  SmallVector<std::pair<double, size_t>, 8> Bounds;
  for (auto [N, I] : enumerate(Kept))
    Bounds.emplace_back(I && Found ? leastMean(Variants[I], (*Found)[N]) : 0,
                        N);
  llvm::sort(Bounds);
  return to_vector<8>(make_second_range(Bounds));
}

/// Whether V, another way to generate the same code, takes so much time at
/// least that it will not be chosen, for stock or a finalist that is such a way
/// as well. Those that lift a limit show what others may gain.
bool VariantPool::isBeaten(const Variant &V, const VariantCode &Code) const {
  if (V.What != Decision::Rewrite || !(stock().Cycles > 0))
    return false;
  double Limit = stock().Cycles;
  for (size_t I : Finalists)
    if (const Variant &Other = Variants[I];
        Other.What == Decision::Rewrite && !spillsBeyondL1(Other, stock()))
      Limit = std::min(Limit,
                       Other.Cycles * (1 + riskOf(Other, stock(), evidence())) +
                           Tuned.Tie * stock().Cycles);
  return leastMean(V, Code) >= Limit;
}

bool VariantPool::compare(ArrayRef<size_t> Indices, bool MayStop) {
  std::vector<size_t> Kept;
  std::vector<Variant> Wanted;
  for (size_t I : Indices)
    if (Variants[I].BlocksPerSM && !is_contained(Finalists, I)) {
      Kept.push_back(I);
      Wanted.push_back(Variants[I]);
    }
  std::optional<std::vector<VariantCode>> Found;
  if (Read && !Wanted.empty()) {
    Found = Read(Wanted);
    if (!Found)
      return false;
    for (size_t N = Kept.size(); N != Wanted.size(); ++N) {
      Kept.push_back(size());
      Variants.push_back(Wanted[N]);
    }
    if (Finalists.empty())
      for (const VariantCode &Code : *Found)
        Hits.raiseTo(knownHits(Code));
    for (VariantCode &Code : *Found)
      setKnownHits(Code, Hits);
  }
  if (Found && Kept.front() == 0)
    Model.Work = Found->front().Work;
  auto CodeOf = [&](size_t N) { return Found ? &(*Found)[N] : nullptr; };
  SmallVector<size_t, 8> Order = inOrderOfBounds(Kept, Found);
  if (MayStop && !Goal.Facts.knowsLaunch()) {
    auto MayGain = [&](size_t N) {
      Variant &V = Variants[Kept[N]];
      double Wanted = stock().Cycles * (1 - margin() / 2);
      if (Kept[N] && Found && leastMean(V, (*Found)[N], /*Most=*/1) >= Wanted)
        return false;
      double Cycles = meanOf(predictEach(V, CodeOf(N), /*Most=*/1));
      if (std::isfinite(Cycles))
        V.Cycles = Cycles;
      return Kept[N] && V.Cycles > 0 && V.Cycles < Wanted;
    };
    if (none_of(Order, MayGain)) {
      Finalists.push_back(0);
      return true;
    }
  }
  size_t Before = Finalists.size();
  for (size_t N : Order) {
    size_t I = Kept[N];
    if (Found && isBeaten(Variants[I], (*Found)[N]))
      continue;
    SmallVector<LaunchTime, 4> Times = predictEach(Variants[I], CodeOf(N));
    if (I == 0)
      StockTimes = Times;
    if (double Cycles = meanOf(Times); std::isfinite(Cycles))
      Variants[I].Cycles = Cycles;
    if (!suitsAllLaunches(Variants[I], Times))
      continue;
    if (Found)
      predictLone(Variants[I], (*Found)[N]);
    if (!paysForSpilling(Variants[I], Times))
      continue;
    if (Found && !Variants[I].MaxRegs)
      Codes[I] = std::move((*Found)[N]);
    Finalists.push_back(I);
  }
  llvm::sort(Finalists.begin() + Before, Finalists.end());
  return true;
}

bool VariantPool::compareRest() {
  std::map<unsigned, size_t> Best; // By cap.
  for (size_t I = 1; I != size(); ++I) {
    if (is_contained(Finalists, I) || Variants[I].Cycles > 0)
      continue;
    auto [At, IsNew] = Best.try_emplace(Variants[I].MaxRegs, I);
    if (!IsNew && scoreOf(Variants[I]) < scoreOf(Variants[At->second]))
      At->second = I;
  }
  SmallVector<size_t, 8> List;
  if (Finalists.empty())
    List.push_back(0);
  for (auto [Cap, I] : Best)
    List.push_back(I);
  return compare(List);
}

void VariantPool::chooseBasis() {
  double Limit = stock().Cycles * (1 - margin());
  for (size_t I : Finalists)
    if (Variants[I].What == Decision::Rewrite && Variants[I].Cycles < Limit) {
      Basis = I;
      Limit = Variants[I].Cycles;
    }
}

size_t VariantPool::fastest() const {
  std::vector<Variant> List;
  std::vector<double> Cycles;
  for (size_t I : Finalists) {
    List.push_back(Variants[I]);
    Cycles.push_back(Variants[I].Cycles);
  }
  return Finalists[chooseBuild(List, Cycles, evidence())];
}

size_t VariantPool::bestOther() const {
  size_t Best = 0;
  for (size_t I : Finalists)
    if (I && (!Best || Variants[I].Cycles < Variants[Best].Cycles))
      Best = I;
  return Best;
}

Prediction VariantPool::prediction(size_t I) const {
  Prediction P =
      bound(1 - Variants[I].Cycles / stock().Cycles,
            I ? marginOf(Variants[I], stock(), evidence()) : margin());
  P.Best = static_cast<unsigned>(I);
  return P;
}

Prediction VariantPool::bound(double Gain, double Margin) const {
  Prediction P;
  P.By = Goal.O.ScoreBy;
  P.FromSass = readsCode();
  P.Gain = Gain;
  P.Margin = Margin;
  return P;
}

} // namespace regdem
