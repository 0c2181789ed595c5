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
                        const NVPTXOpcodes &Opcodes, const Pass &P,
                        std::optional<Outcome> Settled) {
  const Function &F = MF.getFunction();
  KernelStudy Study;
  Study.Code = readKernelCode(MF, Opcodes, P);
  Study.Decided = decide(collectKernelFacts(F, Opts), Opts, Study.Code.Graph,
                         Settled ? &*Settled : nullptr);
  Study.Decided.Result.Hash = readHash(F).str();
  Study.Decided.Result.FusesOtherwise = fusesOtherwise(F);
  return Study;
}

std::optional<Outcome> finallySettled(const Function &F, const Options &Opts) {
  std::optional<Outcome> Settled = readSettled(F);
  if (Opts.Stated && !(Settled && Settled->IsStated))
    return statedOutcome(collectKernelFacts(F, Opts), Opts);
  return Settled;
}

} // namespace regdem
