//===- KernelStudy.h - analyse and decide for one kernel --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages up to the decision, for the pass that carries it out and for the
// tool that only shows it. Nothing is edited here.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_PASSES_KERNELSTUDY_H
#define REGDEM_PASSES_KERNELSTUDY_H

#include "regdem/Analysis/KernelCode.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Choice/Decide.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Pass;
} // namespace llvm

namespace regdem {

struct KernelStudy {
  KernelCode Code;
  KernelDecision Decided;
};

/// Reads the kernel MF and decides for it, by what is Settled for it if
/// anything is. P is the running pass, which requireCodeAnalyses() told what
/// this takes.
KernelStudy studyKernel(llvm::MachineFunction &MF, const Options &Opts,
                        const NVPTXOpcodes &Opcodes, const llvm::Pass &P,
                        std::optional<Outcome> Settled);

/// What is settled for F outside of trials: by -regdem-build, which holds for
/// machine code as well, or by its attributes.
std::optional<Outcome> finallySettled(const llvm::Function &F,
                                      const Options &Opts);

} // namespace regdem

#endif // REGDEM_PASSES_KERNELSTUDY_H
