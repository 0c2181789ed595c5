//===- KernelStudy.cpp - analyse and decide for one kernel ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Passes/KernelStudy.h"

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Options.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"

using namespace llvm;

namespace regdem {

void requireStudyAnalyses(AnalysisUsage &AU) {
  AU.addRequired<LiveIntervalsWrapperPass>();
  AU.addRequired<MachineLoopInfoWrapperPass>();
  AU.addRequired<MachineBlockFrequencyInfoWrapperPass>();
  AU.addRequired<MachineBranchProbabilityInfoWrapperPass>();
}

KernelCode readCode(MachineFunction &MF, const NVPTXOpcodes &Opcodes,
                    const Pass &P) {
  return readKernelCode(
      MF,
      {P.getAnalysis<LiveIntervalsWrapperPass>().getLIS(),
       P.getAnalysis<MachineLoopInfoWrapperPass>().getLI(),
       P.getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI(),
       P.getAnalysis<MachineBranchProbabilityInfoWrapperPass>().getMBPI()},
      Opcodes);
}

KernelStudy studyKernel(MachineFunction &MF, const Options &Opts,
                        const NVPTXOpcodes &Opcodes, const Pass &P) {
  const Function &F = MF.getFunction();
  KernelStudy Study;
  Study.Facts = collectKernelFacts(F, Opts);
  Study.Code = readCode(MF, Opcodes, P);
  std::optional<Outcome> Settled = readSettled(F);
  Study.Decided = decide(Study.Facts, Opts, Study.Code.Graph,
                         Settled ? &*Settled : nullptr, readRewrites(F));
  Study.Decided.Result.Hash = readHash(F).str();
  Study.Decided.Result.FromCache = isFromCache(F);
  Study.Decided.Result.FusesOtherwise = isMarkedFusedOtherwise(F);
  return Study;
}

} // namespace regdem
