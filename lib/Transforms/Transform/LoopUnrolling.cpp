//===- LoopUnrolling.cpp - several iterations at once ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/LoopUnrolling.h"

#include "regdem/Decision/Builds/Rewrite.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace regdem {

namespace {

/// Instructions of a body beyond which its own are parallel enough, by LLVM's
/// estimate: three stay within the instruction cache of a scheduler.
constexpr unsigned MostInstructionsOfBody = 256;
/// Of a loop known to make fewer iterations too many would be left over.
constexpr unsigned LeastIterations = 2 * UnrolledIterations;
/// Instructions that a loop with a known count makes in all, up to which ptxas
/// may well unroll it by itself, which it does not do after unrollLoops().
constexpr unsigned LeastInAll = 4096;
/// LLVM's own limit for what is computed ahead of a loop: no divisions.
constexpr unsigned ExpansionBudget = 4;

class Unroller {
public:
  explicit Unroller(const LoopAnalyses &Known) : Known(Known) {}

  /// The loops that can be unrolled, in the order of their blocks.
  SmallVector<Loop *, 4> find() const {
    SmallVector<Loop *, 4> Found;
    for (Loop *L : Known.Loops.getLoopsInPreorder())
      if (isUnrollable(*L))
        Found.push_back(L);
    return Found;
  }

  /// False if L stays rolled.
  bool unroll(Loop &L) {
    simplifyLoop(&L, &Known.Dominators, &Known.Loops, &Known.Evolution,
                 &Known.Assumptions, /*MSSAU=*/nullptr,
                 /*PreserveLCSSA=*/false);
    if (!L.isLoopSimplifyForm())
      return false;
    formLCSSARecursively(*L.getOutermostLoop(), Known.Dominators, &Known.Loops,
                         &Known.Evolution);
    UnrollLoopOptions How{};
    How.Count = UnrolledIterations;
    unsigned Multiple = Known.Evolution.getSmallConstantTripMultiple(&L);
    How.Runtime = Multiple % UnrolledIterations != 0; // Some may be left over.
    How.SCEVExpansionBudget = ExpansionBudget;
    Loop *Remainder = nullptr;
    LoopUnrollResult Result =
        UnrollLoop(&L, How, &Known.Loops, &Known.Evolution, &Known.Dominators,
                   &Known.Assumptions, &Known.Costs, /*ORE=*/nullptr,
                   /*PreserveLCSSA=*/true, &Remainder);
    if (Result == LoopUnrollResult::Unmodified)
      return false;
    if (Remainder)
      Remainder->setLoopAlreadyUnrolled();
    L.setLoopAlreadyUnrolled();
    return true;
  }

private:
  const LoopAnalyses &Known;

  bool isUnrollable(Loop &L) const {
    if (!L.isInnermost() || hasUnrollTransformation(&L) != TM_Unspecified)
      return false;
    BasicBlock *Latch = L.getLoopLatch();
    if (!Latch || L.getExitingBlock() != Latch ||
        isa<SCEVCouldNotCompute>(Known.Evolution.getBackedgeTakenCount(&L)))
      return false;
    unsigned Most = Known.Evolution.getSmallConstantMaxTripCount(&L);
    if (Most && Most < LeastIterations)
      return false;
    SmallPtrSet<const Value *, 8> Ephemeral;
    CodeMetrics::collectEphemeralValues(&L, &Known.Assumptions, Ephemeral);
    UnrollCostEstimator Cost(&L, Known.Costs, Ephemeral, BackEdgeInstructions);
    if (!Cost.canUnroll() || Cost.Convergence != ConvergenceKind::None ||
        Cost.getRolledLoopSize() > MostInstructionsOfBody)
      return false;
    unsigned Count = Known.Evolution.getSmallConstantTripCount(&L);
    if (Count && Count * Cost.getRolledLoopSize() < LeastInAll)
      return false;
    return hasCheapCount(L);
  }

  /// Whether it costs little to find out how many iterations are left over.
  bool hasCheapCount(Loop &L) const {
    const BasicBlock *Ahead = L.getLoopPredecessor();
    const SCEV *Count = Known.Evolution.getBackedgeTakenCount(&L);
    SCEVExpander Expander(Known.Evolution, "count");
    return Ahead &&
           !Expander.isHighCostExpansion(Count, &L, ExpansionBudget,
                                         &Known.Costs, Ahead->getTerminator());
  }
};

} // namespace

bool hasUnrollable(const LoopAnalyses &Known) {
  return !Unroller(Known).find().empty();
}

bool unrollLoops(const LoopAnalyses &Known) {
  Unroller All(Known);
  bool Changed = false;
  for (Loop *L : All.find())
    Changed |= All.unroll(*L);
  return Changed;
}

} // namespace regdem
