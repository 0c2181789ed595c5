//===- Remarks.cpp - what users are told while they compile ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Emission/Remarks.h"

#include "regdem/Decision/Outcome.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Options.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace regdem {

static constexpr const char *PassName = "regdem";

void reportWarning(LLVMContext &Context, const Twine &Text) {
  std::string Message = ("regdem: " + Text).str();
  Context.diagnose(DiagnosticInfoGeneric(Message, DS_Warning));
}

void reportError(const Function &F, Error E) {
  F.getContext().emitError("regdem: '" + F.getName() +
                           "': " + toString(std::move(E)));
}

/// Text of a remark with the architecture, as one command may compile for
/// several.
static std::string withArch(const std::string &Text, const Outcome &O) {
  return Text + " (" + O.Facts.ArchName + ")";
}

void emitRemarks(const MachineFunction &MF, const Outcome &O,
                 MachineOptimizationRemarkEmitter &Emitter) {
  DiagnosticLocation Where(MF.getFunction().getSubprogram());
  const MachineBasicBlock *Entry = &MF.front();
  Emitter.emit([&] {
    return MachineOptimizationRemarkAnalysis(PassName, "Figures", Where, Entry)
           << withArch(describeFigures(O), O);
  });
  for (const Variant &V : O.Variants)
    Emitter.emit([&] {
      return MachineOptimizationRemarkAnalysis(PassName, "Variant", Where,
                                               Entry)
             << withArch(describeVariant(O, V), O);
    });
  if (O.What == Decision::Stock)
    Emitter.emit([&] {
      return MachineOptimizationRemarkMissed(PassName, "NotDemoted", Where,
                                             Entry)
             << withArch(describeDecision(O), O);
    });
  else
    Emitter.emit([&] {
      return MachineOptimizationRemark(PassName, "Decided", Where, Entry)
             << withArch(describeDecision(O), O);
    });
  if (O.Unbounded)
    Emitter.emit([&] {
      return MachineOptimizationRemarkMissed(PassName, "LaunchBounds", Where,
                                             Entry)
             << withArch(describeUnbounded(O), O);
    });
}

/// Emits a `missed` remark of a kernel of which there is no machine code yet.
static void emitMissed(const Function &Kernel, StringRef Name,
                       const std::string &Text) {
  OptimizationRemarkEmitter(&Kernel).emit([&] {
    return OptimizationRemarkMissed(PassName, Name,
                                    DiagnosticLocation(Kernel.getSubprogram()),
                                    &Kernel.getEntryBlock())
           << Text;
  });
}

void emitProfileFault(const Function &Kernel, ProfileFault Fault) {
  emitMissed(Kernel, "ProfileNotUsed", describeFault(Kernel.getName(), Fault));
}

void emitDeclined(const Function &Kernel, const Outcome &O) {
  emitMissed(Kernel, "NotDemoted", withArch(describeDecision(O), O));
}

void emitNotSelected(const Function &Kernel, const Options &Opts) {
  Outcome O;
  O.Facts = collectKernelFacts(Kernel, Opts);
  O.Why = Reason::Declined;
  O.Because = Obstacle::NotSelected;
  emitDeclined(Kernel, O);
}

} // namespace regdem
