//===- BlockReorderingTest.cpp - random blocks get other orders -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/BlockReordering.h"

#include "MachineText.h"
#include "OrderSubject.h"
#include "regdem/Analysis/KernelCode.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;
using namespace regdem::test;

namespace {

/// Gives each function an order, whatever its pressure, and looks whether it
/// still does what it did.
class ReorderPass : public MachineFunctionPass {
public:
  static char ID;
  ReorderPass(InstOrder How, unsigned &Changed)
      : MachineFunctionPass(ID), How(How), Changed(Changed) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    requireCodeAnalyses(AU);
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    LiveIntervals &LIS = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
    // As LLVM's passes ahead of RegDem leave registers: of one value each.
    for (unsigned I = 0, End = MF.getRegInfo().getNumVirtRegs(); I != End; ++I)
      if (LiveInterval &LI = LIS.getInterval(Register::index2VirtReg(I));
          !LI.empty()) {
        SmallVector<LiveInterval *, 8> Others;
        LIS.splitSeparateComponents(LI, Others);
      }
    KernelCode Code = readKernelCode(MF, nvptxOpcodes(), *this);
    std::vector<ExecutionResult> Right = runSeveral(MF);
    Expected<bool> IsOther = reorderBlocks(Code, LIS, nvptxOpcodes(), How,
                                           /*MaxWords=*/0, /*Verify=*/true);
    if (!IsOther) {
      ADD_FAILURE() << toString(IsOther.takeError());
      return false;
    }
    Changed += *IsOther;
    EXPECT_FALSE(differ(runSeveral(MF), Right));
    EXPECT_TRUE(MF.verify(this, "behind the reordering", &errs(),
                          /*AbortOnError=*/false));
    return *IsOther;
  }

private:
  const InstOrder How;
  unsigned &Changed;
};

char ReorderPass::ID = 0;

/// Whether the random code of Seed got another order.
bool reorder(unsigned Seed, InstOrder How) {
  initializeCore(*PassRegistry::getPassRegistry());
  initializeCodeGen(*PassRegistry::getPassRegistry());
  std::unique_ptr<TargetMachine> TM = createNVPTXMachine();
  LLVMContext Context;
  std::unique_ptr<MIRParser> Parser = createMIRParser(
      MemoryBuffer::getMemBufferCopy(functionText(randomOrderCode(Seed))),
      Context);
  std::unique_ptr<Module> M = Parser->parseIRModule();
  M->setDataLayout(TM->createDataLayout());
  auto *Info = new MachineModuleInfoWrapperPass(TM.get());
  unsigned Changed = 0;
  legacy::PassManager PM;
  PM.add(Info);
  EXPECT_FALSE(Parser->parseMachineFunctions(*M, Info->getMMI()));
  PM.add(new ReorderPass(How, Changed));
  PM.run(*M);
  return Changed != 0;
}

TEST(BlockReordering, RandomBlocksDoWhatTheyDid) {
  for (InstOrder How : OtherOrders) {
    unsigned Changed = 0;
    for (unsigned Seed = 0; Seed != 150; ++Seed)
      Changed += reorder(Seed, How);
    // The others contain calls, write physical registers or read the clock.
    EXPECT_GT(Changed, 30u);
  }
}

} // namespace
