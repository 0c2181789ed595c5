//===- FreeChoice.cpp - choose among builds without a stated cap ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/FreeChoice.h"

#include "CapSteps.h"
#include "VariantScore.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Plans tried at a step: distances of the target from the cap. Fewer than
/// under a stated cap, where a kernel has to live with the best of them.
struct PlanShape {
  Strategy How;
  int Distance;
};
constexpr PlanShape Shapes[] = {{Strategy::Resident, -4},
                                {Strategy::Resident, -8},
                                {Strategy::Rotating, -8}};
/// Steps at which demotion is tried.
constexpr unsigned MostDemotedSteps = 3;
/// Steps at which ptxas is asked to spill to shared memory.
constexpr unsigned MostPragmaSteps = 2;

/// A register cap and the variants that were built with it.
struct TriedStep {
  CapStep Step;
  SmallVector<size_t, 5> Variants;
};

class Search {
public:
  Search(const FreeGoal &Goal, BuildVariants Build, ReadVariants Read)
      : Goal(Goal), Build(Build), Read(Read) {}

  std::optional<Settled> run() {
    Result.Free.emplace();
    if (!add({Variant()}))
      return std::nullopt;
    if (std::optional<Reason> Why = reasonForStock())
      return keepStock(*Why);
    if (Read && !read(0))
      return std::nullopt;

    for (const CapStep &S : capSteps(Goal, stock()))
      if (spillBytes(stock()) || potential(S) > margin())
        Steps.push_back({S, {}});
    if (Steps.empty() && !spillBytes(stock()))
      return keepStock(Reason::WarpsDoNotPay);
    if (!buildCaps() || !buildDemoted())
      return std::nullopt;
    if (Goal.MaySpillToShared)
      buildPragmas();
    return choose();
  }

private:
  const FreeGoal &Goal;
  BuildVariants Build;
  ReadVariants Read;
  Settled Result;
  std::vector<TriedStep> Steps;
  /// Index of the variant that has the register limit of the stock build
  /// lifted; 0: there is none.
  size_t Lifted = 0;
  std::optional<VariantCode> StockCode;
  double MostPotential = 0;

  const Variant &stock() const { return Result.Variants.front(); }
  double margin() const { return decisionMargin(/*FromSass=*/!!Read); }

  bool add(ArrayRef<Variant> Wanted) {
    auto Built = Build(Wanted);
    if (!Built)
      return false;
    for (Variant &V : *Built) {
      V.Score = scoreVariant(V);
      Result.Variants.push_back(V);
    }
    return true;
  }

  double predict(const Variant &V, const VariantCode *Code) const {
    return predictCycles(V, Code, Goal.Facts.Threads, Goal.Limits);
  }

  /// Why the stock build is right, where that shows without another build.
  std::optional<Reason> reasonForStock() const {
    Occupancy O = occupancyOf(Goal, stock());
    if (!O.BlocksPerSM)
      return Reason::DoesNotFit;
    if (O.Limit != Limiter::Registers && !spillBytes(stock()))
      return Reason::NotRegisterLimited;
    return std::nullopt;
  }

  std::optional<Settled> keepStock(Reason Why) {
    Result.Free->Why = Why;
    Result.Variants.front().Chosen = true;
    if (Why == Reason::WarpsDoNotPay)
      Result.Free->Predicted = {Goal.O.ScoreBy, !!Read, MostPotential, margin(),
                                0};
    return std::move(Result);
  }

  bool read(size_t Index) {
    auto Codes = Read(Result.Variants[Index]);
    if (Codes)
      StockCode = Codes->front();
    return Codes.has_value();
  }

  /// The share of its time that the stock code would save if it ran at S as it
  /// is: what no variant that only adds code can exceed.
  double potential(const CapStep &S) {
    if (!StockCode)
      return 1;
    Variant Ideal = stock();
    Ideal.Regs = std::min(Ideal.Regs, S.MaxRegs);
    Ideal.BlocksPerSM = S.Blocks;
    double Gain =
        1 - predict(Ideal, &*StockCode) / predict(stock(), &*StockCode);
    MostPotential = std::max(MostPotential, Gain);
    return Gain;
  }

  bool buildCaps() {
    std::vector<Variant> Wanted;
    for (TriedStep &S : Steps) {
      S.Variants.push_back(Result.Variants.size() + Wanted.size());
      Variant V;
      V.What = Decision::Cap;
      V.MaxRegs = S.Step.MaxRegs;
      Wanted.push_back(V);
    }
    // From the block size alone ptxas derives a limit that may be far below
    // what one block can have (128 -> 32 registers, seen with 13.0). It does
    // not when it is told to make room for one block.
    bool StatesThreads = Goal.Facts.ThreadsFrom == BlockSizeSource::ReqNTID ||
                         Goal.Facts.ThreadsFrom == BlockSizeSource::MaxNTID;
    if (StatesThreads && !Goal.Facts.MinBlocks) {
      Lifted = Result.Variants.size() + Wanted.size();
      Variant V;
      V.What = Decision::Cap;
      V.MinBlocks = 1;
      V.MaxRegs = maxRegsForBlocks(Goal.Limits, Goal.Facts.Threads, 1);
      Wanted.push_back(V);
    }
    return Wanted.empty() || add(Wanted);
  }

  /// Whether demotion may help at S: the bare cap makes ptxas spill, and there
  /// is shared memory for a good part of the excess.
  bool worthDemoting(const TriedStep &S) const {
    if (!spillBytes(Result.Variants[S.Variants.front()]))
      return false;
    unsigned Excess =
        Goal.Pressure > S.Step.MaxRegs ? Goal.Pressure - S.Step.MaxRegs : 1;
    uint64_t Words = S.Step.SlotBytes / 4 / Goal.Facts.Threads;
    return Words * 3 >= Excess && Words;
  }

  bool buildDemoted() {
    std::vector<Variant> Wanted;
    unsigned Demoted = 0;
    for (TriedStep &S : Steps) {
      if (Demoted == MostDemotedSteps)
        break;
      if (!worthDemoting(S))
        continue;
      ++Demoted;
      for (PlanShape P : Shapes) {
        S.Variants.push_back(Result.Variants.size() + Wanted.size());
        Variant V;
        V.What = Decision::Demote;
        V.MaxRegs = S.Step.MaxRegs;
        V.How = P.How;
        V.Target = static_cast<unsigned>(
            std::max(static_cast<int>(S.Step.MaxRegs) + P.Distance, 8));
        Wanted.push_back(V);
      }
    }
    return Wanted.empty() || add(Wanted);
  }

  /// ptxas's own spilling to shared memory where a cap makes it spill. A word
  /// that no longer goes to local memory counts as one that goes to a slot.
  void buildPragmas() {
    unsigned Tried = 0;
    for (TriedStep &S : Steps) {
      Variant Capped = Result.Variants[S.Variants.front()];
      if (!spillBytes(Capped))
        continue;
      if (Tried++ == MostPragmaSteps)
        break;
      Variant Wanted;
      Wanted.What = Decision::Pragma;
      Wanted.MaxRegs = S.Step.MaxRegs;
      Wanted.SmemSpilling = true;
      size_t Index = Result.Variants.size();
      if (!add(Wanted))
        continue;
      Variant &V = Result.Variants[Index];
      if (spillBytes(V) < spillBytes(Capped))
        V.SlotAccesses += (spillBytes(Capped) - spillBytes(V)) / 4;
      V.Score = scoreVariant(V);
      S.Variants.push_back(Index);
    }
  }

  /// The variants among which the cost model decides: stock, and of each cap
  /// the one with the best figures.
  SmallVector<size_t, 8> finalists() const {
    SmallVector<size_t, 8> List = {0};
    auto Fits = [this](size_t I) {
      return Result.Variants[I].BlocksPerSM != 0;
    };
    if (Lifted && Fits(Lifted) && !sameFigures(Lifted, 0))
      List.push_back(Lifted);
    for (const TriedStep &S : Steps) {
      size_t Best = *min_element(S.Variants, [this](size_t A, size_t B) {
        return Result.Variants[A].Score < Result.Variants[B].Score;
      });
      if (Fits(Best))
        List.push_back(Best);
    }
    return List;
  }

  bool sameFigures(size_t A, size_t B) const {
    const Variant &VA = Result.Variants[A], &VB = Result.Variants[B];
    return VA.Regs == VB.Regs && VA.SpillStoreBytes == VB.SpillStoreBytes &&
           VA.SpillLoadBytes == VB.SpillLoadBytes;
  }

  std::optional<Settled> choose() {
    SmallVector<size_t, 8> List = finalists();
    std::vector<Variant> Last;
    for (size_t I : List)
      Last.push_back(Result.Variants[I]);
    std::vector<VariantCode> Codes;
    if (Read) {
      auto Others = Read(ArrayRef(Last).drop_front());
      if (!Others)
        return std::nullopt;
      Codes = std::move(*Others);
      Codes.insert(Codes.begin(), *StockCode);
    }
    std::vector<double> Cycles;
    for (size_t N = 0; N != Last.size(); ++N) {
      Cycles.push_back(predict(Last[N], Read ? &Codes[N] : nullptr));
      Result.Variants[List[N]].Cycles = Cycles[N];
    }
    size_t Chosen = chooseVariant(Last, Cycles, !!Read);
    settle(List, Cycles, Chosen);
    return std::move(Result);
  }

  /// Writes down that variant List[Chosen] is to be built, and why.
  void settle(ArrayRef<size_t> List, ArrayRef<double> Cycles, size_t Chosen) {
    size_t Shown = Chosen;
    for (size_t N = 1; !Chosen && N < Cycles.size(); ++N)
      if (!Shown || Cycles[N] < Cycles[Shown])
        Shown = N;
    Variant &V = Result.Variants[List[Chosen]];
    V.Chosen = true;
    FreeChoice &Free = *Result.Free;
    Free.What = V.What;
    Free.MaxRegs = V.MaxRegs;
    Free.MinBlocks = V.MinBlocks;
    Free.Why = Chosen ? Reason::PredictedFaster : Reason::StockFastest;
    Free.Predicted = {Goal.O.ScoreBy, !!Read, 1 - Cycles[Shown] / Cycles[0],
                      margin(), static_cast<unsigned>(List[Shown])};
    Result.Target = V.Target;
    Result.How = V.How;
    Result.SmemSpilling = V.SmemSpilling;
  }
};

} // namespace

std::optional<Settled> searchFreely(const FreeGoal &Goal, BuildVariants Build,
                                    ReadVariants Read) {
  return Search(Goal, Build, Read).run();
}

} // namespace regdem
