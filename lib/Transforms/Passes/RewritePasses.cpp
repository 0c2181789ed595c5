//===- RewritePasses.cpp - carry out one kernel's rewrites ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some rewrites skip a pass of LLVM. A pipeline serves all functions of a
// module, but a pass is to be skipped for some kernels only. Optional passes of
// LLVM skip a function that is "optnone": the kernel becomes so before the pass
// and is as it was after it. Other rewrites are passes of their own. Where a
// kernel has no rewrite, these passes change nothing.
//
// Kernels that say how the stock build rounds get that written into IR before
// any other pass runs, so that no pass can change it. Their instructions are
// then selected as under -ffp-contract=on: each product and sum that LLVM
// prints has a rounding modifier, which keeps ptxas from fusing it.
//
//===----------------------------------------------------------------------===//

#include "regdem/Passes/Pass.h"

#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Analysis/ProductDistance.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Decision/Builds/Rewrite.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/PassState.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Transform/Approximations.h"
#include "regdem/Transform/FixedRounding.h"
#include "regdem/Transform/InvariantBranches.h"
#include "regdem/Transform/LoopUnrolling.h"
#include "regdem/Transform/RelaxedSwaps.h"
#include "regdem/Transform/SharedBases.h"
#include "regdem/Transform/WideAccesses.h"
#include "regdem/Transform/WideProducts.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopPass.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace regdem;

/// A number that is another one once an instruction is replaced.
static uint64_t hashIR(const Function &F) {
  return StructuralHash(F, /*DetailedHash=*/true);
}

/// A number that is another one once an instruction moves to another block.
static uint64_t hashBlockSizes(const MachineFunction &MF) {
  hash_code Hash = MF.size();
  for (const MachineBasicBlock &Block : MF)
    Hash = hash_combine(Hash, Block.size());
  return Hash;
}

using GetHash = function_ref<uint64_t()>;

/// Does what is to be done right before the pass that Skips is about: has it
/// skip kernels with that rewrite, and keeps of a trial the Hash of its code.
/// Whether F has changed.
static bool beforePass(Function &F, PassState &State, Rewrite Skips,
                       GetHash Hash) {
  if (State.notesOn(F) && !State.Before.count(Skips))
    State.Before[Skips] = Hash();
  if (!has(State.rewritesOf(F), Skips) || F.hasOptNone())
    return false;
  F.addFnAttr(Attribute::OptimizeNone);
  State.Suspended.insert(&F);
  return true;
}

/// The same after it.
static bool afterPass(Function &F, PassState &State, Rewrite Skips,
                      GetHash Hash) {
  bool Resumes = State.Suspended.erase(&F);
  if (Resumes)
    F.removeFnAttr(Attribute::OptimizeNone);
  if (TrialNotes *Notes = State.notesOn(F))
    if (auto Before = State.Before.find(Skips);
        Before != State.Before.end() && Before->second != Hash())
      Notes->noteChange(Skips);
  return Resumes;
}

namespace {

/// A pass next to one that may be skipped: it needs the pipeline's state, and
/// leaves all that is known as it is.
template <typename Base> class StatePass : public Base {
public:
  using Base::Base;
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<PassState>();
    AU.setPreservesAll();
    Base::getAnalysisUsage(AU);
  }
};

/// Stands right ahead of loop strength reduction, among the passes of one loop.
class SuspendStrengthReduction : public StatePass<LoopPass> {
public:
  static inline char ID = 0;
  SuspendStrengthReduction() : StatePass(ID) {}
  bool runOnLoop(Loop *L, LPPassManager &) override {
    Function &F = *L->getHeader()->getParent();
    return beforePass(F, getAnalysis<PassState>(), Rewrite::SkipLoopReduce,
                      [&F] { return hashIR(F); });
  }
};

/// Stands before or after the pass over IR that Skips is about and does there
/// what is to be done: Do. After one over loops it comes once all are done.
template <Rewrite Skips, auto Do>
class AroundPass : public StatePass<FunctionPass> {
public:
  static inline char ID = 0;
  AroundPass() : StatePass(ID) {}
  bool runOnFunction(Function &F) override {
    return Do(F, getAnalysis<PassState>(), Skips, [&F] { return hashIR(F); });
  }
};

using ResumeStrengthReduction = AroundPass<Rewrite::SkipLoopReduce, afterPass>;
using SuspendStraightLine = AroundPass<Rewrite::SkipSLSR, beforePass>;
using ResumeStraightLine = AroundPass<Rewrite::SkipSLSR, afterPass>;

class SuspendSinking : public StatePass<MachineFunctionPass> {
public:
  static inline char ID = 0;
  SuspendSinking() : StatePass(ID) {}
  bool runOnMachineFunction(MachineFunction &MF) override {
    Function &F = MF.getFunction();
    return beforePass(F, getAnalysis<PassState>(), Rewrite::SkipMachineSink,
                      [&MF] { return hashBlockSizes(MF); });
  }
};

/// Stands after sinking; finds out of a trial whether it matters for the
/// results that sinking has or has not taken place.
class ResumeSinking : public StatePass<MachineFunctionPass> {
public:
  static inline char ID = 0;
  ResumeSinking() : StatePass(ID) {}
  bool runOnMachineFunction(MachineFunction &MF) override {
    Function &F = MF.getFunction();
    auto &State = getAnalysis<PassState>();
    TrialNotes *Notes = State.notesOn(F);
    bool Changed = afterPass(F, State, Rewrite::SkipMachineSink,
                             [&MF] { return hashBlockSizes(MF); });
    bool IsFixed = areRoundingsFixed(F);
    TrialNotes *OfAll = State.notesOnRun(F);
    if (!OfAll && !IsFixed)
      return Changed;
    Expected<const NVPTXOpcodes &> Opcodes =
        NVPTXOpcodes::of(MF.getSubtarget());
    if (!Opcodes) {
      consumeError(Opcodes.takeError()); // RegDem's own pass reports it.
      return Changed;
    }
    if (IsFixed) {
      if (!leavePlain(MF, *Opcodes, areRoundingsFixed))
        State.noteFusing(F);
      Changed = true;
    }
    if (OfAll)
      OfAll->HasContractibleFMul |= hasContractibleFMul(MF, *Opcodes, IsFixed);
    if (Notes)
      Notes->HasCrossBlockFMA = hasCrossBlockFMA(MF, *Opcodes);
    return Changed;
  }
};

/// Has Make, which is false for no change, do Which to F, by which products and
/// sums may come apart, if that is of no account.
bool moveProducts(Function &F, FunctionAnalyses &Analyses, PassState &State,
                  Rewrite Which, function_ref<bool()> Make) {
  bool FusesAll = State.fusesAll(F);
  Roundings Are = findRoundings(&F, FusesAll);
  bool IsAllowed = Are == Roundings::Fixed ||
                   (Are == Roundings::Open && mayFuseOtherwise(F));
  // What is made simpler is folded.
  if (!IsAllowed || !changeExactly(F, Analyses, Are, FusesAll, Make))
    State.dropRewrites(F, Which);
  else if (Are != Roundings::Fixed)
    State.noteFusing(F);
  return true;
}

/// Does Which to kernels with that rewrite: Make, which is false for no change.
/// MayChange tells of a trial without it whether it would change anything.
template <Rewrite Which, auto MayChange, auto Make>
class RewriteOf : public FunctionPass {
public:
  static inline char ID = 0;
  RewriteOf() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<PassState>();
    AU.addRequired<TargetPassConfig>();
    if constexpr (!MovesProducts)
      AU.setPreservesCFG();
  }
  bool runOnFunction(Function &F) override {
    auto &State = getAnalysis<PassState>();
    Rewrite Rewrites = State.rewritesOf(F);
    TrialNotes *Notes = State.notesOn(F);
    bool IsWanted = has(Rewrites, Which);
    // Trials are asked with stock's code only, and with calls inlined.
    if (!IsWanted && (!Notes || any(Rewrites & ~Rewrite::InlineCalls)))
      return false;
    TargetPassConfig &Config = getAnalysis<TargetPassConfig>();
    FunctionAnalyses Analyses(Config.getTM<TargetMachine>());
    if (!IsWanted) {
      if (MayChange(F, Analyses, *Notes))
        Notes->noteChange(Which);
      return false;
    }
    auto MakeIt = [&] { return Make(F, Analyses); };
    if constexpr (MovesProducts)
      return moveProducts(F, Analyses, State, Which, MakeIt);
    if (!MakeIt())
      State.dropRewrites(F, Which);
    return true;
  }

private:
  static constexpr bool MovesProducts = has(ProductRewrites, Which);
};

bool mayCheapenAccesses(Function &F, FunctionAnalyses &, TrialNotes &) {
  return hasNarrowAccesses(F) || hasSharedBases(F) || hasStrictSwaps(F);
}

bool cheapenAccesses(Function &F, FunctionAnalyses &Analyses) {
  bool Changed = shareBases(F);
  Changed |= relaxSwaps(F);
  return widenAccesses(F, Analyses.get()) || Changed;
}

bool mayWidenProducts(Function &F, FunctionAnalyses &, TrialNotes &) {
  return hasWideProducts(F);
}

bool widenProductsIn(Function &F, FunctionAnalyses &) {
  return widenProducts(F);
}

bool mayHoistBranches(Function &F, FunctionAnalyses &, TrialNotes &) {
  return hasInvariantBranches(F);
}

bool mayUnrollLoops(Function &F, FunctionAnalyses &Analyses,
                    TrialNotes &Notes) {
  std::optional<bool> Fully = unrollsFully(F, Analyses);
  Notes.UnrollsFully |= Fully.value_or(false);
  return Fully.has_value();
}

/// Stands ahead of all that simpler loops are something for.
using HoistedBranches =
    RewriteOf<Rewrite::HoistBranches, mayHoistBranches, hoistInvariantBranches>;

/// Stands ahead of the passes over IR that make addresses cheap and find what
/// iterations have in common.
using UnrolledLoops =
    RewriteOf<Rewrite::UnrollLoops, mayUnrollLoops, unrollLoops>;

/// Stands after LLVM has inferred address spaces, and ahead of what goes by
/// accesses' alignment.
using CheaperAccesses =
    RewriteOf<Rewrite::CheaperAccesses, mayCheapenAccesses, cheapenAccesses>;

/// Stands after the passes over IR that make masks of truncations.
using WideProducts =
    RewriteOf<Rewrite::WideProducts, mayWidenProducts, widenProductsIn>;

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

static RegisterPass<SuspendStrengthReduction>
    RegisteredSuspendStrengthReduction(
        "regdem-suspend-loop-reduce",
        "Register demotion: leave out strength reduction");
static RegisterPass<ResumeStrengthReduction> RegisteredResumeStrengthReduction(
    "regdem-resume-loop-reduce", "Register demotion: after strength reduction");
static RegisterPass<SuspendStraightLine> RegisteredSuspendStraightLine(
    "regdem-suspend-slsr",
    "Register demotion: leave out straight-line strength reduction");
static RegisterPass<ResumeStraightLine> RegisteredResumeStraightLine(
    "regdem-resume-slsr",
    "Register demotion: after straight-line strength reduction");
static RegisterPass<SuspendSinking>
    RegisteredSuspendSinking("regdem-suspend-machine-sink",
                             "Register demotion: leave out sinking");
static RegisterPass<ResumeSinking>
    RegisteredResumeSinking("regdem-resume-machine-sink",
                            "Register demotion: after sinking");
static RegisterPass<HoistedBranches>
    RegisteredHoistedBranches("regdem-hoist-branches",
                              "Register demotion: branches out of loops");
static RegisterPass<UnrolledLoops>
    RegisteredUnrolledLoops("regdem-unroll-loops",
                            "Register demotion: unrolled loops");
static RegisterPass<CheaperAccesses>
    RegisteredCheaperAccesses("regdem-cheaper-accesses",
                              "Register demotion: cheaper accesses");
static RegisterPass<WideProducts>
    RegisteredWideProducts("regdem-wide-products",
                           "Register demotion: wide products");
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

FunctionPass *regdem::createHoistedBranchesPass() {
  return new HoistedBranches();
}

FunctionPass *regdem::createWriteRoundingsPass() {
  return new WriteRoundings();
}

/// Has Inserted run after each pass with this name on the command line, which
/// must have been initialized.
static void insertBehind(TargetPassConfig &Config, StringRef Name,
                         IdentifyingPassPtr Inserted) {
  const PassInfo *Info = PassRegistry::getPassRegistry()->getPassInfo(Name);
  assert(Info && "LLVM knows the pass by another name");
  Config.insertPass(Info->getTypeInfo(), Inserted);
}

void regdem::addRewrites(TargetPassConfig &Config) {
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  initializeInferAddressSpacesPass(Registry);
  initializeSpeculativeExecutionLegacyPassPass(Registry);
  initializeStraightLineStrengthReduceLegacyPassPass(Registry);
  initializeCodeGenPrepareLegacyPassPass(Registry);
  initializeCanonicalizeFreezeInLoopsPass(Registry);
  initializeLoopStrengthReducePass(Registry);
  // Each stands after the pass named, and ahead of the one that it is about.
  insertBehind(Config, "infer-address-spaces", &CheaperAccesses::ID);
  insertBehind(Config, "infer-address-spaces", &UnrolledLoops::ID);
  insertBehind(Config, "speculative-execution", &SuspendStraightLine::ID);
  insertBehind(Config, "slsr", &ResumeStraightLine::ID);
  insertBehind(Config, "codegenprepare", &StateFusing::ID);
  insertBehind(Config, "codegenprepare", &WideProducts::ID);
  insertBehind(Config, "canon-freeze", &SuspendStrengthReduction::ID);
  insertBehind(Config, "loop-reduce", &ResumeStrengthReduction::ID);
  Config.insertPass(&MachineCSELegacyID, &SuspendSinking::ID);
  Config.insertPass(&MachineSinkingLegacyID, &ResumeSinking::ID);
}
