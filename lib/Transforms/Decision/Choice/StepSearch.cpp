//===- StepSearch.cpp - builds at occupancy steps -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepSearch.h"

#include "SearchRules.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Model/BuildScore.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

const Move<StepMoves> StepMoves::AtEachStep[] = {
    {"the cap alone", &StepMoves::cap, &StepMoves::keepCap},
    {"a plan", &StepMoves::plan, &StepMoves::keep},
    {"chained addresses, where little is spilled", &StepMoves::chainedAddresses,
     &StepMoves::keep},
    {"other orders, where little is spilled", &StepMoves::ordersOfLittle,
     &StepMoves::keepOrder},
};

const Move<StepMoves> StepMoves::AtBestStep[] = {
    {"another plan", &StepMoves::otherPlan, &StepMoves::keep},
    {"other orders", &StepMoves::orders, &StepMoves::keepOrder},
    {"a plan in the best order", &StepMoves::planInOrder, &StepMoves::keep},
    {"no straight-line strength reduction", &StepMoves::withoutStraightLine,
     &StepMoves::keepIfWorthIt},
    {"ptxas's own spilling", &StepMoves::ownSpilling, &StepMoves::keepSpilling},
};

/// The plan tried at each step. Of all plans that searchUnderCap tries first,
/// it comes closest to its best score, over 25 kernels and caps of benchmarks/:
/// 1.5 times it in the geometric mean.
static constexpr PlanShape Shape = {Strategy::Resident, -8};
/// Tried at the most promising step where that plan leaves local spill: qr16
/// of benchmarks/ spills nothing with it, 116 bytes with the first. Where the
/// first leaves none, this one was not once chosen for 34 kernels.
static constexpr PlanShape OtherShape = {Strategy::Rotating, -8};

BuildRecipe smemSpilling(unsigned MaxRegs, Rewrite Rewrites) {
  BuildRecipe R;
  R.What = Decision::Pragma;
  R.MaxRegs = MaxRegs;
  R.Rewrites = Rewrites;
  R.SmemSpilling = true;
  return R;
}

size_t StepMoves::best(function_ref<bool(const Build &)> Counts) const {
  std::optional<size_t> Best;
  for (size_t I : Builds)
    if (Counts(T.Pool[I]) &&
        (!Best || scoreOf(T.Pool[I]) < scoreOf(T.Pool[*Best])))
      Best = I;
  return *Best;
}

BuildRecipe StepMoves::bareCap() const {
  BuildRecipe R;
  R.What = Decision::Cap;
  R.MaxRegs = Step.MaxRegs;
  R.Rewrites = T.Pool.basis().Rewrites;
  return R;
}

bool StepMoves::spillsLittle(std::optional<size_t> I) const {
  return spills(I) && T.Pool[*I].spillBytes() <= Tuned.LittleSpill;
}

/// Whether the step has more registers than a basis that spills nothing, so
/// that the cap alone is all that may pay there.
bool StepMoves::isForBareCap() const {
  const Build &Basis = T.Pool.basis();
  return !Basis.spillBytes() && Step.Blocks < Basis.BlocksPerSM;
}

bool StepMoves::mayNeedMore() const {
  return !isForBareCap() && (!Bare || spills(Bare));
}

std::optional<size_t> StepMoves::toMove() const {
  std::optional<size_t> I = Bare ? Bare : ToMove;
  bool Counts =
      T.Goal.MovesFrames && I && *I != best() && T.Pool[*I].FrameBytes;
  return Counts ? I : std::nullopt;
}

/// The demotion of the code that Like is built from, by a plan of Shape; none
/// where there is no shared memory for a good part of the excess, or where all
/// values fit the target, so that ptxas spills for reasons that no plan
/// removes.
std::vector<BuildRecipe> StepMoves::demotion(PlanShape Shape,
                                             const Build &Like) const {
  BuildRecipe R = bareCap();
  R.What = Decision::Demote;
  R.Order = Like.Order;
  R.How = Shape.How;
  R.Target = clampTarget(static_cast<int>(Step.MaxRegs) + Shape.Distance);
  unsigned Pressure = T.Goal.pressureOf(Like);
  uint64_t Words = Step.SlotBytes / 4 / T.Goal.Facts.Threads;
  if (R.Target >= Pressure || !Words ||
      100 * Words < Tuned.GoodPart * (Pressure - R.Target))
    return {};
  return {R};
}

/// Whether demotion is sure to beat the cap alone: the pressure is a quarter
/// above it or more, and slots hold all of the excess. At the steps of
/// benchmarks/ at which that is so, ptxas's figures are 2 to 17 times as bad
/// for the cap alone, which ptxas takes long for.
bool StepMoves::isForDemotion() const {
  const Build &Basis = T.Pool.basis();
  unsigned Pressure = T.Goal.pressureOf(Basis);
  std::vector<BuildRecipe> Plan = demotion(Shape, Basis);
  return !isForBareCap() && !Plan.empty() &&
         isLessBy(Tuned.SureExcess, Step.MaxRegs, Pressure) &&
         Step.SlotBytes / 4 / T.Goal.Facts.Threads >=
             Pressure - Plan.front().Target;
}

/// Wanted without what needs far more registers than the cap alone before
/// ptxas; all of it where that cannot be found out.
std::vector<BuildRecipe>
StepMoves::uncrowded(std::vector<BuildRecipe> Wanted) const {
  if (!T.Measure || Wanted.empty())
    return Wanted;
  if (std::optional<std::vector<unsigned>> Words = T.Measure(Wanted)) {
    size_t N = 0;
    llvm::erase_if(Wanted, [&](const BuildRecipe &) {
      return isCrowded((*Words)[N++], T.Pool[*Bare]);
    });
  }
  return Wanted;
}

// At each step.

std::vector<BuildRecipe> StepMoves::cap() {
  if (isForDemotion() && !T.Goal.MovesFrames)
    return {};
  if (!isForDemotion() && Step.MaxRegs >= T.Goal.Limits.MaxRegsPerThread)
    if (std::optional<size_t> Lifted = T.Pool.lifted()) {
      Bare = Lifted;
      Builds.push_back(*Lifted);
      return {};
    }
  return {bareCap()};
}

void StepMoves::keepCap(size_t First, size_t End) {
  if (First == End)
    return;
  (isForDemotion() ? ToMove : Bare) = First;
  if (Bare)
    keep(First, End);
}

void StepMoves::keep(size_t First, size_t End) {
  for (size_t I = First; I != End; ++I)
    Builds.push_back(I);
}

std::vector<BuildRecipe> StepMoves::plan() {
  return mayNeedMore() ? demotion(Shape, T.Pool.basis())
                       : std::vector<BuildRecipe>();
}

/// Where the step has more registers than the basis and spills all the same,
/// addresses are chained, which takes fewer.
std::vector<BuildRecipe> StepMoves::chainedAddresses() {
  std::vector<BuildRecipe> Wanted;
  if (!isForBareCap() || !spillsLittle(Bare) || !T.ListWorthwhile ||
      has(T.Pool.basis().Rewrites, Rewrite::UnrollLoops))
    return Wanted;
  for (Rewrite R : T.ListWorthwhile(Rewrite::ChainAddresses)) {
    Wanted.push_back(bareCap());
    Wanted.back().Rewrites = Wanted.back().Rewrites | R;
  }
  return Wanted;
}

/// With its spill code such a step may not be the most promising one.
std::vector<BuildRecipe> StepMoves::ordersOfLittle() {
  return mayNeedMore() && spillsLittle(Bare) ? orders()
                                             : std::vector<BuildRecipe>();
}

// At the most promising one, as long as the best build spills.

std::vector<BuildRecipe> StepMoves::otherPlan() {
  bool Demotes = any_of(Builds, [this](size_t I) {
    return T.Pool[I].What == Decision::Demote && T.Pool[I].BlocksPerSM;
  });
  return Demotes && spills(best([](const Build &V) {
           return V.What == Decision::Demote && V.BlocksPerSM;
         }))
             ? demotion(OtherShape, T.Pool.basis())
             : std::vector<BuildRecipe>();
}

/// Where demotion is sure to beat the cap alone, no order was once chosen for
/// the 53 kernels of benchmarks/.
std::vector<BuildRecipe> StepMoves::orders() {
  std::vector<BuildRecipe> Wanted;
  if (!Bare || Ordered || !spills(best()))
    return Wanted;
  for (InstOrder Order : OtherOrders) {
    Wanted.push_back(bareCap());
    Wanted.back().Order = Order;
  }
  return uncrowded(std::move(Wanted));
}

void StepMoves::keepOrder(size_t First, size_t End) {
  if (!Bare || First == End)
    return;
  Ordered = betterOrder(T.Pool.builds().take_front(End), First, *Bare);
  if (*Ordered != *Bare)
    Builds.push_back(*Ordered);
}

std::vector<BuildRecipe> StepMoves::planInOrder() {
  return spills(best()) && spills(Ordered) && *Ordered != *Bare
             ? demotion(Shape, T.Pool[*Ordered])
             : std::vector<BuildRecipe>();
}

/// Of unrolled loops only what ListWorthwhile has returned is known to be
/// exact.
std::vector<BuildRecipe> StepMoves::withoutStraightLine() {
  if (!Bare || !spills(best()) || !T.ListWorthwhile ||
      has(T.Pool.basis().Rewrites, Rewrite::UnrollLoops) ||
      T.ListWorthwhile(Rewrite::SkipSLSR).empty())
    return {};
  BuildRecipe R = bareCap();
  R.Rewrites = R.Rewrites | Rewrite::SkipSLSR;
  return uncrowded({R});
}

void StepMoves::keepIfWorthIt(size_t First, size_t End) {
  if (First == End ||
      betterRewrite(T.Pool.builds().take_front(End), First, *Bare) == *Bare)
    return;
  Rewritten = First;
  keep(First, End);
}

/// What ptxas spills to shared memory is seen beside the same build without.
std::vector<BuildRecipe> StepMoves::ownSpilling() {
  std::vector<BuildRecipe> Wanted;
  if (!T.Goal.MaySpillToShared || !spills(best()))
    return Wanted;
  if (!Bare && ToMove) {
    Bare = ToMove;
    Builds.push_back(*Bare);
  }
  if (!Bare)
    Wanted.push_back(bareCap());
  Wanted.push_back(smemSpilling(Step.MaxRegs, T.Pool.basis().Rewrites));
  if (spills(Rewritten))
    Wanted.push_back(smemSpilling(Step.MaxRegs, T.Pool[*Rewritten].Rewrites));
  return Wanted;
}

void StepMoves::keepSpilling(size_t First, size_t End) {
  for (size_t I = First; I != End; ++I) {
    const Build &V = T.Pool[I];
    if (!V.SmemSpilling)
      Bare = I;
    else
      T.Pool.countSmemSpills(
          I, V.Rewrites == T.Pool[*Bare].Rewrites ? *Bare : *Rewritten);
    Builds.push_back(I);
  }
}

// The steps.

/// Blocks per SM that everything but registers allows.
static unsigned mostBlocks(const Occupancy &O) {
  return std::min({O.BlocksBySharedMemory, O.BlocksByWarps, O.BlocksBySlots});
}

/// At most Tuned.MostSteps steps, nearest to Basis's occupancy first: those
/// with more blocks per SM than Basis and, where Basis spills, also those that
/// give a thread as many registers or more. Where ptxas takes registers for
/// Lifted, the same code without ptxas's own limit (null: not built), that cost
/// it blocks, what lies between the two counts, too: neither the limit nor its
/// absence need be right. None leaves Basis's code less than half of its
/// register pressure. Basis and Lifted must have been assembled.
static std::vector<CapStep> capSteps(const FreeGoal &Goal, const Build &Basis,
                                     const Build *Lifted) {
  Occupancy Now = Goal.occupancyOf(Basis);
  unsigned FewestBlocks = Lifted ? Lifted->BlocksPerSM : Now.BlocksPerSM;
  bool Spills = Basis.spillBytes() != 0;
  std::vector<CapStep> Steps;
  for (OccupancyStep S : occupancySteps(Goal.Limits, Goal.Facts.Threads)) {
    bool IsLast = S.Blocks >= mostBlocks(Now);
    unsigned Blocks = std::min(S.Blocks, mostBlocks(Now));
    bool MoreWarps = Blocks > Now.BlocksPerSM;
    bool MoreRegisters = Spills && S.MaxRegs >= Basis.Regs;
    bool IsBetween = Blocks < Now.BlocksPerSM && Blocks > FewestBlocks;
    if ((MoreWarps || MoreRegisters || IsBetween) &&
        !isLessBy(Tuned.HopelessExcess, S.MaxRegs, Goal.pressureOf(Basis)))
      Steps.push_back(
          {Blocks, S.MaxRegs,
           objectiveForCap(Goal.Facts, Goal.O, Goal.Limits, S.MaxRegs)
               .SlotBytes});
    if (IsLast)
      break;
  }
  auto Distance = [&Now](const CapStep &S) {
    return S.Blocks > Now.BlocksPerSM ? S.Blocks - Now.BlocksPerSM
                                      : Now.BlocksPerSM - S.Blocks;
  };
  // Of two as near, the one with more registers, which stands first, stays so.
  std::stable_sort(Steps.begin(), Steps.end(),
                   [&](const CapStep &A, const CapStep &B) {
                     return Distance(A) < Distance(B);
                   });
  if (Steps.size() > Tuned.MostSteps)
    Steps.resize(Tuned.MostSteps);
  return Steps;
}

StepSearch::StepSearch(StepTools Tools)
    : T(Tools), LeastToGain(T.Pool.margin()) {
  std::optional<size_t> Lifted = T.Pool.lifted();
  for (const CapStep &S :
       capSteps(T.Goal, T.Pool.basis(), Lifted ? &T.Pool[*Lifted] : nullptr)) {
    if (Steps.size() == Tuned.MostTriedSteps)
      break;
    if (!T.Pool.basis().spillBytes()) { // Else it may gain by spilling less.
      double Least = wantedGain(S);
      double Gain = T.Pool.potential(S, Least);
      if (Gain > MostToGain) {
        MostToGain = Gain;
        LeastToGain = Least;
      }
      if (Gain <= Least)
        continue;
    }
    Steps.emplace_back(T, S);
  }
}

/// What a build at S has to gain over the stock build to be chosen.
double StepSearch::wantedGain(const CapStep &S) const {
  bool HasFewerBlocks = S.Blocks < T.Pool.basis().BlocksPerSM;
  return T.Pool.leastGain(S) - (HasFewerBlocks ? Tuned.Margin : 0);
}

/// Tries what is to be tried at each of Some, and has the best of each read.
bool StepSearch::tryEach(MutableArrayRef<StepMoves> Some) {
  if (!tryInTurn<StepMoves>(Some, StepMoves::AtEachStep))
    return false;
  SmallVector<size_t, 8> Best;
  for (const StepMoves &S : Some) {
    Best.push_back(S.best());
    if (std::optional<size_t> ToMove = S.toMove())
      Best.push_back(*ToMove);
  }
  return T.Pool.compare(Best);
}

/// Of the steps after Nearest, at which builds were compared, leaves out those
/// with fewer registers that could not win if it cost them no more than it cost
/// there to hold the code to its registers. Where nothing is spilled there,
/// fewer registers may cost less, as another order may do; but whatever holds
/// the code to them changes no less, so that a tie would not be enough.
void StepSearch::dropTooDear(size_t Nearest) {
  const BuildPool &Pool = T.Pool;
  const StepMoves &Near = Steps[Nearest];
  auto GainOf = [&Pool](size_t I) {
    return 1 - Pool[I].Cycles / Pool.stock().Cycles;
  };
  double Gain = GainOf(Near.best());
  if (std::optional<size_t> ToMove = Near.toMove())
    Gain = std::max(Gain, GainOf(*ToMove));
  double Price = std::max(0.0, Pool.potential(Near.step()) - Gain);
  auto MayWin = [&](const StepMoves &S) {
    if (!Pool[Near.best()].spillBytes())
      return mayGainMore(S);
    double Enough = wantedGain(S.step()) + Price;
    return Pool.potential(S.step(), Enough) > Enough;
  };
  std::vector<StepMoves> Kept(Steps.begin(), Steps.begin() + Nearest + 1);
  for (const StepMoves &S : drop_begin(Steps, Nearest + 1))
    if (S.step().MaxRegs > Near.step().MaxRegs || MayWin(S))
      Kept.push_back(S);
  Steps = std::move(Kept);
}

bool StepSearch::run() {
  // Steps with more registers than the basis takes show nothing of what fewer
  // would cost.
  const Build &Basis = T.Pool.basis();
  size_t Nearest = find_if(Steps,
                           [&](const StepMoves &S) {
                             return S.step().Blocks > Basis.BlocksPerSM;
                           }) -
                   Steps.begin();
  size_t First = Nearest + 1 < Steps.size() && !Basis.spillBytes()
                     ? Nearest + 1
                     : Steps.size();
  if (!tryEach(MutableArrayRef(Steps).take_front(First)))
    return false;
  if (First != Steps.size()) {
    dropTooDear(Nearest);
    if (!tryEach(MutableArrayRef(Steps).drop_front(First)))
      return false;
  }
  StepMoves *S = mostPromising();
  if (!S || !mayGainMore(*S))
    return true;
  size_t Before = S->best();
  if (!tryInTurn<StepMoves>(*S, StepMoves::AtBestStep))
    return false;
  // One reading for all: a run of the disassembler is what takes longest. What
  // a rewrite does to the time does not show in ptxas's figures.
  size_t Unchanged = S->best(
      [this](const Build &V) { return V.Rewrites == T.Pool.basis().Rewrites; });
  SmallVector<size_t, 2> New;
  if (Unchanged != Before)
    New.push_back(Unchanged);
  if (S->best() != Unchanged)
    New.push_back(S->best());
  return T.Pool.compare(New);
}

/// Whether more at S may be chosen than what is built so far: the basis's code
/// would gain enough there if it cost nothing to hold it to so many registers,
/// and more than a tie over what is the fastest already.
bool StepSearch::mayGainMore(const StepMoves &S) const {
  const BuildPool &Pool = T.Pool;
  if (Pool.basis().spillBytes())
    return true; // Builds that spill less gain by that, too.
  double Fastest = 1 - Pool[Pool.fastest()].Cycles / Pool.stock().Cycles;
  double Enough = std::max(Pool.leastGain(S.step()), Fastest + Tuned.Tie);
  return Pool.potential(S.step(), Enough) > Enough;
}

/// The step with spill code that is predicted to be fastest, if that is near
/// enough to the fastest build for other plans to matter; of those within the
/// margin of it the nearest, which spills least.
StepMoves *StepSearch::mostPromising() {
  const BuildPool &Pool = T.Pool;
  double Limit = Pool[Pool.fastest()].Cycles * Tuned.WorthRefining,
         Least = Limit;
  auto CyclesOf = [&](const StepMoves &S) { return Pool[S.best()].Cycles; };
  auto IsTried = [&](const StepMoves &S) {
    return S.mayNeedMore() && CyclesOf(S) > 0;
  };
  for (const StepMoves &S : Steps)
    if (IsTried(S))
      Least = std::min(Least, CyclesOf(S));
  for (StepMoves &S : Steps)
    if (IsTried(S) && CyclesOf(S) < Limit &&
        CyclesOf(S) <= Least + Pool.stock().Cycles * Pool.margin())
      return &S;
  return nullptr;
}

} // namespace regdem
