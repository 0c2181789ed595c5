//===- Step.cpp - builds under one register cap ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Step.h"

#include "regdem/Constants.h"
#include "regdem/Decision/Choice/Choose.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/TimeProfiler.h"
#include <algorithm>
#include <limits>

using namespace llvm;

namespace regdem {

const Step::Move Step::Quick[] = {
    {"cap alone", &Step::capAlone, &Step::startFromCap},
    {"saving rewrites", &Step::savingRewrites, &Step::startFromBest},
    {"first plan", &Step::firstPlan},
};

const Step::Move Step::Thorough[] = {
    {"rewrites", &Step::rewrites, &Step::startFromBest},
    {"orders", &Step::orders, &Step::startFromBest},
    {"near plans", &Step::nearPlans},
    {"far plans", &Step::farPlans},
    {"ptxas's own spilling", &Step::ownSpilling},
};

bool Step::tryMoves(MutableArrayRef<Step> All, ArrayRef<Move> Moves) {
  for (const Move &M : Moves) {
    TimeTraceScope Scope("RegDem move", M.Name);
    std::vector<BuildRecipe> Wanted;
    SmallVector<size_t, 4> Borders;
    for (Step &S : All) {
      if (&M == Moves.begin() ||
          !S.Builds.empty()) // Else the budget has ended.
        append_range(Wanted, (S.*M.Wanted)());
      Borders.push_back(S.Pool.size() + Wanted.size());
    }
    if (Wanted.empty())
      continue;
    BuildPool &Pool = All.front().Pool;
    size_t First = Pool.size();
    if (!Pool.add(Wanted))
      return false;
    for (auto [S, Border] : zip_equal(All, Borders)) {
      size_t End = std::min(Border, Pool.size()); // As the budget allows.
      append_range(S.Builds, seq(First, End));
      if (M.Then && First != End)
        (S.*M.Then)(First, End);
      First = End;
    }
  }
  return true;
}

double Step::cycles() const {
  double Least = std::numeric_limits<double>::infinity();
  for (const Build &V : Pool.builds())
    if (V.Cycles > 0 && any_of(Builds, [&](size_t I) {
          return Pool[I].recipe() == V.recipe();
        }))
      Least = std::min(Least, V.Cycles);
  return Least;
}

BuildRecipe Step::capped(Rewrite Rewrites, InstOrder Order) const {
  BuildRecipe R;
  R.MaxRegs = Goal.MaxRegs;
  R.Rewrites = Rewrites;
  R.Order = Order;
  R.What = Goal.CapIsNew                                 ? Decision::Cap
           : any(Rewrites) || Order != InstOrder::Source ? Decision::Rewrite
                                                         : Decision::Stock;
  return R;
}

std::vector<BuildRecipe> Step::capAlone() {
  if (Goal.MaxRegs >= Q.Limits.MaxRegsPerThread)
    if (std::optional<size_t> Lifted = Pool.lifted()) {
      startFrom(*Lifted); // It says the same.
      return {};
    }
  return {capped(Pool.basis().Rewrites)};
}

/// Those that have taken clearly fewer registers than the basis without a cap,
/// and about as long.
std::vector<BuildRecipe> Step::savingRewrites() {
  const Build &Basis = Pool.basis();
  std::vector<BuildRecipe> Wanted;
  for (const Build &V : Pool.builds()) {
    BuildRecipe R = capped(V.Rewrites);
    if (V.Cycles > 0 && V.Cycles <= Basis.Cycles * (1 + Tuned.Tie) &&
        !V.MaxRegs && isLessBy(Tuned.Relief, V.Regs, Basis.Regs) &&
        !is_contained(Wanted, R))
      Wanted.push_back(R);
  }
  return Wanted;
}

void Step::startFromCap(size_t First, size_t) { Base = First; }

/// The best to start from becomes Base: no spill code, or clearly less to move
/// and no more values for a demotion to move.
void Step::startFromBest(size_t First, size_t End) {
  const Build &Before = base();
  for (size_t I = First; I != End; ++I) {
    const Build &V = Pool[I];
    bool IsClear = V.spillBytes()
                       ? isLessBy(Tuned.Relief, scoreOf(V), scoreOf(Before))
                       : Before.spillBytes() != 0;
    if (!V.isRefused() && IsClear && scoreOf(V) < scoreOf(base()) &&
        !isLessBy(Tuned.Relief, Before.PressureAfter, V.PressureAfter))
      Base = I;
  }
}

/// On top of those that the basis has; where it has any, only what is about
/// integers alone is known to be exact with them, and nothing is with unrolled
/// loops.
std::vector<BuildRecipe> Step::rewrites() {
  Rewrite Has = base().Rewrites;
  bool IsCrowded = base().spillBytes() || base().PressureAfter > Goal.MaxRegs;
  if (!IsCrowded || has(Has, Rewrite::UnrollLoops))
    return {};
  std::vector<BuildRecipe> Wanted;
  for (Rewrite R : any(Has) ? From.worthwhile(Rewrite::SkipSLSR)
                            : From.worthwhile(RegisterRewrites))
    Wanted.push_back(capped(Has | R));
  return Wanted;
}

/// With the rewrites of the best build and with those of the cap alone. Where
/// no cap is stated, an order has to lower the pressure as passes that are left
/// out have to: by its spill code alone it looks better than it is (xs_lookup
/// of benchmarks/ took 1.23 of the time, aes 1.05).
std::vector<BuildRecipe> Step::orders() {
  std::vector<BuildRecipe> Wanted;
  if (!base().spillBytes() || !Q.MayOrder)
    return Wanted;
  for (InstOrder Order : OtherOrders)
    Wanted.push_back(capped(base().Rewrites, Order));
  Rewrite OfCap = Pool[Builds.front()].Rewrites;
  for (InstOrder Order : OtherOrders)
    if (base().Rewrites != OfCap)
      Wanted.push_back(capped(OfCap, Order));
  if (Q.Cap)
    return Wanted;
  if (auto Words = From.pressures(Wanted)) {
    size_t N = 0;
    erase_if(Wanted, [&](const BuildRecipe &) {
      return !isLessBy(Tuned.Relief, (*Words)[N++],
                       Pool[Builds.front()].PressureAfter);
    });
  }
  return Wanted;
}

/// Whether the plan of R is among the builds, perhaps for another target: where
/// words are short, a Belady plan saves what they allow, whatever lower target
/// is stated. Resident ones do so in another way for each.
bool Step::isKnownPlan(const BuildRecipe &R) const {
  return any_of(Builds, [&](size_t I) {
    const Build &V = Pool[I];
    bool MissesTarget = V.PressureAfter > V.Target;
    return R == V.recipe() ||
           (V.What == Decision::Demote && R.How == Strategy::Belady &&
            V.How == R.How && MissesTarget && R.Target <= V.PressureAfter);
  });
}

/// Plans for the best build without demotion, where it spills: strategies, and
/// how far the target is from the cap. A target that its code keeps to anyway
/// demotes nothing: the least that does stands for it.
std::vector<BuildRecipe>
Step::plans(ArrayRef<std::pair<Strategy, int>> Shapes) const {
  std::vector<BuildRecipe> New;
  if (!base().spillBytes() || !Q.MayDemote || !Goal.SlotBytes || isServed())
    return New;
  for (auto [How, Distance] : Shapes) {
    BuildRecipe R = capped(base().Rewrites, base().Order);
    R.What = Decision::Demote;
    R.How = How;
    int Target = static_cast<int>(Goal.MaxRegs) + Distance;
    if (int Words = static_cast<int>(base().PressureAfter))
      Target = std::min(Target, Words - 2);
    R.Target = static_cast<unsigned>(std::max(Target, int(TargetRange.Low)));
    if (!isKnownPlan(R) && !is_contained(New, R))
      New.push_back(R);
  }
  return New;
}

/// Of all plans this one comes closest to the best score, over 25 kernels and
/// caps of benchmarks/: 1.5 times it in the geometric mean.
std::vector<BuildRecipe> Step::firstPlan() {
  return plans({{Strategy::Resident, -8}});
}

/// ptxas's estimate of pressure and ours differ by up to about ten registers
/// either way, and a plan below the cap leaves ptxas room to schedule.
std::vector<BuildRecipe> Step::nearPlans() {
  return plans({{Strategy::Resident, 0},
                {Strategy::Resident, -4},
                {Strategy::Belady, -4}});
}

/// Plans for lower targets move more words, and may take spill code away. They
/// come after the near ones, which may be the same: see isKnownPlan().
std::vector<BuildRecipe> Step::farPlans() {
  return plans({{Strategy::Resident, -8}, {Strategy::Belady, -8}});
}

std::vector<BuildRecipe> Step::ownSpilling() {
  if (!base().spillBytes() || !Goal.SlotBytes || !Q.MaySpillToShared ||
      isServed())
    return {};
  BuildRecipe R = capped(base().Rewrites, base().Order);
  R.What = Decision::Pragma;
  R.SmemSpilling = true;
  return {R};
}

/// A run of the decoder and a simulation cost more than ptxas's figures, but
/// see what these do not: how often spill code and accesses to slots run. So
/// figures say what is worth a prediction, and predictions decide.
std::vector<size_t> Step::finalists() const {
  std::vector<size_t> Result, Plans, Own, Others;
  if (Builds.empty()) // The budget ended before.
    return Result;
  Result.push_back(Builds.front());
  if (Base != Builds.front())
    Result.push_back(Base);
  for (size_t I : Builds) {
    const Build &V = Pool[I];
    if (V.isRefused())
      continue;
    bool IsBetter = scoreOf(V) < scoreOf(base());
    // Less does not make up for the L1 that slots take from all other words,
    // which is more than the prediction sees.
    bool Relieves = isLessBy(Tuned.Relief, V.spillBytes(), base().spillBytes());
    if (V.SmemSpilling && IsBetter && V.BlocksPerSM >= Goal.BlocksPerSM)
      Own.push_back(I);
    else if (V.What == Decision::Demote && IsBetter && Relieves)
      Plans.push_back(I);
    else if (V.What != Decision::Demote && !V.SmemSpilling &&
             scoreOf(V) <= scoreOf(base()))
      Others.push_back(I);
  }
  for (std::vector<size_t> *Kind : {&Plans, &Own, &Others}) {
    stable_sort(*Kind, [&](size_t A, size_t B) {
      return hasBetterFigures(Pool[A], Pool[B]);
    });
    size_t Most = Result.size() + Tuned.MostFinalists;
    for (size_t I : *Kind)
      if (Result.size() != Most && none_of(Result, [&](size_t Other) {
            return haveSameFigures(Pool[I], Pool[Other]);
          }))
        Result.push_back(I);
  }
  return Result;
}

} // namespace regdem
