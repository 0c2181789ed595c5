//===- RoundingPasses.cpp - generate code that rounds as stated -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that say how the stock build rounds get that written into IR before
// any other pass runs, so that no pass can change it. Their instructions are
// then selected as under -ffp-contract=on: each product and sum that LLVM
// prints has a rounding modifier, which keeps ptxas from fusing it.
//
//===----------------------------------------------------------------------===//

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Transform/FixedRounding.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace regdem;

namespace {

class WriteRoundings : public FunctionPass {
public:
  static inline char ID = 0;
  WriteRoundings() : FunctionPass(ID) {}

  bool runOnFunction(Function &F) override { return writeRoundings(F); }
};

/// Stands ahead of instruction selection, in the same pass manager, which runs
/// both on one function after the other.
class StateFusing : public FunctionPass {
public:
  static inline char ID = 0;
  StateFusing() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<TargetPassConfig>();
    AU.setPreservesAll();
  }
  bool runOnFunction(Function &F) override {
    if (!Machine) {
      Machine = &getAnalysis<TargetPassConfig>().getTM<TargetMachine>();
      Usual = Machine->Options.AllowFPOpFusion;
    }
    bool IsFixed = Usual == FPOpFusion::Fast && areRoundingsFixed(F);
    Machine->Options.AllowFPOpFusion = IsFixed ? FPOpFusion::Standard : Usual;
    return false;
  }
  bool doFinalization(Module &) override {
    if (Machine)
      Machine->Options.AllowFPOpFusion = Usual;
    return false;
  }

private:
  const TargetMachine *Machine = nullptr; ///< Null: no function yet.
  FPOpFusion::FPOpFusionMode Usual = FPOpFusion::Standard;
};

} // namespace

static RegisterPass<WriteRoundings>
    RegisteredWriteRoundings("regdem-write-roundings",
                             "Register demotion: stock's roundings");
static RegisterPass<StateFusing>
    RegisteredStateFusing("regdem-state-fusing",
                          "Register demotion: select as roundings say");

bool regdem::writeRoundings(Function &F) {
  StringRef Is = roundingsOf(F);
  if (Is.empty() || Is == RoundingsFixed || Is == RoundingsUnknown)
    return false;
  setRoundings(F, fixRoundings(F, Is) ? RoundingsFixed : RoundingsUnknown);
  return true;
}

FunctionPass *regdem::createWriteRoundingsPass() {
  return new WriteRoundings();
}

const void *regdem::stateFusingID() { return &StateFusing::ID; }
