//===- StepSearch.cpp - builds at occupancy steps -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepSearch.h"

#include "Finalists.h"
#include "regdem/Constants.h"
#include "regdem/Decision/Model/BuildScore.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace llvm;

namespace regdem {

const Move<StepMoves> StepMoves::AtEachStep[] = {
    {&StepMoves::capAlone, &StepMoves::keep},
    {&StepMoves::plan, &StepMoves::keep},
};

const Move<StepMoves> StepMoves::AtBestStep[] = {
    {&StepMoves::otherPlan, &StepMoves::keep},
    {&StepMoves::rewrites, &StepMoves::keep},
    {&StepMoves::orders, &StepMoves::keep},
    {&StepMoves::ownSpilling, &StepMoves::keep},
};

bool StepMoves::spills() const {
  return !Builds.empty() && T.Pool[Builds.front()].spillBytes();
}

bool StepMoves::stillSpills() const {
  return all_of(Builds, [this](size_t I) { return T.Pool[I].spillBytes(); });
}

double StepMoves::cycles() const {
  double Least = std::numeric_limits<double>::infinity();
  for (const Build &V : T.Pool.builds())
    if (V.Cycles > 0 && any_of(Builds, [&](size_t I) {
          return T.Pool[I].recipe() == V.recipe();
        }))
      Least = std::min(Least, V.Cycles);
  return Least;
}

std::vector<size_t> StepMoves::toCompare() const {
  if (Builds.empty()) // The budget ended before.
    return {};
  // A cap that ptxas refuses is nothing to compare the others with.
  if (T.Pool[Builds.front()].isRefused())
    return {Builds.begin(), Builds.end()};
  std::vector<Build> List;
  for (size_t I : Builds)
    List.push_back(T.Pool[I]);
  std::vector<size_t> Result;
  for (size_t N : finalists(List, /*Base=*/0, Step.Blocks))
    Result.push_back(Builds[N]);
  return Result;
}

BuildRecipe StepMoves::cap() const {
  BuildRecipe R;
  R.What = Decision::Cap;
  R.MaxRegs = Step.MaxRegs;
  R.Rewrites = T.Pool.basis().Rewrites;
  return R;
}

/// A plan of Shape; none where there is no shared memory, or where all values
/// fit the target, so that ptxas spills for reasons that no plan removes.
std::vector<BuildRecipe> StepMoves::demotion(PlanShape Shape) const {
  BuildRecipe R = cap();
  R.What = Decision::Demote;
  R.How = Shape.How;
  R.Target = clampTarget(static_cast<int>(Step.MaxRegs) + Shape.Distance);
  if (R.Target >= T.Goal.pressureOf(T.Pool.basis()) ||
      !objectiveForCap(T.Goal.Facts, T.Goal.O, T.Goal.Limits, Step.MaxRegs)
           .maxWords(T.Goal.Facts.Threads))
    return {};
  return {R};
}

void StepMoves::keep(size_t First, size_t End) {
  for (size_t I = First; I != End; ++I)
    Builds.push_back(I);
}

// At each step.

std::vector<BuildRecipe> StepMoves::capAlone() {
  if (Step.MaxRegs >= T.Goal.Limits.MaxRegsPerThread)
    if (std::optional<size_t> Lifted = T.Pool.lifted()) {
      Builds.push_back(*Lifted); // It says the same.
      return {};
    }
  return {cap()};
}

/// Of all plans that searchUnderCap tries first, this one comes closest to its
/// best score, over 25 kernels and caps of benchmarks/: 1.5 times it in the
/// geometric mean.
std::vector<BuildRecipe> StepMoves::plan() {
  return spills() ? demotion({Strategy::Resident, -8})
                  : std::vector<BuildRecipe>();
}

// At the fastest one.

/// qr16 of benchmarks/ spills nothing with it, 116 bytes with the first one.
std::vector<BuildRecipe> StepMoves::otherPlan() {
  return stillSpills() ? demotion({Strategy::Belady, -8})
                       : std::vector<BuildRecipe>();
}

/// Of unrolled loops only what ListWorthwhile has returned is known to be
/// exact.
std::vector<BuildRecipe> StepMoves::rewrites() {
  std::vector<BuildRecipe> Wanted;
  if (spills() && T.ListWorthwhile &&
      !has(T.Pool.basis().Rewrites, Rewrite::UnrollLoops))
    for (Rewrite R : T.ListWorthwhile(AddressRewrites))
      Wanted.emplace_back(cap()).Rewrites |= R;
  return Wanted;
}

/// Those that lower the pressure by a good part, as passes that are left out
/// have to; all, where that cannot be found out.
std::vector<BuildRecipe> StepMoves::orders() {
  std::vector<BuildRecipe> Wanted;
  if (!spills())
    return Wanted;
  for (InstOrder Order : OtherOrders)
    Wanted.emplace_back(cap()).Order = Order;
  if (auto Words = T.Measure ? T.Measure(Wanted) : std::nullopt) {
    size_t N = 0;
    llvm::erase_if(Wanted, [&](const BuildRecipe &) {
      return !isLessBy(Tuned.Relief, (*Words)[N++],
                       T.Pool[Builds.front()].PressureAfter);
    });
  }
  return Wanted;
}

std::vector<BuildRecipe> StepMoves::ownSpilling() {
  if (!T.Goal.MaySpillToShared || !stillSpills())
    return {};
  return {withOwnSpilling(cap())};
}

// The steps.

/// Blocks per SM that everything but registers allows.
static unsigned mostBlocks(const Occupancy &O) {
  return std::min({O.BlocksBySharedMemory, O.BlocksByWarps, O.BlocksBySlots});
}

/// At most Tuned.MostSteps steps, nearest to Basis's occupancy first: those
/// with more blocks per SM than Basis and, where Basis spills, also those that
/// give a thread as many registers or more. None leaves Basis's code less than
/// half of its register pressure. Basis must have been assembled.
static std::vector<OccupancyStep> capSteps(const FreeGoal &Goal,
                                           const Build &Basis) {
  Occupancy Now = Goal.occupancyOf(Basis);
  std::vector<OccupancyStep> Steps;
  for (OccupancyStep S : occupancySteps(Goal.Limits, Goal.Facts.Threads)) {
    bool IsLast = S.Blocks >= mostBlocks(Now);
    S.Blocks = std::min(S.Blocks, mostBlocks(Now));
    bool MoreWarps = S.Blocks > Now.BlocksPerSM;
    bool MoreRegisters = Basis.spillBytes() && S.MaxRegs >= Basis.Regs;
    if ((MoreWarps || MoreRegisters) &&
        !isLessBy(Tuned.HopelessExcess, S.MaxRegs, Goal.pressureOf(Basis)))
      Steps.push_back(S);
    if (IsLast)
      break;
  }
  auto Distance = [&Now](const OccupancyStep &S) {
    return S.Blocks > Now.BlocksPerSM ? S.Blocks - Now.BlocksPerSM
                                      : Now.BlocksPerSM - S.Blocks;
  };
  // Of two as near, the one with more registers, which stands first, stays so.
  std::stable_sort(Steps.begin(), Steps.end(),
                   [&](const OccupancyStep &A, const OccupancyStep &B) {
                     return Distance(A) < Distance(B);
                   });
  if (Steps.size() > Tuned.MostSteps)
    Steps.resize(Tuned.MostSteps);
  return Steps;
}

StepSearch::StepSearch(StepTools Tools)
    : T(Tools), LeastToGain(T.Pool.margin()) {
  for (const OccupancyStep &S : capSteps(T.Goal, T.Pool.basis())) {
    if (!T.Pool.basis().spillBytes()) { // Else it may gain by spilling less.
      double Least = T.Pool.leastGain(S);
      double Gain = T.Pool.potential(S);
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

/// Tries what is to be tried at each of Some, and has it compared.
bool StepSearch::tryEach(MutableArrayRef<StepMoves> Some) {
  if (!tryInTurn<StepMoves>(Some, StepMoves::AtEachStep))
    return false;
  std::vector<size_t> All;
  for (const StepMoves &S : Some)
    append_range(All, S.toCompare());
  return T.Pool.compare(All);
}

/// Whether a build at S could win if it cost Price, a share of stock's time, to
/// hold the basis's code to so many registers: it would gain enough to be
/// chosen, and more than a tie over what is the fastest by now.
bool StepSearch::mayWin(const StepMoves &S, double Price) const {
  const BuildPool &Pool = T.Pool;
  double Fastest = 1 - Pool[Pool.fastest()].Cycles / Pool.stock().Cycles;
  double Enough = std::max(Pool.leastGain(S.step()), mostTie(Fastest)) + Price;
  return Pool.potential(S.step()) > Enough;
}

/// Of the steps after the nearest, at which builds were compared, leaves out
/// those that could not win if they cost no more than that one did. What cost
/// no spill code there may be by chance, and cost nothing elsewhere.
void StepSearch::dropTooDear() {
  const StepMoves &Near = Steps.front();
  double Price = Near.spills() ? T.Pool.potential(Near.step()) - 1 +
                                     Near.cycles() / T.Pool.stock().Cycles
                               : 0;
  std::vector<StepMoves> Kept = {Near};
  for (const StepMoves &S : drop_begin(Steps))
    if (mayWin(S, std::max(Price, 0.0)))
      Kept.push_back(S);
  Steps = std::move(Kept);
}

bool StepSearch::run() {
  if (Steps.empty())
    return true;
  // Steps with as many registers as the basis has or more show nothing of what
  // fewer would cost.
  bool InTurn = !T.Pool.basis().spillBytes();
  if (!tryEach(MutableArrayRef(Steps).take_front(InTurn ? 1 : Steps.size())))
    return false;
  if (InTurn) {
    dropTooDear();
    if (!tryEach(MutableArrayRef(Steps).drop_front()))
      return false;
  }
  // Builds that spill less than a basis that spills gain by that, too.
  StepMoves *S = fastestThatSpills();
  if (!S || (InTurn && !mayWin(*S)))
    return true;
  return tryInTurn<StepMoves>(*S, StepMoves::AtBestStep) &&
         T.Pool.compare(S->toCompare());
}

/// The step whose cap spills that is predicted to be fastest; null where there
/// is none, or where another build is as fast.
StepMoves *StepSearch::fastestThatSpills() {
  double Least = T.Pool[T.Pool.fastest()].Cycles;
  StepMoves *Best = nullptr;
  for (StepMoves &S : Steps)
    if (S.spills() && S.cycles() <= Least) {
      Least = S.cycles();
      Best = &S;
    }
  return Best;
}

} // namespace regdem
