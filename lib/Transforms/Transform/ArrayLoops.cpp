//===- ArrayLoops.cpp - loops whose counters index arrays -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayLoops.h"

#include "regdem/Analysis/LocalArrays.h"
#include "regdem/Decision/Builds/Rewrite.h"
#include "regdem/Transform/LoopUnrolling.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace regdem {

namespace {

/// Instructions of a function that unrolling may lead to, by LLVM's count:
/// 128 KB of machine code, what the hardware caches for an SM.
constexpr uint64_t MostUnrolledInstructions = 8192;

class Unrolling {
public:
  Unrolling(Function &F, FunctionAnalysisManager &FAM,
            function_ref<bool(const LocalArray &)> Wanted)
      : F(F), FAM(FAM), Wanted(Wanted) {}

  LoopObstacle run() {
    LoopObstacle First = LoopObstacle::None;
    while (Loop *L = next()) {
      LoopObstacle Why = unroll(*L);
      if (First == LoopObstacle::None)
        First = Why;
    }
    return First;
  }

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  function_ref<bool(const LocalArray &)> Wanted;
  SmallPtrSet<const BasicBlock *, 8> Refused; ///< Headers.

  /// The first loop from the outside that counts the places of an array.
  Loop *next() {
    SmallPtrSet<const BasicBlock *, 8> Headers;
    for (const LocalArray &Array : findLocalArrays(F, FAM))
      if (Wanted(Array))
        for (const ArrayAccess &A : Array.Accesses)
          Headers.insert(A.CountedBy.begin(), A.CountedBy.end());
    if (Headers.empty())
      return nullptr;
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (Headers.contains(L->getHeader()) && !Refused.contains(L->getHeader()))
        return L;
    return nullptr;
  }

  LoopObstacle findObstacle(Loop &L) {
    auto &Evolution = FAM.getResult<ScalarEvolutionAnalysis>(F);
    unsigned Most = Evolution.getSmallConstantMaxTripCount(&L);
    if (!Most || Most > MostUnrolledFully)
      return LoopObstacle::Count;
    // What clang has unrolled in part says so as `#pragma unroll 1` does; the
    // build's figures decide whether it pays.
    SmallPtrSet<const Value *, 8> Ephemeral;
    CodeMetrics::collectEphemeralValues(
        &L, &FAM.getResult<AssumptionAnalysis>(F), Ephemeral);
    UnrollCostEstimator Cost(&L, FAM.getResult<TargetIRAnalysis>(F), Ephemeral,
                             BackEdgeInstructions);
    if (!Cost.canUnroll() || !L.isLoopSimplifyForm() || !L.isSafeToClone())
      return LoopObstacle::Form;
    // L's inner loops may be unrolled then.
    if (F.getInstructionCount() + Cost.getRolledLoopSize() * Most >
        MostUnrolledInstructions)
      return LoopObstacle::Size;
    return LoopObstacle::None;
  }

  LoopObstacle unroll(Loop &L) {
    auto &Loops = FAM.getResult<LoopAnalysis>(F);
    auto &Evolution = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &Assumptions = FAM.getResult<AssumptionAnalysis>(F);
    const BasicBlock *Header = L.getHeader();
    simplifyLoop(&L, &Dominators, &Loops, &Evolution, &Assumptions,
                 /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
    LoopObstacle Why = findObstacle(L);
    if (Why == LoopObstacle::None) {
      Evolution.forgetAllLoops();
      formLCSSARecursively(*L.getOutermostLoop(), Dominators, &Loops,
                           &Evolution);
      UnrollLoopOptions How{};
      How.Count = Evolution.getSmallConstantMaxTripCount(&L);
      How.ForgetAllSCEV = true;
      LoopUnrollResult Unrolled =
          UnrollLoop(&L, How, &Loops, &Evolution, &Dominators, &Assumptions,
                     &FAM.getResult<TargetIRAnalysis>(F), /*ORE=*/nullptr,
                     /*PreserveLCSSA=*/true);
      if (Unrolled != LoopUnrollResult::FullyUnrolled)
        Why = LoopObstacle::Form;
      else
        removeUnreachableBlocks(F);
    }
    if (Why != LoopObstacle::None)
      Refused.insert(Header);
    FAM.invalidate(F, PreservedAnalyses::none());
    return Why;
  }
};

} // namespace

LoopObstacle unrollArrayLoops(Function &F, FunctionAnalysisManager &FAM,
                              function_ref<bool(const LocalArray &)> Wanted) {
  return Unrolling(F, FAM, Wanted).run();
}

} // namespace regdem
