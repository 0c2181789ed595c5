//===- FoldedCopies.cpp - build a kernel without copies -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds copies for kernels that are to be built without them. Stands after
// LLVM's coalescer, which folds those that need no other order, and ahead of
// what puts whole blocks into another.
//
//===----------------------------------------------------------------------===//

#include "SkippedPasses.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Attributes/TrialAttributes.h"
#include "regdem/Constants.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Transform/CopyFolding.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace regdem;

namespace {

class FoldedCopies : public MachineFunctionPass {
public:
  static inline char ID = 0;
  FoldedCopies() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.setPreservesAll(); // Live intervals are kept up to date.
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    Function &F = MF.getFunction();
    bool IsWanted = has(rewritesFor(F), Rewrite::FoldCopies);
    if (!isKernel(F) || (!IsWanted && !isTrial(F)))
      return false;
    Expected<const NVPTXOpcodes &> Opcodes =
        NVPTXOpcodes::of(MF.getSubtarget());
    if (!Opcodes) {
      consumeError(Opcodes.takeError()); // RegDem's own pass reports it.
      return false;
    }
    LiveIntervals &LIS = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
    if (IsWanted)
      return fold(MF, LIS, *Opcodes);
    if (countFoldable(MF, LIS, *Opcodes) < Tuned.LeastCopies)
      return false;
    noteChange(F, Rewrite::FoldCopies);
    return true;
  }

private:
  static bool fold(MachineFunction &MF, LiveIntervals &LIS,
                   const NVPTXOpcodes &Opcodes) {
    const Function &F = MF.getFunction();
    // Options that cannot be read leave nothing out.
    Options Opts = cantFail(optionsFor(F, commandLineOptions()));
    Expected<bool> Changed =
        foldCopies(MF, LIS, Opcodes, Opts.Verify && !isTrial(F));
    if (Changed)
      return *Changed;
    reportFault(F, Changed.takeError());
    return true;
  }
};

} // namespace

static RegisterPass<FoldedCopies>
    Registered("regdem-fold-copies", "Register demotion: folded copies");

FunctionPass *regdem::createFoldedCopiesPass() { return new FoldedCopies(); }
