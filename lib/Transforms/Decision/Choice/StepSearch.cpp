//===- StepSearch.cpp - builds at occupancy steps -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepSearch.h"

#include "SearchRules.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Model/VariantScore.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

/// The plan tried at each step. Of all plans that searchUnderCap tries first,
/// it comes closest to its best score, over 25 kernels and caps of benchmarks/:
/// 1.5 times it in the geometric mean.
static constexpr PlanShape Shape = {Strategy::Resident, -8};
/// Tried at the most promising step where that plan leaves local spill: qr16
/// of benchmarks/ spills nothing with it, 116 bytes with the first. Where the
/// first leaves none, this one was not once chosen for 34 kernels.
static constexpr PlanShape OtherShape = {Strategy::Rotating, -8};
StepSearch::StepSearch(const FreeGoal &Goal, VariantPool &Pool,
                       ListRewrites ListWorthwhile, MeasurePressure Measure)
    : Goal(Goal), Pool(Pool), ListWorthwhile(ListWorthwhile), Measure(Measure),
      LeastToGain(Pool.margin()) {
  for (const CapStep &S : Pool.steps()) {
    if (Steps.size() == Tuned.MostTriedSteps)
      break;
    if (!Pool.basis().spillBytes()) { // Else it may gain by spilling less.
      double Least = Pool.leastGain(S);
      if (S.Blocks < Pool.basis().BlocksPerSM)
        Least -= Tuned.Margin;
      double Gain = Pool.potential(S, Least);
      if (Gain > MostToGain) {
        MostToGain = Gain;
        LeastToGain = Least;
      }
      if (Gain <= Least)
        continue;
    }
    Steps.push_back({S, {}, std::nullopt, std::nullopt, std::nullopt});
  }
}

bool StepSearch::run() {
  if (!buildCaps() || !buildDemoted() || !tryOrders() ||
      !Pool.compare(bestOfSteps()))
    return false;
  TriedStep *S = mostPromising();
  if (!S || !mayGainMore(*S))
    return true;
  // One reading for all: a run of the disassembler is what takes longest.
  size_t Before = best(*S);
  if (!tryOtherPlan(*S))
    return false;
  // Where the best spills nothing there is nothing left to save.
  if (Pool[best(*S)].spillBytes() && !reorder(*S))
    return false;
  size_t Refined = best(*S);
  if (Pool[Refined].spillBytes()) {
    if (!spillToShared(*S))
      return false;
    Refined = best(*S);
    if (!omitStraightLine(*S))
      return false;
  }
  SmallVector<size_t, 2> New;
  if (Refined != Before)
    New.push_back(Refined);
  if (size_t Last = best(*S); Last != Refined)
    New.push_back(Last);
  return Pool.compare(New);
}

Variant StepSearch::bareCap(const TriedStep &S, InstOrder Order) const {
  Variant V;
  V.What = Decision::Cap;
  V.MaxRegs = S.Step.MaxRegs;
  V.Rewrites = Pool.basis().Rewrites;
  V.Order = Order;
  return V;
}

/// Takes the bare cap among S's variants, and among Wanted where it is yet
/// to be built.
void StepSearch::addBare(TriedStep &S, std::vector<Variant> &Wanted) {
  if (S.Step.MaxRegs >= Goal.Limits.MaxRegsPerThread)
    S.Bare = Pool.lifted();
  if (!S.Bare)
    S.Bare = S.ToMove;
  if (!S.Bare) {
    S.Bare = Pool.size() + Wanted.size();
    Wanted.push_back(bareCap(S, InstOrder::Source));
  }
  S.Variants.push_back(*S.Bare);
}

/// Whether S has more registers than a basis that spills nothing, so that the
/// bare cap is all that may pay there.
bool StepSearch::isForBareCap(const TriedStep &S) const {
  const Variant &Basis = Pool.basis();
  return !Basis.spillBytes() && S.Step.Blocks < Basis.BlocksPerSM;
}

/// Builds the bare caps, but for those that demotion is sure to beat: ptxas
/// takes long where it spills much. Of these nothing matters but what they are
/// with their frames moved.
bool StepSearch::buildCaps() {
  std::vector<Variant> Wanted;
  for (TriedStep &S : Steps)
    if (isForBareCap(S) || !isForDemotion(S.Step, Shape, Goal, Pool.basis())) {
      addBare(S, Wanted);
    } else if (Goal.MovesFrames) {
      S.ToMove = Pool.size() + Wanted.size();
      Wanted.push_back(bareCap(S, InstOrder::Source));
    }
  return Pool.add(Wanted);
}

/// Whether more than the bare cap may pay at S: it spills.
bool StepSearch::mayNeedMore(const TriedStep &S) const {
  return !isForBareCap(S) && (!S.Bare || Pool[*S.Bare].spillBytes() != 0);
}

bool StepSearch::buildDemoted() {
  std::vector<Variant> Wanted;
  for (TriedStep &S : Steps) {
    if (!mayNeedMore(S))
      continue;
    if (std::optional<Variant> V =
            demotionAt(S.Step, Shape, Goal, Pool.basis())) {
      S.Variants.push_back(Pool.size() + Wanted.size());
      Wanted.push_back(*V);
    }
  }
  return Pool.add(Wanted);
}

/// The variant of S with the best figures.
size_t StepSearch::best(const TriedStep &S) const {
  return *min_element(S.Variants, [this](size_t A, size_t B) {
    return Pool[A].Score < Pool[B].Score;
  });
}

/// The demotion at S with the best figures, or none.
const Variant *StepSearch::bestDemotion(const TriedStep &S) const {
  const Variant *Best = nullptr;
  for (size_t I : S.Variants) {
    const Variant &V = Pool[I];
    if (V.What == Decision::Demote && V.BlocksPerSM &&
        (!Best || V.Score < Best->Score))
      Best = &V;
  }
  return Best;
}

/// Of each step the variant with the best figures, and the bare cap where its
/// frame may move, of which ptxas's figures say nothing.
SmallVector<size_t, 8> StepSearch::bestOfSteps() const {
  SmallVector<size_t, 8> List;
  for (const TriedStep &S : Steps) {
    List.push_back(best(S));
    std::optional<size_t> Bare = S.Bare ? S.Bare : S.ToMove;
    if (Goal.MovesFrames && Bare && Bare != best(S) && Pool[*Bare].FrameBytes)
      List.push_back(*Bare);
  }
  return List;
}

/// Whether more at S, of which a build is read, may be chosen: the basis's code
/// would gain enough there if it cost nothing to hold it to so many registers,
/// and more than a tie over what is the fastest already.
bool StepSearch::mayGainMore(const TriedStep &S) const {
  if (Pool.basis().spillBytes())
    return true; // Builds that spill less gain by that, too.
  double Fastest = 1 - Pool[Pool.fastest()].Cycles / Pool.stock().Cycles;
  double Enough = std::max(Pool.leastGain(S.Step), Fastest + Tuned.Tie);
  return Pool.potential(S.Step, Enough) > Enough;
}

/// The step with spill code that is predicted to be fastest, if that is near
/// enough to the fastest build for other plans to matter; of those within the
/// margin of it the nearest, which spills least.
StepSearch::TriedStep *StepSearch::mostPromising() {
  double Stock = Pool.stock().Cycles,
         Limit = Pool[Pool.fastest()].Cycles * Tuned.WorthRefining,
         Least = Limit;
  auto IsTried = [this](const TriedStep &S) {
    return mayNeedMore(S) && Pool[best(S)].Cycles > 0;
  };
  for (const TriedStep &S : Steps)
    if (IsTried(S))
      Least = std::min(Least, Pool[best(S)].Cycles);
  for (TriedStep &S : Steps)
    if (IsTried(S) && Pool[best(S)].Cycles < Limit &&
        Pool[best(S)].Cycles <= Least + Stock * Pool.margin())
      return &S;
  return nullptr;
}

/// Takes those from Wanted that need far more registers than Base before ptxas;
/// false when that cannot be found out.
bool StepSearch::dropCrowded(std::vector<Variant> &Wanted,
                             const Variant &Base) const {
  if (!Measure)
    return true;
  std::optional<std::vector<unsigned>> Words = Measure(Wanted);
  if (!Words)
    return false;
  size_t N = 0;
  llvm::erase_if(
      Wanted, [&](const Variant &) { return isCrowded((*Words)[N++], Base); });
  return true;
}

/// Tries the demotion of that Shape at S for the code that Like is built from,
/// where it may pay; false when a build fails.
bool StepSearch::demote(TriedStep &S, PlanShape Shape, const Variant &Like) {
  std::optional<Variant> V = demotionAt(S.Step, Shape, Goal, Like);
  if (!V)
    return true;
  S.Variants.push_back(Pool.size());
  return Pool.add(*V);
}

/// Builds the bare cap of S in other orders of the instructions; false when
/// that fails. Those that betterOrder() would pass over are not assembled.
bool StepSearch::buildOrders(TriedStep &S) {
  if (!S.Bare || S.Ordered)
    return true;
  std::vector<Variant> Wanted;
  size_t First = Pool.size();
  for (InstOrder Order : OtherOrders)
    Wanted.push_back(bareCap(S, Order));
  if (!dropCrowded(Wanted, Pool[*S.Bare]) || !Pool.add(Wanted))
    return false;
  S.Ordered = betterOrder(Pool.variants(), First, *S.Bare);
  return true;
}

/// Where S has more registers than the basis and the bare cap all the same
/// spills a little, tries it with addresses chained, which need fewer
/// registers; false when a build fails.
bool StepSearch::shareLess(TriedStep &S) {
  if (!isForBareCap(S) || !S.Bare || !ListWorthwhile ||
      has(Pool.basis().Rewrites, Rewrite::UnrollLoops) ||
      !Pool[*S.Bare].spillBytes() ||
      Pool[*S.Bare].spillBytes() > Tuned.LittleSpill)
    return true;
  std::vector<Variant> Wanted;
  for (Rewrite O : ListWorthwhile(Rewrite::ChainAddresses)) {
    S.Variants.push_back(Pool.size() + Wanted.size());
    Wanted.push_back(bareCap(S, InstOrder::Source));
    Wanted.back().Rewrites = Wanted.back().Rewrites | O;
  }
  return Pool.add(Wanted);
}

/// Tries other orders at steps where one of them may well save all spill code,
/// since the bare cap spills little: with its spill code such a step may not be
/// the most promising one. False when a build fails.
bool StepSearch::tryOrders() {
  for (TriedStep &S : Steps) {
    if (!shareLess(S))
      return false;
    if (!S.Bare || !mayNeedMore(S) ||
        Pool[*S.Bare].spillBytes() > Tuned.LittleSpill)
      continue;
    if (!buildOrders(S))
      return false;
    if (!Pool[*S.Ordered].spillBytes())
      S.Variants.push_back(*S.Ordered);
  }
  return true;
}

/// Tries other orders of the instructions at S, and demotion in the best of
/// them where it is better but still spills; false when a build fails. Where
/// demotion is sure to beat the bare cap, no order was once chosen for the 53
/// kernels of benchmarks/.
bool StepSearch::reorder(TriedStep &S) {
  if (!buildOrders(S))
    return false;
  if (!S.Ordered || S.Ordered == S.Bare || is_contained(S.Variants, *S.Ordered))
    return true;
  S.Variants.push_back(*S.Ordered);
  if (!Pool[*S.Ordered].spillBytes())
    return true;
  return demote(S, Shape, Pool[*S.Ordered]);
}

/// Tries the other plan where the first one leaves local spill; false when that
/// build fails.
bool StepSearch::tryOtherPlan(TriedStep &S) {
  const Variant *Best = bestDemotion(S);
  if (!Best || !Best->spillBytes())
    return true;
  return demote(S, OtherShape, Pool.basis());
}

/// Tries ptxas's own spilling to shared memory at S; false when a build fails.
bool StepSearch::spillToShared(TriedStep &S) {
  if (!Goal.MaySpillToShared)
    return true;
  std::vector<Variant> Wanted;
  if (!S.Bare) // What ptxas spills to shared memory is seen beside it.
    addBare(S, Wanted);
  size_t Spilling = Pool.size() + Wanted.size();
  Wanted.push_back(smemSpilling(S.Step.MaxRegs, Pool.basis().Rewrites));
  if (!Pool.addAll(std::move(Wanted)))
    return false;
  if (Spilling != Pool.size()) { // ptxas took it.
    scoreSmemSpilling(Pool[Spilling], Pool[*S.Bare]);
    S.Variants.push_back(Spilling);
  }
  return true;
}

/// Tries the cap alone at S without straight-line strength reduction and, where
/// that is better but still spills, with ptxas's own spilling to shared memory;
/// false when a build fails. What was chosen with it stays a finalist. Of
/// unrolled loops only what ListRewrites has returned is known to be exact.
bool StepSearch::omitStraightLine(TriedStep &S) {
  if (!S.Bare || has(Pool.basis().Rewrites, Rewrite::UnrollLoops) ||
      !ListWorthwhile || ListWorthwhile(Rewrite::SkipSLSR).empty())
    return true;
  Variant V = bareCap(S, InstOrder::Source);
  V.Rewrites = V.Rewrites | Rewrite::SkipSLSR;
  size_t First = Pool.size();
  std::vector<Variant> Wanted = {V};
  if (!dropCrowded(Wanted, Pool[*S.Bare]) || !Pool.add(Wanted))
    return false;
  if (Wanted.empty() ||
      betterRewrite(Pool.variants(), First, *S.Bare) == *S.Bare)
    return true;
  S.Variants.push_back(First);
  if (Pool[First].spillBytes() && Goal.MaySpillToShared) {
    if (!Pool.addAll({smemSpilling(S.Step.MaxRegs, V.Rewrites)}))
      return false;
    for (size_t I = First + 1; I != Pool.size(); ++I) {
      scoreSmemSpilling(Pool[I], Pool[First]);
      S.Variants.push_back(I);
    }
  }
  return true;
}

} // namespace regdem
