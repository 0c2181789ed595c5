//===- ScalarArrays.cpp - arrays out of local memory, as a pass -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites arrays of kernels with that rewrite. Stands ahead of the passes that
// copy parameters, choose address spaces and make addresses cheap, which see
// the same code then as if the source had no array.
//
//===----------------------------------------------------------------------===//

#include "regdem/Passes/ScalarArrays.h"

#include "SkippedPasses.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Attributes/TrialAttributes.h"
#include "regdem/Emission/ArrayMessages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Transform/ArrayRewriting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"
#include <functional>

using namespace llvm;
using namespace regdem;

/// Rewrites the arrays of F, or finds out what would become of them, and tells
/// that; whether one has left local memory.
static bool rewrite(Function &F, FunctionAnalysisManager &FAM, bool IsWanted) {
  std::vector<ArrayResult> Results =
      IsWanted ? rewriteArrays(F, FAM) : planArrays(F, FAM);
  if (IsWanted && !isTrial(F))
    warnOfDifference(F, Results);
  bool HasLeft =
      IsWanted && any_of(Results, std::mem_fn(&ArrayResult::leavesLocalMemory));
  if (!isTrial(F) && asksForArrays(F))
    tellArrays(F, Results, HasLeft);
  return HasLeft;
}

PreservedAnalyses ScalarArraysPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  if (!isKernel(F) || !hasRewritableArrays(F) ||
      !rewrite(F, FAM, /*IsWanted=*/true))
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

namespace {

class ScalarArrays : public FunctionPass {
public:
  static char ID;
  ScalarArrays() : FunctionPass(ID) {}

  StringRef getPassName() const override {
    return "Register demotion: arrays in registers";
  }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<TargetPassConfig>();
  }
  bool runOnFunction(Function &F) override {
    Rewrite Rewrites = rewritesFor(F);
    bool IsWanted = has(Rewrites, Rewrite::ScalarArrays);
    bool IsTold = !isTrial(F) && (mayHaveLocalArrays(F) || IsWanted) &&
                  isKernel(F) && asksForArrays(F);
    if (!IsTold &&
        ((!IsWanted && !isTrial(F)) || !isKernel(F) || !hasRewritableArrays(F)))
      return false;
    bool IsLooked = isTrial(F) && !IsWanted; // Whether it may be rewritten.
    if (IsLooked && !commandLineOptions().Arrays)
      return false;
    FunctionAnalyses Analyses(
        getAnalysis<TargetPassConfig>().getTM<TargetMachine>());
    if (IsLooked) {
      if (mayRewriteArrays(F, Analyses.get()))
        noteChange(F, Rewrite::ScalarArrays);
      return false;
    }
    bool HasLeft = rewrite(F, Analyses.get(), IsWanted);
    if (IsWanted && !HasLeft) {
      Rewrites &= ~Rewrite::ScalarArrays; // F says what was done to it.
      writeRewrites(F, Rewrites);
    }
    return true;
  }
};

} // namespace

char ScalarArrays::ID = 0;

INITIALIZE_PASS_BEGIN(ScalarArrays, "regdem-array-registers",
                      "Register demotion: arrays in registers", false, false)
INITIALIZE_PASS_DEPENDENCY(TargetPassConfig)
INITIALIZE_PASS_END(ScalarArrays, "regdem-array-registers",
                    "Register demotion: arrays in registers", false, false)

FunctionPass *regdem::createScalarArraysPass() { return new ScalarArrays(); }
