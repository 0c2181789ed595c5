//===- KernelInspector.cpp - look at kernels where RegDem would -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelInspector.h"

#include "regdem/Emission/Remarks.h"
#include "regdem/Passes/KernelStudy.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace regdem;

namespace {

class RegDemInspector : public MachineFunctionPass {
public:
  static inline char ID = 0;
  explicit RegDemInspector(KernelVisitor Visit = nullptr)
      : MachineFunctionPass(ID), Visit(std::move(Visit)) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    requireStudyAnalyses(AU);
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    if (isKernel(MF.getFunction()))
      if (Error E = inspect(MF))
        reportError(MF.getFunction(), std::move(E));
    return false;
  }

private:
  KernelVisitor Visit;

  Error inspect(MachineFunction &MF);
};

} // namespace

static RegisterPass<RegDemInspector> Registered(InspectorName,
                                                "Register demotion: look");

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
  Expected<const NVPTXOpcodes &> Opcodes = NVPTXOpcodes::of(MF.getSubtarget());
  if (!Opcodes)
    return Opcodes.takeError();
  KernelStudy Study = studyKernel(MF, *Opts, *Opcodes, *this);
  Visit({*Opts, Study.Facts, Study.Code.Graph, Study.Decided});
  return Error::success();
}

FunctionPass *regdem::createInspectorPass(KernelVisitor Visit) {
  return new RegDemInspector(std::move(Visit));
}
