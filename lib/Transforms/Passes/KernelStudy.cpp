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
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regdem {

KernelStudy studyKernel(MachineFunction &MF, const Options &Opts,
                        const NVPTXOpcodes &Opcodes, const Pass &P) {
  const Function &F = MF.getFunction();
  KernelStudy Study;
  Study.Facts = collectKernelFacts(F, Opts);
  Study.Code = readKernelCode(MF, Opcodes, P);
  std::optional<Outcome> Settled = readSettled(F);
  Study.Decided = decide(Study.Facts, Opts, Study.Code.Graph,
                         Settled ? &*Settled : nullptr, readRewrites(F));
  Study.Decided.Result.Hash = readHash(F).str();
  Study.Decided.Result.FromCache = F.hasFnAttribute(CachedAttr);
  Study.Decided.Result.FusesOtherwise = F.hasFnAttribute(FusedAttr);
  return Study;
}

} // namespace regdem
