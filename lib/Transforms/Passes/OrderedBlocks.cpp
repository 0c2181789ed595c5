//===- OrderedBlocks.cpp - build a kernel in another order ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands after LLVM's machine scheduler, which is off for NVPTX, and ahead of
// RegDem's own pass, which makes its plans for the order that it finds. Where
// no other order is settled for a kernel, nothing is done.
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelCode.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Builds/Objective.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Passes/PassState.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Transform/BlockReordering.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace regdem;

/// The cap of F, by S, what was settled for it, and by O; none where nothing is
/// to be done.
static std::optional<unsigned> capOf(const Function &F, const Options &O,
                                     const Outcome &S) {
  if (O.RunMode == Mode::Off)
    return std::nullopt;
  KernelFacts Facts = collectKernelFacts(F, O);
  if (!mayTryBuilds(findObstacle(Facts, O), Facts, O))
    return std::nullopt;
  if (S.IsFree)
    return S.MaxRegs ? std::optional(S.MaxRegs) : std::nullopt;
  std::optional<Objective> Goal =
      statedObjective(Facts, optionsUnder(O, S), *lookupSMLimits(Facts.Arch));
  return Goal ? std::optional(Goal->MaxRegs) : std::nullopt;
}

namespace {

class OrderBlocks : public MachineFunctionPass {
public:
  static inline char ID = 0;
  OrderBlocks() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    requireCodeAnalyses(AU);
    AU.addRequired<PassState>();
    AU.setPreservesAll(); // Live intervals are kept up to date.
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override;
};

} // namespace

static RegisterPass<OrderBlocks>
    RegisterOrderedBlocks("regdem-order-blocks",
                          "Register demotion: order of blocks");

bool OrderBlocks::runOnMachineFunction(MachineFunction &MF) {
  Function &F = MF.getFunction();
  if (!isKernel(F))
    return false;
  Expected<Options> Opts = optionsFor(F, commandLineOptions());
  Expected<const NVPTXOpcodes &> Opcodes = NVPTXOpcodes::of(MF.getSubtarget());
  if (!Opts || !Opcodes) { // RegDem's own pass reports it.
    consumeError(Opts.takeError());
    consumeError(Opcodes.takeError());
    return false;
  }
  const PassState &State = getAnalysis<PassState>();
  std::optional<Outcome> S = State.settled(F);
  if (!S || S->Order == InstOrder::Source)
    return false;
  std::optional<unsigned> Cap = capOf(F, *Opts, *S);
  if (!Cap)
    return false;
  Expected<bool> Changed =
      reorderBlocks(readKernelCode(MF, *Opcodes, *this),
                    getAnalysis<LiveIntervalsWrapperPass>().getLIS(), *Opcodes,
                    S->Order, *Cap, Opts->Verify && !State.notesOn(F));
  if (Changed)
    return *Changed;
  reportFault(F, Changed.takeError());
  return true;
}

FunctionPass *regdem::createOrderBlocksPass() { return new OrderBlocks(); }
