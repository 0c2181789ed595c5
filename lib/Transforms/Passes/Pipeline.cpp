//===- Pipeline.cpp - RegDem's place in the code generator ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Passes/Pass.h"

#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

void regdem::placeBehindScheduler(TargetPassConfig &Config, FunctionPass *P,
                                  CodeForm From) {
  // Behind the scheduler, whose order decides what is live at once, and while
  // LiveIntervals still describe the code. The optimised pipeline alone has
  // it, so that -O0 is left alone. Other targets allocate registers here.
  if (From == CodeForm::IR)
    Config.insertPass(&MachineSchedulerID, P);
  else // Code that is scheduled must not be scheduled again.
    Config.substitutePass(&MachineSchedulerID, P);
}

void regdem::addPasses(TargetMachine &TM, legacy::PassManagerBase &PM,
                       TargetPassConfig &Config, CodeForm From,
                       FunctionPass *Instead) {
  if (!TM.getTargetTriple().isNVPTX())
    return;
  // Ahead of LLVM's first pass, which makes loops of copies of many bytes.
  if (From == CodeForm::IR && TM.getOptLevel() != CodeGenOptLevel::None)
    PM.add(createScalarArraysPass());
  addRewrites(Config);
  if (From == CodeForm::IR) // Scheduled code has its order.
    placeBehindScheduler(Config, createOrderBlocksPass(), From);
  placeBehindScheduler(Config, Instead ? Instead : createRegDemPass(), From);
  // Ahead of the printer, which writes a module's variables with its first
  // function: all regions must exist by then.
  Config.insertPass(&StackSlotColoringID, createRegDemRegionsPass());
}
