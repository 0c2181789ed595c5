//===- Divergence.cpp - whether the threads of a warp may part ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/Divergence.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

/// Whether nothing but the end of the kernel follows.
static bool isEnd(const BasicBlock *Block) {
  return isa<ReturnInst>(*Block->getFirstNonPHIOrDbg());
}

bool hasLoopsAmidDivergence(Function &F, const TargetMachine &TM) {
  FunctionAnalysisManager Analyses;
  Analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  Analyses.registerPass([] { return DominatorTreeAnalysis(); });
  Analyses.registerPass([] { return LoopAnalysis(); });
  Analyses.registerPass([] { return CycleAnalysis(); });
  Analyses.registerPass([&] { return TM.getTargetIRAnalysis(); });
  Analyses.registerPass([] { return UniformityInfoAnalysis(); });
  if (Analyses.getResult<LoopAnalysis>(F).empty())
    return false;
  auto &Threads = Analyses.getResult<UniformityInfoAnalysis>(F);
  return any_of(F, [&](const BasicBlock &Block) {
    return Threads.hasDivergentTerminator(Block) &&
           none_of(successors(&Block), isEnd);
  });
}

} // namespace regdem
