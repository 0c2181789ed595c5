//===- InlinedCalls.cpp - calls become part of kernels, as a pass ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inlines what kernels with that rewrite call. Ahead of that it has assembly of
// kernels with any rewrite say what it reads. It is a pass over the module
// because other functions must not have been prepared for code generation yet,
// as passes over functions do with one function after the other.
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Passes/PassState.h"
#include "regdem/Transform/AssemblyEffects.h"
#include "regdem/Transform/CallInlining.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace regdem;

namespace {

class InlinedCalls : public ModulePass {
public:
  static inline char ID = 0;
  InlinedCalls() : ModulePass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<PassState>();
    AU.addRequired<TargetPassConfig>();
  }
  bool runOnModule(Module &M) override {
    auto *Machine = getAnalysisIfAvailable<MachineModuleInfoWrapperPass>();
    getAnalysis<PassState>().MachineFusesAll =
        getAnalysis<TargetPassConfig>()
            .getTM<TargetMachine>()
            .Options.AllowFPOpFusion == FPOpFusion::Fast;
    bool Changed = false;
    for (Function *F : to_vector(make_pointer_range(M)))
      if (isKernel(*F) &&
          !(Machine && Machine->getMMI().getMachineFunction(*F)))
        Changed |= runOnKernel(*F);
    return Changed;
  }

private:
  bool runOnKernel(Function &F) {
    auto &State = getAnalysis<PassState>();
    Rewrite Rewrites = State.rewritesOf(F);
    bool IsWanted = has(Rewrites, Rewrite::InlineCalls);
    TrialNotes *Notes = State.notesOn(F);
    bool Changed = any(Rewrites) && stateAssemblyEffects(F);
    if (!IsWanted && (!Notes || any(Rewrites) || calledFunctions(F).empty()))
      return Changed;
    FunctionAnalyses Analyses(
        getAnalysis<TargetPassConfig>().getTM<TargetMachine>());
    if (!IsWanted) {
      if (roundingsOf(F) != RoundingsUnknown && hasInlinableCalls(F, Analyses))
        Notes->noteChange(Rewrite::InlineCalls);
      return false;
    }
    auto Were =
        inlineCalls(F, Analyses, mayFuseOtherwise(F), State.fusesAll(F));
    if (!Were)
      State.dropRewrites(F, Rewrite::InlineCalls);
    else if (*Were != Roundings::Fixed)
      State.noteFusing(F);
    return true;
  }
};

} // namespace

static RegisterPass<InlinedCalls>
    RegisteredInlinedCalls("regdem-inline-calls",
                           "Register demotion: inlined calls");

ModulePass *regdem::createInlinedCallsPass() { return new InlinedCalls(); }
