//===- KernelInspector.cpp - look at kernels where RegDem would -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelInspector.h"

#include "regdem/Analysis/KernelCode.h"
#include "regdem/Emission/TrialAttributes.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/InitializePasses.h"

using namespace llvm;
using namespace regdem;

namespace {

class RegDemInspector : public MachineFunctionPass {
public:
  static char ID;
  explicit RegDemInspector(KernelVisitor Visit = nullptr)
      : MachineFunctionPass(ID), Visit(std::move(Visit)) {}

  StringRef getPassName() const override { return "Register demotion: look"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addRequired<MachineBlockFrequencyInfoWrapperPass>();
    AU.addRequired<MachineBranchProbabilityInfoWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    if (isKernel(MF.getFunction()))
      if (Error E = inspect(MF))
        MF.getFunction().getContext().emitError("regdem: '" + MF.getName() +
                                                "': " + toString(std::move(E)));
    return false;
  }

private:
  KernelVisitor Visit;

  Error inspect(MachineFunction &MF);
};

} // namespace

char RegDemInspector::ID = 0;

INITIALIZE_PASS_BEGIN(RegDemInspector, InspectorName, "Register demotion: look",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(LiveIntervalsWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachineBlockFrequencyInfoWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachineBranchProbabilityInfoWrapperPass)
INITIALIZE_PASS_END(RegDemInspector, InspectorName, "Register demotion: look",
                    false, false)

Error RegDemInspector::inspect(MachineFunction &MF) {
  const Function &F = MF.getFunction();
  Options CommandLine = commandLineOptions();
  Expected<bool> Selected = isSelected(F, CommandLine);
  if (!Selected)
    return Selected.takeError();
  if (!*Selected)
    return Error::success();
  Expected<Options> Opts = optionsFor(F, CommandLine);
  if (!Opts)
    return Opts.takeError();
  const TargetSubtargetInfo &STI = MF.getSubtarget();
  Expected<NVPTXOpcodes> Opcodes =
      NVPTXOpcodes::lookup(*STI.getInstrInfo(), *STI.getRegisterInfo());
  if (!Opcodes)
    return Opcodes.takeError();
  KernelFacts Facts = collectKernelFacts(F, *Opts);
  KernelCode Code = readKernelCode(
      MF,
      {getAnalysis<LiveIntervalsWrapperPass>().getLIS(),
       getAnalysis<MachineLoopInfoWrapperPass>().getLI(),
       getAnalysis<MachineBlockFrequencyInfoWrapperPass>().getMBFI(),
       getAnalysis<MachineBranchProbabilityInfoWrapperPass>().getMBPI()},
      *Opcodes);
  std::optional<Settled> FromVariants = readSettled(F);
  KernelDecision D =
      decide(Facts, *Opts, Code.Graph, FromVariants ? &*FromVariants : nullptr);
  Visit({*Opts, Facts, Code.Graph, D});
  return Error::success();
}

FunctionPass *regdem::createInspectorPass(KernelVisitor Visit) {
  return new RegDemInspector(std::move(Visit));
}
