//===- JoinedBranches.cpp - branches on both sides of one, as a pass ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the branches of kernels with that rewrite, ahead of the passes over IR
// that look at what blocks have in common.
//
//===----------------------------------------------------------------------===//

#include "SkippedPasses.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Attributes/TrialAttributes.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Transform/BranchJoining.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace regdem;

namespace {

class JoinedBranches : public FunctionPass {
public:
  static inline char ID = 0;
  JoinedBranches() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<TargetPassConfig>();
  }
  bool runOnFunction(Function &F) override {
    Rewrite Rewrites = rewritesFor(F);
    bool IsWanted = has(Rewrites, Rewrite::JoinBranches);
    if (!isKernel(F) ||
        (!IsWanted && (!isTrial(F) || !mayHaveJoinableBranches(F))))
      return false;
    FunctionAnalyses Analyses(
        getAnalysis<TargetPassConfig>().getTM<TargetMachine>());
    if (!IsWanted) {
      if (hasJoinableBranches(F, Analyses.get()))
        noteChange(F, Rewrite::JoinBranches);
      return false;
    }
    Expected<bool> Changed = joinBranches(F, Analyses.get());
    if (!Changed) {
      reportFault(F, Changed.takeError());
    } else if (!*Changed) { // F says what was done to it.
      Rewrites &= ~Rewrite::JoinBranches;
      writeRewrites(F, Rewrites);
    }
    return true;
  }
};

} // namespace

static RegisterPass<JoinedBranches>
    RegisterJoinedBranches("regdem-join-branches",
                           "Register demotion: joined branches");

FunctionPass *regdem::createJoinedBranchesPass() {
  return new JoinedBranches();
}
