//===- FreeChoice.cpp - choose among builds without a stated cap ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/FreeChoice.h"

#include "StepVariants.h"
#include "VariantPool.h"
#include "VariantScore.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// The plan tried at each step. Of all plans that searchTarget tries first, it
/// comes closest to its best score, over 25 kernels and caps of benchmarks/:
/// 1.5 times it in the geometric mean.
constexpr PlanShape Shape = {Strategy::Resident, -8};
/// Tried at the most promising step where that plan leaves local spill: qr16
/// of benchmarks/ spills nothing with it, 116 bytes with the first. Where the
/// first leaves none, this one was not once chosen for 34 kernels.
constexpr PlanShape OtherShape = {Strategy::Rotating, -8};
/// Steps at which something is built, the nearest of those that may gain. A
/// fourth was not once chosen for the same kernels.
constexpr size_t MostTriedSteps = 3;
/// More is tried at a step if this plan is predicted to take at most this much
/// more than stock.
constexpr double WorthRefining = 1.15;

/// A register cap and the variants that were built with it.
struct TriedStep {
  CapStep Step;
  SmallVector<size_t, 5> Variants; ///< Indices in the pool.
  std::optional<size_t> Bare;      ///< Of them, the cap alone; none: not built.
};

class Search {
public:
  Search(const FreeGoal &Goal, BuildVariants Build, ReadVariants Read,
         ListOmissions Omissions)
      : Goal(Goal), Omissions(Omissions), Pool(Goal, Build, Read) {}

  std::optional<Settled> run() {
    if (!Pool.add(Variant()))
      return std::nullopt;
    std::optional<Reason> Why = reasonForStock();
    std::vector<Omission> WorthALook;
    if (Omissions && Why != Reason::DoesNotFit)
      WorthALook = worthLeavingOut(/*IsLimited=*/!Why);
    if (Why && WorthALook.empty())
      return settle(0, *Why, std::nullopt);
    if (!buildUncapped(WorthALook, /*IsLimited=*/!Why))
      return std::nullopt;
    NumUncapped = Pool.size() - 1;
    // Where ptxas takes no fewer, nothing shows of what the pass costs.
    if (Why && !Pool.savesRegisters())
      return settle(0, *Why, std::nullopt);
    // One reading for all: a run of the disassembler is what takes longest.
    if (!Pool.compare(withoutSteps()))
      return std::nullopt;
    if (Why) {
      if (size_t Chosen = Pool.fastest())
        return settle(Chosen, Reason::PredictedFaster, Pool.prediction(Chosen));
      return settle(0, *Why, std::nullopt);
    }
    Pool.chooseBasis();
    double MostGain = collectSteps();
    if (Steps.empty() && withoutSteps().size() == 1)
      return settle(0, Reason::WarpsDoNotPay, Pool.bound(MostGain));
    if (!buildCaps() || !buildDemoted() || !Pool.compare(bestOfSteps()))
      return std::nullopt;
    if (TriedStep *S = mostPromising())
      if (!refine(*S))
        return std::nullopt;
    if (size_t Chosen = Pool.fastest())
      return settle(Chosen, Reason::PredictedFaster, Pool.prediction(Chosen));
    return settle(0, Reason::StockFastest, Pool.prediction(Pool.bestOther()));
  }

private:
  const FreeGoal &Goal;
  ListOmissions Omissions;
  VariantPool Pool;
  std::vector<TriedStep> Steps;
  size_t NumUncapped = 0; ///< Variants behind stock that have no cap.

  /// Why the stock build is right, where that shows without another build.
  std::optional<Reason> reasonForStock() const {
    Occupancy O = occupancyOf(Goal, Pool.stock());
    if (!O.BlocksPerSM)
      return Reason::DoesNotFit;
    if (O.Limit != Limiter::Registers && !Pool.stock().spillBytes())
      return Reason::NotRegisterLimited;
    return std::nullopt;
  }

  /// What to leave out of a build: of all that lower the pressure by a good
  /// part the one that lowers it most, since each costs two builds. Strength
  /// reduction costs instructions with its registers, which may pay to leave
  /// out even where registers are plenty; sinking saves instructions.
  std::vector<Omission> worthLeavingOut(bool IsLimited) const {
    constexpr Omission Limited[] = {WithoutReduction, WithoutSinking};
    std::vector<Omission> List =
        Omissions(IsLimited ? ArrayRef<Omission>(Limited) : WithoutReduction);
    if (List.size() > 1)
      List.resize(1);
    return List;
  }

  /// Collects the steps at which something may be gained. Returns the most
  /// that can be.
  double collectSteps() {
    double Most = 0, Least = Pool.leastGain();
    for (const CapStep &S : capSteps(Goal, Pool.basis())) {
      double Gain = Pool.potential(S);
      Most = std::max(Most, Gain);
      // Where the basis spills, a step may gain by spilling less.
      if ((Pool.basis().spillBytes() || Gain > Least) &&
          Steps.size() != MostTriedSteps)
        Steps.push_back({S, {}, std::nullopt});
    }
    return Most;
  }

  /// Builds what needs no cap: without passes, and where registers limit the
  /// kernel also with other words to ptxas. From the block size alone ptxas
  /// derives a limit that may be far below what one block can have (128 -> 32
  /// registers, seen with 13.0); it does not when it is told to make room for
  /// one block. And where it may spill to shared memory, it may choose fewer
  /// registers.
  bool buildUncapped(ArrayRef<Omission> WorthALook, bool IsLimited) {
    std::vector<Variant> Wanted;
    bool MayLift =
        IsLimited && Goal.Facts.statesBlockSize() && !Goal.Facts.MinBlocks;
    auto AddBoth = [&](Variant V) {
      if (V.Without.any())
        Wanted.push_back(V);
      V.What = Decision::Cap;
      V.MinBlocks = 1;
      // By figures alone, one with passes left out is not told from another.
      if (MayLift && (!V.Without.any() || Pool.readsCode()))
        Wanted.push_back(V);
    };
    for (Omission O : WorthALook) {
      Variant V;
      V.What = Decision::Omit;
      V.Without = O;
      AddBoth(V);
    }
    AddBoth(Variant());
    // Of a kernel that a pass gives its pressure the pass is to blame.
    if (Goal.MaySpillToShared && IsLimited && WorthALook.empty())
      Wanted.push_back(smemSpilling(0, Omission()));
    return addAll(std::move(Wanted));
  }

  /// Builds all of Wanted; the last one is left out if it asks ptxas to spill
  /// to shared memory and ptxas refuses.
  bool addAll(std::vector<Variant> Wanted) {
    if (Wanted.empty() || Pool.add(Wanted))
      return true;
    if (!Wanted.back().SmemSpilling)
      return false;
    Wanted.pop_back();
    return Wanted.empty() || Pool.add(Wanted);
  }

  /// Takes the bare cap among S's variants, and among Wanted where it is yet
  /// to be built.
  void addBare(TriedStep &S, std::vector<Variant> &Wanted) {
    if (S.Step.MaxRegs >= Goal.Limits.MaxRegsPerThread)
      S.Bare = Pool.lifted();
    if (!S.Bare) {
      S.Bare = Pool.size() + Wanted.size();
      Variant V;
      V.What = Decision::Cap;
      V.MaxRegs = S.Step.MaxRegs;
      V.Without = Pool.basis().Without;
      Wanted.push_back(V);
    }
    S.Variants.push_back(*S.Bare);
  }

  /// Builds the bare caps, but for those that demotion is sure to beat: ptxas
  /// takes long where it spills much.
  bool buildCaps() {
    std::vector<Variant> Wanted;
    for (TriedStep &S : Steps)
      if (!isForDemotion(S.Step, Shape, Goal, Pool.basis()))
        addBare(S, Wanted);
    return Wanted.empty() || Pool.add(Wanted);
  }

  bool capSpills(const TriedStep &S) const {
    return !S.Bare || Pool[*S.Bare].spillBytes() != 0;
  }

  bool buildDemoted() {
    std::vector<Variant> Wanted;
    for (TriedStep &S : Steps) {
      if (!capSpills(S))
        continue;
      if (std::optional<Variant> V =
              demotionAt(S.Step, Shape, Goal, Pool.basis())) {
        S.Variants.push_back(Pool.size() + Wanted.size());
        Wanted.push_back(*V);
      }
    }
    return Wanted.empty() || Pool.add(Wanted);
  }

  /// The variant of S with the best figures.
  size_t best(const TriedStep &S) const {
    return *min_element(S.Variants, [this](size_t A, size_t B) {
      return Pool[A].Score < Pool[B].Score;
    });
  }

  /// The demotion at S with the best figures, or none.
  const Variant *bestDemotion(const TriedStep &S) const {
    const Variant *Best = nullptr;
    for (size_t I : S.Variants) {
      const Variant &V = Pool[I];
      if (V.What == Decision::Demote && V.BlocksPerSM &&
          (!Best || V.Score < Best->Score))
        Best = &V;
    }
    return Best;
  }

  /// Stock, and the other variants without a cap that differ from it.
  SmallVector<size_t, 3> withoutSteps() const {
    SmallVector<size_t, 3> List = {0};
    for (size_t I = 1; I <= NumUncapped; ++I)
      if (!haveSameFigures(Pool[I], Pool.stock()) || Pool[I].Without.any())
        List.push_back(I);
    return List;
  }

  /// Of each step the variant with the best figures.
  SmallVector<size_t, 8> bestOfSteps() const {
    SmallVector<size_t, 8> List;
    for (const TriedStep &S : Steps)
      List.push_back(best(S));
    return List;
  }

  /// The step with spill code that is predicted to be fastest, if that is near
  /// enough to stock for other plans to matter.
  TriedStep *mostPromising() {
    TriedStep *Best = nullptr;
    double Limit = Pool.stock().Cycles * WorthRefining;
    for (TriedStep &S : Steps) {
      double Cycles = Pool[best(S)].Cycles;
      if (capSpills(S) && Cycles > 0 && Cycles < Limit) {
        Best = &S;
        Limit = Cycles;
      }
    }
    return Best;
  }

  /// Tries at S what has not been tried there; false when a build fails.
  bool refine(TriedStep &S) {
    size_t Before = best(S), First = Pool.size();
    std::vector<Variant> Wanted;
    if (const Variant *Best = bestDemotion(S)) {
      // Fewer slots only help where there are enough of them.
      std::optional<Variant> V =
          Best->spillBytes()
              ? demotionAt(S.Step, OtherShape, Goal, Pool.basis())
              : boundedDemotion(*Best, Goal, Pool.basis());
      if (V)
        Wanted.push_back(*V);
    }
    if (Goal.MaySpillToShared) {
      if (!S.Bare) // What ptxas spills to shared memory is seen beside it.
        addBare(S, Wanted);
      Wanted.push_back(smemSpilling(S.Step.MaxRegs, Pool.basis().Without));
    }
    if (!addAll(std::move(Wanted)))
      return false;
    for (size_t I = First; I != Pool.size(); ++I) {
      if (Pool[I].SmemSpilling)
        scoreSmemSpilling(Pool[I], Pool[*S.Bare]);
      if (I != S.Bare)
        S.Variants.push_back(I);
    }
    size_t Now = best(S);
    return Now == Before || Pool.compare(Now);
  }

  /// Writes down that variant Chosen is to be built, and why.
  Settled settle(size_t Chosen, Reason Why, std::optional<Prediction> P) {
    Variant &V = Pool[Chosen];
    V.Chosen = true;
    Settled Result;
    Result.Free = FreeChoice{V.What, V.MaxRegs, V.MinBlocks, Why, P};
    Result.recipe() = V.recipe();
    Result.Variants = Pool.take();
    return Result;
  }
};

} // namespace

std::optional<Settled> searchFreely(const FreeGoal &Goal, BuildVariants Build,
                                    ReadVariants Read,
                                    ListOmissions Omissions) {
  return Search(Goal, Build, Read, Omissions).run();
}

} // namespace regdem
