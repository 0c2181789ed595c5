//===- MutationSubject.cpp - kernels that mutants are made of -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationSubject.h"

#include "MachineText.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Decision/Plan/DemotionPlan.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace regdem::test {

/// An empty function with the registers of Original.
static std::unique_ptr<MachineFunction> emptyCopy(MachineFunction &Original) {
  const TargetSubtargetInfo &STI = Original.getSubtarget();
  auto Copy = std::make_unique<MachineFunction>(
      Original.getFunction(), Original.getTarget(), STI, Original.getContext(),
      Original.getFunctionNumber());
  Copy->initTargetMachineFunctionInfo(STI);
  const MachineRegisterInfo &From = Original.getRegInfo();
  for (unsigned I = 0; I != From.getNumVirtRegs(); ++I)
    Copy->getRegInfo().createVirtualRegister(
        From.getRegClass(Register::index2VirtReg(I)));
  return Copy;
}

/// Copies the code of Original, which Code describes; the result describes the
/// copy.
static KernelCode copyCode(const KernelCode &Code, MachineFunction &Copy) {
  KernelCode Result = Code;
  DenseMap<const MachineBasicBlock *, MachineBasicBlock *> Blocks;
  DenseMap<const MachineInstr *, MachineInstr *> Insts;
  for (MachineBasicBlock *&MBB : Result.Blocks) {
    MachineBasicBlock *New = Copy.CreateMachineBasicBlock(MBB->getBasicBlock());
    Copy.push_back(New);
    Blocks[MBB] = New;
    MBB = New;
  }
  for (const MachineBasicBlock *MBB : Code.Blocks) {
    MachineBasicBlock &New = *Blocks[MBB];
    for (const MachineInstr &MI : *MBB) {
      MachineInstr *Inst = Copy.CloneMachineInstr(&MI);
      New.push_back(Inst);
      Insts[&MI] = Inst;
      for (MachineOperand &MO : Inst->operands())
        if (MO.isMBB())
          MO.setMBB(Blocks[MO.getMBB()]);
    }
    for (const MachineBasicBlock *Succ : MBB->successors())
      New.addSuccessorWithoutProb(Blocks[Succ]);
  }
  for (MachineInstr *&MI : Result.Insts)
    MI = Insts[MI];
  return Result;
}

Subject::Subject(MachineFunction &Original, KernelCode Code, Recipe Right,
                 GlobalVariable &OtherRegion, const NVPTXOpcodes &Opcodes)
    : Original(Original), Code(std::move(Code)), Right(std::move(Right)),
      OtherRegion(OtherRegion), Opcodes(Opcodes), Snapshot(Original) {}

std::unique_ptr<MachineFunction> Subject::build(const Recipe &R) const {
  std::unique_ptr<MachineFunction> Copy = emptyCopy(Original);
  KernelCode CopiedCode = copyCode(Code, *Copy);
  demote(*Copy, CopiedCode, R.Plan, R.Layout, R.Dims, R.Region, Opcodes);
  return Copy;
}

std::string Subject::check(const MachineFunction &Result,
                           const RegionBounds &Bounds) const {
  return toString(checkDemotion(Snapshot, Result, Opcodes, Bounds));
}

bool Subject::isOriginal(Register Reg) const {
  return Reg.virtRegIndex() < Original.getRegInfo().getNumVirtRegs();
}

namespace {

/// What the pass below does; set while a pipeline is being built and run.
struct Request {
  unsigned Part;
  Strategy How;
  bool AtEnd;
  const std::function<void(const Subject &)> &Visit;
};
const Request *Active = nullptr;

class VisitPass : public MachineFunctionPass {
public:
  static char ID;
  VisitPass() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    requireCodeAnalyses(AU);
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

char VisitPass::ID = 0;

bool VisitPass::runOnMachineFunction(MachineFunction &MF) {
  Function &F = MF.getFunction();
  const NVPTXOpcodes &Opcodes = cantFail(NVPTXOpcodes::of(MF.getSubtarget()));
  KernelFacts Facts = collectKernelFacts(F, Options());
  KernelCode Code = readKernelCode(MF, Opcodes, *this);
  Recipe Right;
  unsigned Target = maxPressure(Code.Graph) * Active->Part / 100;
  PlanRequest Wanted;
  Wanted.Target = Target;
  Wanted.MaxWords = 12288 / Facts.Threads;
  Wanted.How = Active->How;
  Right.Plan = planDemotion(Code.Graph, Wanted);
  if (Right.Plan.empty()) {
    ADD_FAILURE() << "nothing is demoted in " << F.getName().str();
    return false;
  }
  Right.Layout =
      layOutSlots(Right.Plan, Code.Graph, Facts.Threads, Active->AtEnd);
  std::copy(std::begin(Facts.Dims), std::end(Facts.Dims), Right.Dims);
  Right.Region = &createSpillRegion(F, Right.Layout.bytes());
  Right.Bounds = {Right.Region,
                  Right.Layout.bytes(),
                  Active->AtEnd && !Facts.Dims[0] ? 1024 : Facts.Threads,
                  {Facts.Dims[0], Facts.Dims[1], Facts.Dims[2]},
                  Right.Layout.ThreadBytes};
  auto *Other =
      new GlobalVariable(*F.getParent(), Right.Region->getValueType(),
                         /*isConstant=*/false, GlobalValue::InternalLinkage,
                         UndefValue::get(Right.Region->getValueType()), "other",
                         /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal,
                         Right.Region->getAddressSpace());
  Other->setAlignment(Right.Region->getAlign());
  Active->Visit(
      Subject(MF, std::move(Code), std::move(Right), *Other, Opcodes));
  return false;
}

RegisterTargetPassConfigCallback Callback([](TargetMachine &, PassManagerBase &,
                                             TargetPassConfig *Config) {
  if (Active)
    placeBehindScheduler(*Config, new VisitPass, CodeForm::IR);
});

} // namespace

void withSubject(const std::string &IR, unsigned Part, Strategy How, bool AtEnd,
                 const std::function<void(const Subject &)> &Visit) {
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(IR, Problem, Context);
  if (!M) {
    FAIL() << "the kernel does not parse: " << Problem.getMessage().str()
           << "\n"
           << IR;
  }
  initializeCore(*PassRegistry::getPassRegistry());
  initializeCodeGen(*PassRegistry::getPassRegistry());
  std::unique_ptr<TargetMachine> TM = createNVPTXMachine();
  M->setDataLayout(TM->createDataLayout());
  Request R{Part, How, AtEnd, Visit};
  Active = &R;
  legacy::PassManager PM;
  raw_null_ostream OS;
  bool Unsupported =
      TM->addPassesToEmitFile(PM, OS, nullptr, CodeGenFileType::AssemblyFile);
  EXPECT_FALSE(Unsupported);
  PM.run(*M);
  Active = nullptr;
}

} // namespace regdem::test
