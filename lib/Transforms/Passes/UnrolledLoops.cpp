//===- UnrolledLoops.cpp - loops unrolled where none is to stay rolled ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unrolls the loops of kernels that are to leave rolling out. Stands ahead of
// the passes over IR that make addresses cheap and find what iterations have in
// common.
//
//===----------------------------------------------------------------------===//

#include "SkippedPasses.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Attributes/TrialAttributes.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Transform/LoopUnrolling.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Pass.h"

using namespace llvm;
using namespace regdem;

namespace {

class UnrolledLoops : public FunctionPass {
public:
  static inline char ID = 0;
  UnrolledLoops() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<AssumptionCacheTracker>();
    AU.addRequired<DominatorTreeWrapperPass>();
    AU.addRequired<LoopInfoWrapperPass>();
    AU.addRequired<ScalarEvolutionWrapperPass>();
    AU.addRequired<TargetTransformInfoWrapperPass>();
  }
  bool runOnFunction(Function &F) override {
    Rewrite Rewrites = rewritesFor(F);
    if (!has(Rewrites, Rewrite::UnrollLoops) && !isTrial(F))
      return false;
    LoopAnalyses Known{
        getAnalysis<LoopInfoWrapperPass>().getLoopInfo(),
        getAnalysis<ScalarEvolutionWrapperPass>().getSE(),
        getAnalysis<DominatorTreeWrapperPass>().getDomTree(),
        getAnalysis<AssumptionCacheTracker>().getAssumptionCache(F),
        getAnalysis<TargetTransformInfoWrapperPass>().getTTI(F)};
    bool MayFuseOtherwise = mayFuseOtherwise(F);
    if (!has(Rewrites, Rewrite::UnrollLoops)) {
      if (countUnrollable(Known, MayFuseOtherwise))
        noteChange(F, Rewrite::UnrollLoops);
      return false;
    }
    if (auto Unrolled = unrollLoops(F, Known, MayFuseOtherwise)) {
      noteArithmetic(F, Unrolled->Expected);
      if (Unrolled->MayFuseOtherwise)
        markFusedOtherwise(F);
    } else { // Has F say what has been left out of it.
      Rewrites &= ~Rewrite::UnrollLoops;
      writeRewrites(F, Rewrites);
    }
    return true;
  }
};

} // namespace

static RegisterPass<UnrolledLoops>
    RegisterUnrolledLoops("regdem-unroll-loops",
                          "Register demotion: unrolled loops");

FunctionPass *regdem::createUnrolledLoopsPass() { return new UnrolledLoops(); }
