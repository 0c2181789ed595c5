//===- Pass.cpp - the machine pass and its place in the pipeline ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages for one kernel, in order: analyse, decide, transform, check, tell.
// Which code a kernel gets is not decided here.
//
//===----------------------------------------------------------------------===//

#include "regdem/Passes/Pass.h"

#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/KernelStudy.h"
#include "regdem/Passes/PassState.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Transform/Checker/DemotionChecker.h"
#include "regdem/Transform/Demoter.h"
#include "regdem/Transform/PartialStores.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO.h"

using namespace llvm;
using namespace regdem;

namespace {

/// Demotes one kernel. Name for -stop-after and the like: "regdem".
class RegDem : public MachineFunctionPass {
public:
  static inline char ID = 0;
  RegDem() : MachineFunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override;
  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  /// Carries out D and proves it; false, with an error reported, on failure.
  bool transform(MachineFunction &MF, const KernelCode &Code,
                 const KernelDecision &D, const NVPTXOpcodes &Opcodes,
                 bool Verify);
  void tell(MachineFunction &MF, const Outcome &O, const Options &Opts);
  void reportStock(MachineFunction &MF, const Options &Opts,
                   const NVPTXOpcodes &Opcodes);
};

} // namespace

static RegisterPass<RegDem>
    RegisteredRegDem("regdem", "Register demotion to shared memory");

void RegDem::getAnalysisUsage(AnalysisUsage &AU) const {
  requireCodeAnalyses(AU);
  AU.addRequired<PassState>();
  AU.addRequired<MachineOptimizationRemarkEmitterPass>();
  MachineFunctionPass::getAnalysisUsage(AU);
}

bool RegDem::runOnMachineFunction(MachineFunction &MF) {
  Function &F = MF.getFunction();
  if (!isKernel(F))
    return false;
  const PassState &State = getAnalysis<PassState>();
  TrialNotes *Notes = State.notesOn(F);
  Expected<Options> Opts = optionsFor(F, commandLineOptions());
  if (!Opts) {
    reportError(F, Opts.takeError());
    return false;
  }
  const bool IsOff = Opts->RunMode == Mode::Off;
  if (IsOff && Notes)
    return false;
  if (IsOff && !cantFail(isSelected(F, *Opts))) {
    emitNotSelected(F, *Opts);
    return false;
  }
  if (IsOff && Opts->ReportFile.empty())
    return false;
  Expected<const NVPTXOpcodes &> Opcodes = NVPTXOpcodes::of(MF.getSubtarget());
  if (!Opcodes) {
    reportError(F, Opcodes.takeError());
    return false;
  }
  if (IsOff) {
    reportStock(MF, *Opts, *Opcodes);
    return false;
  }

  TimeTraceScope Scope("RegDem decide and transform", F.getName());
  KernelStudy Study =
      studyKernel(MF, *Opts, *Opcodes, *this,
                  Notes ? State.settled(F) : finallySettled(F, *Opts));
  const KernelDecision &D = Study.Decided;
  const KernelFacts &Facts = D.Result.Facts;
  bool Edited = D.Result.What == Decision::Demote;
  // A trial is only looked at; what comes of it is built and checked anew.
  bool Verify = Opts->Verify && !Notes;
  if (Edited && !transform(MF, Study.Code, D, *Opcodes, Verify))
    return true;
  if (D.Result.MinBlocks)
    setMinBlocks(F, D.Result.MinBlocks);
  else if (D.Result.What != Decision::Stock && D.Goal.CapIsNew)
    setRegisterCap(F, D.Goal.MaxRegs);
  bool HasRegion = D.Result.SlotBytes && !D.Result.ThreadBytes;
  if ((HasRegion || D.Result.SmemSpilling) && !Facts.statesBlockSize())
    setThreadLimit(F, Facts.Threads);
  // Memory lay between what was written as a number and read as bits.
  if (has(D.Result.Rewrites,
          Rewrite::LowerArrays | Rewrite::InlineCalls | Rewrite::HoistBranches))
    Edited |= copyPartlyStored(MF, *Opcodes);
  if (D.Result.SmemSpilling) { // Behind the check, which knows no pragma.
    setSmemSpilling(MF);
    Edited = true;
  }
  if (Notes)
    Notes->Planned = D.Result;
  else
    tell(MF, D.Result, *Opts);
  return Edited;
}

bool RegDem::transform(MachineFunction &MF, const KernelCode &Code,
                       const KernelDecision &D, const NVPTXOpcodes &Opcodes,
                       bool Verify) {
  Function &F = MF.getFunction();
  const KernelFacts &Facts = D.Result.Facts;
  std::optional<FunctionSnapshot> Original;
  if (Verify)
    Original.emplace(MF);
  SlotLayout Layout =
      layOutSlots(D.Plan, Code.Graph, Facts.Threads, Facts.launchesAddShared());
  GlobalVariable *Region = nullptr;
  if (Layout.Words)
    Region = &createSpillRegion(F, Layout.ThreadBytes ? 0 : D.Result.SlotBytes);
  demote(MF, Code, D.Plan, Layout, Facts.Dims, Region, Opcodes);
  if (!Verify)
    return true;
  TimeTraceScope Scope("RegDem check", F.getName());
  RegionBounds Bounds{Region,
                      Layout.bytes(),
                      Facts.Threads,
                      {Facts.Dims[0], Facts.Dims[1], Facts.Dims[2]}};
  if (Facts.launchesAddShared()) {
    Bounds.Threads = lookupSMLimits(Facts.Arch)->MaxThreadsPerBlock;
    Bounds.ThreadBytes = Facts.AddedBytes.value_or(Layout.ThreadBytes);
  }
  if (Error E = checkDemotion(*Original, MF, Opcodes, Bounds)) {
    reportFault(F, std::move(E));
    return false;
  }
  return true;
}

void RegDem::tell(MachineFunction &MF, const Outcome &O, const Options &Opts) {
  warnOfCap(MF.getFunction(), O, Opts);
  emitRemarks(MF, O,
              getAnalysis<MachineOptimizationRemarkEmitterPass>().getORE());
  const auto &Arrays = getAnalysis<PassState>().Arrays;
  auto Its = Arrays.find(&MF.getFunction());
  appendReport(MF.getFunction(), O, Opts,
               Its == Arrays.end() ? json::Array() : Its->second);
}

/// Has the report of a kernel that is left out say what stock's build takes: a
/// base to compare with.
void RegDem::reportStock(MachineFunction &MF, const Options &Opts,
                         const NVPTXOpcodes &Opcodes) {
  Outcome Stock = readSettled(MF.getFunction()).value_or(Outcome());
  Stock.LeaveAlone = true;
  KernelDecision D =
      studyKernel(MF, Opts, Opcodes, *this, std::move(Stock)).Decided;
  D.Result.recipe() = BuildRecipe();
  D.Result.After = D.Result.Before;
  D.Result.Why = Reason::TurnedOff;
  appendReport(MF.getFunction(), D.Result, Opts);
}

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
  if (From == CodeForm::IR && TM.getOptLevel() != CodeGenOptLevel::None) {
    PM.add(createWriteRoundingsPass());
    PM.add(createInlinedCallsPass()); // Code of other functions comes first.
    PM.add(createHoistedBranchesPass());
    PM.add(createScalarArraysPass());
  }
  addRewrites(Config);
  if (From == CodeForm::IR) // Scheduled code has its order.
    placeBehindScheduler(Config, createOrderBlocksPass(), From);
  placeBehindScheduler(Config, Instead ? Instead : new RegDem(), From);
  // Holds the printer back, which writes a module's variables with its first
  // function, until every kernel's region exists: a module pass makes the
  // legacy pass manager finish all functions first.
  Config.insertPass(&StackSlotColoringID, createBarrierNoopPass());
}
