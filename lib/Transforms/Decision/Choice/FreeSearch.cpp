//===- FreeSearch.cpp - choose among builds without a stated cap ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Choice/FreeSearch.h"

#include "BuildPool.h"
#include "Moves.h"
#include "StepSearch.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Model/BuildScore.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

/// Registers that ptxas is expected to take at most for a pressure of Words,
/// as isSurelyNotLimited() says.
static unsigned mostRegs(unsigned Words) { return std::max(2 * Words, 16u); }

/// Whether a frame moves only if it does so in the build that is settled: in
/// another one it moves later, if that pays.
static bool settlesFrames(const FreeGoal &Goal) {
  return Goal.MovesFrames && Goal.Facts.launchesAddShared();
}

Occupancy FreeGoal::occupancyOf(const Build &V) const {
  return occupancyAt(statedLaunch(Facts, O), V.Regs, V.StaticShared, Limits);
}

unsigned FreeGoal::pressureOf(const Build &V) const {
  return any(V.Rewrites) || V.Order != InstOrder::Source ? V.PressureAfter
                                                         : Pressure;
}

bool isSurelyNotLimited(const FreeGoal &Goal) {
  unsigned Regs = mostRegs(Goal.Pressure);
  if (Goal.HasArrayRewrites || Goal.Facts.HasCalls ||
      (settlesFrames(Goal) && Goal.Facts.LocalBytes) ||
      Regs > Goal.Limits.MaxRegsPerThread)
    return false;
  Occupancy O = occupancyAt(statedLaunch(Goal.Facts, Goal.O), Regs,
                            Goal.Facts.StaticShared, Goal.Limits);
  return O.BlocksPerSM && O.Limit != Limiter::Registers;
}

bool isNeverLimited(const KernelFacts &Facts, unsigned Pressure,
                    const SMLimits &Limits) {
  unsigned Threads = Limits.MaxWarpsPerSM * Limits.WarpSize;
  return !Facts.HasCalls &&
         mostRegs(Pressure) <= Limits.RegistersPerSM / Threads;
}

namespace {

class FreeSearch {
public:
  FreeSearch(const FreeGoal &Goal, MakeBuilds Make, ReadBuilds Read,
             ListRewrites ListWorthwhile, MeasurePressure Measure)
      : Goal(Goal), ListWorthwhile(ListWorthwhile), Measure(Measure),
        Pool(Goal, Make, Read) {}

  std::optional<Outcome> run() {
    if (!Pool.add(BuildRecipe()))
      return std::nullopt;
    std::optional<Reason> Why = reasonForStock();
    if (Why == Reason::DoesNotFit)
      return settleFitting();
    std::vector<Rewrite> WorthALook = rewritesToTry(/*IsLimited=*/!Why);
    bool MayMove = settlesFrames(Goal) && Pool.stock().FrameBytes;
    if (Why && WorthALook.empty() && !MayMove && !mayLift(/*IsLimited=*/false))
      return settle(0, *Why, std::nullopt);
    if (!buildUncapped(WorthALook, /*IsLimited=*/!Why))
      return std::nullopt;
    const SmallVector<size_t, 3> Uncapped = toCompare();
    if (Why && !MayMove && Uncapped.size() == 1)
      return settle(0, *Why, std::nullopt);
    // One reading for all: a run of the disassembler is what takes longest.
    if (!Pool.compare(Uncapped))
      return std::nullopt;
    if (Why)
      return settleFastest(Why);
    Pool.chooseBasis();
    StepTools Tools{Goal, Pool, ListWorthwhile, Measure};
    std::optional<StepSearch> Steps(Tools);
    if (Steps->empty() && Uncapped.size() == 1)
      return settle(0, Reason::WarpsDoNotPay,
                    Prediction{Pool.readsCode(), Steps->mostToGain(),
                               Steps->leastToGain(), 0});
    // Of a kernel that a pass gives its pressure the pass is to blame.
    if (!Steps->empty() && WorthALook.empty() && Goal.MaySpillToShared) {
      if (!compareOwnSpilling())
        return std::nullopt;
      Steps.emplace(Tools); // What is to be gained besides.
    }
    if (!Steps->run())
      return std::nullopt;
    return settleFastest();
  }

private:
  const FreeGoal &Goal;
  ListRewrites ListWorthwhile;
  MeasurePressure Measure;
  BuildPool Pool;

  /// Settles on a build of which a block fits an SM, as none of stock's does:
  /// with as many registers as that leaves a thread. However slow it is, a
  /// kernel that cannot be launched is worth nothing.
  std::optional<Outcome> settleFitting() {
    BuildRecipe Capped;
    Capped.What = Decision::Cap;
    Capped.MaxRegs = maxRegsForBlocks(Goal.Limits, Goal.Facts.Threads, 1);
    if (!Goal.Facts.knowsBlockSize() || !Capped.MaxRegs ||
        Capped.MaxRegs < MaxRegsRange.Low)
      return settle(0, Reason::DoesNotFit, std::nullopt);
    if (!Pool.add(Capped))
      return std::nullopt;
    bool Fits = Pool.size() > 1 && Pool[1].BlocksPerSM;
    return Fits ? settle(1, Reason::FitsCapped, std::nullopt)
                : settle(0, Reason::DoesNotFit, std::nullopt);
  }

  /// Settles on the finalist that is to be built. Why: that the stock build is
  /// right unless another one is faster, where that is known.
  Outcome settleFastest(std::optional<Reason> Why = std::nullopt) {
    if (size_t Chosen = Pool.fastest())
      return settle(Chosen, Reason::PredictedFaster, Pool.prediction(Chosen));
    if (Why)
      return settle(0, *Why, std::nullopt);
    return settle(0, Reason::StockFastest, Pool.prediction(Pool.bestOther()));
  }

  /// Why the stock build is right, where that shows without another build.
  std::optional<Reason> reasonForStock() const {
    Occupancy O = Goal.occupancyOf(Pool.stock());
    if (!O.BlocksPerSM)
      return Reason::DoesNotFit;
    // Registers cost it neither blocks nor spill code.
    if (O.Limit != Limiter::Registers && !Pool.stock().spillBytes())
      return Reason::NotRegisterLimited;
    return std::nullopt;
  }

  /// Whether ptxas may be told to make room for one block only, in the place
  /// of the limit that it derives from the block size. Where registers do not
  /// limit the kernel that costs blocks, so that the code must be there to
  /// predict from, and the limit must be near: with one register more, the
  /// stock build would lose a block.
  bool mayLift(bool IsLimited) const {
    if (!Goal.Facts.statesBlockSize() || Goal.Facts.MinBlocks)
      return false;
    const Build &Stock = Pool.stock();
    Build More = Stock;
    ++More.Regs;
    return IsLimited ||
           (Pool.readsCode() && Goal.occupancyOf(More).BlocksPerSM <
                                    Goal.occupancyOf(Stock).BlocksPerSM);
  }

  /// What to leave out of a build: of all that lower the pressure by a good
  /// part the one that lowers it most, since each costs two builds. Strength
  /// reduction costs instructions with its registers, which may pay to leave
  /// out even where registers are plenty; sinking saves instructions.
  std::vector<Rewrite> rewritesToTry(bool IsLimited) const {
    if (!ListWorthwhile)
      return {};
    constexpr Rewrite Passes[] = {Rewrite::SkipLoopReduce,
                                  Rewrite::SkipMachineSink};
    std::vector<Rewrite> List =
        ListWorthwhile(ArrayRef(Passes).take_front(IsLimited ? 2 : 1));
    if (List.size() > 1)
      List.resize(1);
    append_range(List, ListWorthwhile(Rewrite::WideProducts));
    // By figures alone nothing shows of what other rewrites gain.
    if (!Pool.readsCode())
      return List;
    // Where builds are compared anyway: an array's access waits like a load.
    if (IsLimited || Goal.HasArrayRewrites)
      append_range(List, ListWorthwhile(Rewrite::UnrollLoops));
    if (Goal.HasArrayRewrites)
      append_range(List,
                   ListWorthwhile({Rewrite::ScalarArrays, Rewrite::SharedArrays,
                                   Rewrite::PackedArrays}));
    return List;
  }

  /// Builds what needs no cap: without passes, and where registers limit the
  /// kernel also with other words to ptxas. From the block size alone ptxas
  /// derives a limit that may be far below what one block can have (128 -> 32
  /// registers, seen with 13.0); it does not when it is told to make room for
  /// one block.
  bool buildUncapped(ArrayRef<Rewrite> WorthALook, bool IsLimited) {
    std::vector<BuildRecipe> Wanted;
    bool MayLift = mayLift(IsLimited);
    // Stock has not held itself back where it spills all the same.
    bool HasAll = Pool.stock().spillBytes() &&
                  Pool.stock().Regs >= Goal.Limits.MaxRegsPerThread;
    auto AddLifted = [&](Rewrite Rewrites) {
      BuildRecipe Lifted = liftedLimit();
      Lifted.Rewrites = Rewrites;
      // By figures alone, one with passes left out is not told from another.
      if (MayLift && (any(Rewrites) ? IsLimited && Pool.readsCode() : !HasAll))
        Wanted.push_back(Lifted);
    };
    for (Rewrite Rewrites : WorthALook) {
      BuildRecipe R;
      R.What = Decision::Rewrite;
      R.Rewrites = Rewrites;
      Wanted.push_back(R);
      AddLifted(Rewrites);
    }
    AddLifted(Rewrite::None);
    return Pool.add(Wanted) && buildLaunchable();
  }

  /// Where more warps may pay, ptxas may choose fewer registers if it may spill
  /// to shared memory; compares the build in which it may.
  bool compareOwnSpilling() {
    size_t Own = Pool.size();
    if (!Pool.add(withOwnSpilling(BuildRecipe())))
      return false;
    return Own == Pool.size() || haveSameFigures(Pool[Own], Pool.stock()) ||
           Pool.compare(Own);
  }

  /// Builds once more what has taken arrays out of local memory and then too
  /// many registers for the launches that the stock build has, with as many as
  /// all of them allow: less spill code than arrays may remain.
  bool buildLaunchable() {
    std::vector<BuildRecipe> Wanted;
    for (const Build &V : Pool.builds())
      if (has(V.Rewrites, ArrayRewrites) && !Pool.isLaunchable(V)) {
        BuildRecipe Capped;
        Capped.What = Decision::Cap;
        Capped.MaxRegs = Pool.mostLaunchable();
        Capped.Rewrites = V.Rewrites;
        Wanted.push_back(Capped);
      }
    return Pool.add(Wanted);
  }

  /// Stock, and of the builds so far those that differ from it.
  SmallVector<size_t, 3> toCompare() const {
    SmallVector<size_t, 3> List = {0};
    for (size_t I = 1; I != Pool.size(); ++I)
      if (!haveSameFigures(Pool[I], Pool.stock()) || any(Pool[I].Rewrites))
        List.push_back(I);
    return List;
  }

  /// Writes down that build Chosen is to be built, and why.
  Outcome settle(size_t Chosen, Reason Why, std::optional<Prediction> P) {
    Outcome Result = settledOn(Pool.take(), Chosen);
    Result.IsFree = true;
    Result.Why = Why;
    Result.Predicted = P;
    return Result;
  }
};

} // namespace

std::optional<Outcome> searchFreely(const FreeGoal &Goal, MakeBuilds Make,
                                    ReadBuilds Read,
                                    ListRewrites ListWorthwhile,
                                    MeasurePressure Measure) {
  return FreeSearch(Goal, Make, Read, ListWorthwhile, Measure).run();
}

} // namespace regdem
