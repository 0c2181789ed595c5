//===- CodeGenerator.cpp - the pipeline that regdem-opt runs --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGenerator.h"

#include "Diagnostics.h"
#include "InputModule.h"
#include "regdem/Builder/SettleModule.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Passes/KernelStudy.h"
#include "regdem/Passes/Pass.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

namespace {

/// Names of passes as the options of TargetPassConfig take them.
constexpr StringLiteral RegDemName = "regdem";
constexpr const char *InspectorName = "regdem-inspector";

/// Shows Visit every selected kernel in RegDem's place and changes nothing.
class RegDemInspector : public MachineFunctionPass {
public:
  static inline char ID = 0;
  explicit RegDemInspector(KernelVisitor Visit = nullptr)
      : MachineFunctionPass(ID), Visit(std::move(Visit)) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    requireCodeAnalyses(AU);
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
  KernelStudy Study =
      studyKernel(MF, *Opts, *Opcodes, *this, finallySettled(F, *Opts));
  Visit({*Opts, Study.Decided.Result.Facts, Study.Code.Graph, Study.Decided});
  return Error::success();
}

RegisterPass<RegDemInspector> Registered(InspectorName,
                                         "Register demotion: look");

/// How a pipeline differs from the plugin's.
struct Placement {
  CodeForm From = CodeForm::IR;
  FunctionPass *InsteadOfRegDem = nullptr;
};

/// For the pipeline that is being set up; null for those of builds, which
/// are the plugin's.
const Placement *Active = nullptr;

RegisterTargetPassConfigCallback
    Callback([](TargetMachine &TM, PassManagerBase &PM, TargetPassConfig *C) {
      if (!Active)
        addPasses(TM, PM, *C);
      else
        addPasses(TM, PM, *C, Active->From, Active->InsteadOfRegDem);
    });

/// Sets one of TargetPassConfig's options, which LLVM keeps to itself, for the
/// life of this object.
class PipelineLimit {
public:
  PipelineLimit(StringRef Name, StringRef Pass)
      : Option(cl::getRegisteredOptions().lookup(Name)) {
    Option->addOccurrence(0, Name, Pass);
  }
  ~PipelineLimit() { Option->reset(); }
  PipelineLimit(const PipelineLimit &) = delete;
  PipelineLimit &operator=(const PipelineLimit &) = delete;

private:
  cl::Option *Option;
};

/// Sets up and runs the pipeline for In. FirstPass is the one in RegDem's
/// place, which machine code starts from.
bool run(InputModule &In, TargetMachine &TM, CodeGenFileType Type,
         raw_pwrite_stream &OS, StringRef FirstPass, FunctionPass *Instead) {
  std::optional<PipelineLimit> Start;
  if (In.MIR)
    Start.emplace("start-before", FirstPass);
  Placement Here{In.MIR ? CodeForm::ScheduledMIR : CodeForm::IR, Instead};
  legacy::PassManager PM;
  auto *Machine = new MachineModuleInfoWrapperPass(&TM);
  Active = &Here;
  bool Unsupported = TM.addPassesToEmitFile(PM, OS, /*DwoOut=*/nullptr, Type,
                                            /*DisableVerify=*/false, Machine);
  Active = nullptr;
  if (Unsupported) {
    reportError("the target cannot write this kind of output");
    return false;
  }
  // The printer does this too, but not every pipeline has one.
  TM.getObjFileLowering()->Initialize(Machine->getMMI().getContext(), TM);
  if (In.MIR && !readMachineCode(In, Machine->getMMI()))
    return false;
  PM.run(*In.M);
  return !In.M->getContext().getDiagHandlerPtr()->HasErrors;
}

/// Writes on the kernels what trying builds settles. Machine code carries
/// what was settled for the IR that it comes from.
void settle(InputModule &In, TargetMachine &TM) {
  if (!In.MIR)
    settleModule(*In.M, TM);
}

} // namespace

bool emitPTX(InputModule &In, TargetMachine &TM, raw_pwrite_stream &OS) {
  settle(In, TM);
  return run(In, TM, CodeGenFileType::AssemblyFile, OS, RegDemName, nullptr);
}

bool emitMIR(InputModule &In, TargetMachine &TM, bool BeforeRegDem,
             raw_pwrite_stream &OS) {
  settle(In, TM);
  PipelineLimit Stop(BeforeRegDem ? "stop-before" : "stop-after", RegDemName);
  return run(In, TM, CodeGenFileType::AssemblyFile, OS, RegDemName, nullptr);
}

bool inspectKernels(InputModule &In, TargetMachine &TM, KernelVisitor Visit) {
  settle(In, TM);
  PipelineLimit Stop("stop-after", InspectorName);
  raw_null_ostream OS;
  return run(In, TM, CodeGenFileType::Null, OS, InspectorName,
             new RegDemInspector(std::move(Visit)));
}

} // namespace regdem
