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
//===----------------------------------------------------------------------===//

#include "RewritePasses.h"

#include "regdem/Analysis/ProductDistance.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Attributes/TrialAttributes.h"
#include "regdem/Decision/Builds/Rewrite.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Transform/AddressChains.h"
#include "regdem/Transform/LoopUnrolling.h"
#include "regdem/Transform/WideProducts.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopPass.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"

using namespace llvm;
using namespace regdem;

Rewrite regdem::rewritesFor(const Function &F) {
  Rewrite O = readRewrites(F);
  if (!any(O))
    return {};
  // The machine pass reports options that cannot be read.
  auto Opts = expectedToOptional(optionsFor(F, commandLineOptions()));
  return !Opts || Opts->RunMode == Mode::Off ? Rewrite() : O;
}

bool regdem::mayFuseOtherwise(const Function &F) {
  auto Opts = expectedToOptional(optionsFor(F, commandLineOptions()));
  return Opts && Opts->MayFuseOtherwise; // As above.
}

/// Marks a function that is optnone for these passes' sake only.
static constexpr const char *SuspendedAttr = "regdem-suspended";

static bool suspend(Function &F) {
  if (F.hasOptNone())
    return false;
  F.addFnAttr(Attribute::OptimizeNone);
  F.addFnAttr(SuspendedAttr);
  return true;
}

static bool resume(Function &F) {
  if (!F.hasFnAttribute(SuspendedAttr))
    return false;
  F.removeFnAttr(Attribute::OptimizeNone);
  F.removeFnAttr(SuspendedAttr);
  return true;
}

/// A number that is another one once an instruction is replaced.
static uint64_t looksOf(const Function &F) {
  return StructuralHash(F, /*DetailedHash=*/true);
}

/// A number that is another one once an instruction moves to another block.
static uint64_t placesOf(const MachineFunction &MF) {
  hash_code Hash = MF.size();
  for (const MachineBasicBlock &Block : MF)
    Hash = hash_combine(Hash, Block.size());
  return Hash;
}

using GetLooks = function_ref<uint64_t()>;

/// Does what is to be done right ahead of Pass: has it skip F if it IsLeftOut,
/// and notes of a trial what the code looks like. Whether F has changed.
static bool standAhead(Function &F, bool IsLeftOut, Rewrite Pass,
                       GetLooks Looks) {
  bool Changed = IsLeftOut && suspend(F);
  if (!isTrial(F))
    return Changed;
  noteAhead(F, Pass, Looks());
  return true;
}

/// The same after it.
static bool standBehind(Function &F, Rewrite Pass, GetLooks Looks) {
  bool Changed = resume(F);
  if (!isTrial(F))
    return Changed;
  noteBehind(F, Pass, Looks());
  return true;
}

namespace {

/// Stands right ahead of loop strength reduction, among the passes of one loop.
class SuspendStrengthReduction : public LoopPass {
public:
  static inline char ID = 0;
  SuspendStrengthReduction() : LoopPass(ID) {}
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
  }
  bool runOnLoop(Loop *L, LPPassManager &) override {
    Function &F = *L->getHeader()->getParent();
    bool Changed = has(rewritesFor(F), Rewrite::SkipLoopReduce) && suspend(F);
    if (!isTrial(F) || isNotedAhead(F, Rewrite::SkipLoopReduce))
      return Changed;
    noteAhead(F, Rewrite::SkipLoopReduce, looksOf(F));
    return true;
  }
};

/// Stands right ahead of straight-line strength reduction.
class SuspendStraightLine : public FunctionPass {
public:
  static inline char ID = 0;
  SuspendStraightLine() : FunctionPass(ID) {}
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
  }
  bool runOnFunction(Function &F) override {
    return standAhead(F, skipsSLSR(rewritesFor(F)), Rewrite::SkipSLSR,
                      [&F] { return looksOf(F); });
  }
};

/// Stands after a pass over IR, once it has been at all of a function.
template <Rewrite Skips> class Resume : public FunctionPass {
public:
  static inline char ID = 0;
  Resume() : FunctionPass(ID) {}
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
  }
  bool runOnFunction(Function &F) override {
    return standBehind(F, Skips, [&F] { return looksOf(F); });
  }
};

using ResumeStrengthReduction = Resume<Rewrite::SkipLoopReduce>;
using ResumeStraightLine = Resume<Rewrite::SkipSLSR>;

class SuspendSinking : public MachineFunctionPass {
public:
  static inline char ID = 0;
  SuspendSinking() : MachineFunctionPass(ID) {}
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    Function &F = MF.getFunction();
    return standAhead(F, has(rewritesFor(F), Rewrite::SkipMachineSink),
                      Rewrite::SkipMachineSink, [&MF] { return placesOf(MF); });
  }
};

/// Stands after sinking; finds out of a trial whether it matters for the
/// results that sinking has or has not taken place, and rounds products.
class ResumeSinking : public MachineFunctionPass {
public:
  static inline char ID = 0;
  ResumeSinking() : MachineFunctionPass(ID) {}
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    Function &F = MF.getFunction();
    bool IsTrial = isTrial(F);
    bool Changed = standBehind(F, Rewrite::SkipMachineSink,
                               [&MF] { return placesOf(MF); });
    RoundedProducts Round = roundedProducts(F);
    if (!IsTrial && Round == RoundedProducts::None)
      return Changed;
    Expected<const NVPTXOpcodes &> Opcodes =
        NVPTXOpcodes::of(MF.getSubtarget());
    if (!Opcodes) {
      consumeError(Opcodes.takeError()); // RegDem's own pass reports it.
      return Changed;
    }
    if (Round == RoundedProducts::All)
      Changed |= roundProducts(MF, *Opcodes, /*OnlyDistant=*/false);
    if (IsTrial && hasDistantProduct(MF, *Opcodes))
      F.addFnAttr(DistantProductAttr);
    if (IsTrial && hasOpenProduct(MF, *Opcodes))
      F.addFnAttr(OpenProductAttr);
    // Behind the sinking, which may have put a product where its sum is.
    if (Round == RoundedProducts::Distant)
      Changed |= roundProducts(MF, *Opcodes, /*OnlyDistant=*/true);
    return Changed;
  }
};

/// Unrolls the loops of kernels with that rewrite. Stands ahead of the passes
/// over IR that make addresses cheap and find what iterations have in common.
class UnrolledLoops : public FunctionPass {
public:
  static inline char ID = 0;
  UnrolledLoops() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<AssumptionCacheTracker>();
    AU.addRequired<DominatorTreeWrapperPass>();
    AU.addRequired<LoopInfoWrapperPass>();
    AU.addRequired<ScalarEvolutionWrapperPass>();
    AU.addRequired<TargetTransformInfoWrapperPass>();
  }
  bool runOnFunction(Function &F) override {
    Rewrite Rewrites = rewritesFor(F);
    if (!has(Rewrites, Rewrite::UnrollLoops) && !isTrial(F))
      return false;
    LoopAnalyses Known{
        getAnalysis<LoopInfoWrapperPass>().getLoopInfo(),
        getAnalysis<ScalarEvolutionWrapperPass>().getSE(),
        getAnalysis<DominatorTreeWrapperPass>().getDomTree(),
        getAnalysis<AssumptionCacheTracker>().getAssumptionCache(F),
        getAnalysis<TargetTransformInfoWrapperPass>().getTTI(F)};
    bool MayFuseOtherwise = mayFuseOtherwise(F);
    if (!has(Rewrites, Rewrite::UnrollLoops)) {
      if (hasUnrollable(F, Known, MayFuseOtherwise))
        noteChange(F, Rewrite::UnrollLoops);
      return false;
    }
    switch (unrollLoops(F, Known, MayFuseOtherwise)) {
    case Unrolled::None: // Has F say what has been left out of it.
      writeRewrites(F, Rewrites & ~Rewrite::UnrollLoops);
      break;
    case Unrolled::Exact:
      break;
    case Unrolled::FusedOtherwise:
      F.addFnAttr(FusedAttr);
      break;
    }
    return true;
  }
};

/// Does Which to kernels with that rewrite: Make, which is false for no change.
/// MayChange tells of a trial without it whether it would change anything.
template <Rewrite Which, auto MayChange, auto Make>
class CheckedRewrite : public FunctionPass {
public:
  static inline char ID = 0;
  CheckedRewrite() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }
  bool runOnFunction(Function &F) override {
    if (!has(rewritesFor(F), Which)) {
      if (!isTrial(F) || !MayChange(F))
        return false;
      noteChange(F, Which);
      return true;
    }
    // Options that cannot be read leave nothing out.
    Options Opts = cantFail(optionsFor(F, commandLineOptions()));
    auto Changed = Make(F, Opts.Verify && !isTrial(F));
    if (!Changed) {
      reportFault(F, Changed.takeError());
    } else if (!*Changed) { // Has F say what has been left out of it.
      Rewrite R = readRewrites(F);
      writeRewrites(F, Which == Rewrite::ChainAddresses ? withoutChains(R)
                                                        : R & ~Which);
    }
    return true;
  }
};

/// Stands after all passes over IR that look at addresses or share parts: the
/// one that marks loads of what is never written follows short chains only.
using ChainedAddresses =
    CheckedRewrite<Rewrite::ChainAddresses, countChainable, chainAddresses>;

/// Stands after the passes over IR that make masks of truncations.
using WideProducts =
    CheckedRewrite<Rewrite::WideProducts, hasWideProducts, widenProducts>;

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
static RegisterPass<UnrolledLoops>
    RegisteredUnrolledLoops("regdem-unroll-loops",
                            "Register demotion: unrolled loops");
static RegisterPass<ChainedAddresses>
    RegisteredChainedAddresses("regdem-chain-addresses",
                               "Register demotion: chained addresses");
static RegisterPass<WideProducts>
    RegisteredWideProducts("regdem-wide-products",
                           "Register demotion: wide products");

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
  insertBehind(Config, "infer-address-spaces", &UnrolledLoops::ID);
  insertBehind(Config, "speculative-execution", &SuspendStraightLine::ID);
  insertBehind(Config, "slsr", &ResumeStraightLine::ID);
  insertBehind(Config, "codegenprepare", &ChainedAddresses::ID);
  insertBehind(Config, "codegenprepare", &WideProducts::ID);
  insertBehind(Config, "canon-freeze", &SuspendStrengthReduction::ID);
  insertBehind(Config, "loop-reduce", &ResumeStrengthReduction::ID);
  Config.insertPass(&MachineCSELegacyID, &SuspendSinking::ID);
  Config.insertPass(&MachineSinkingLegacyID, &ResumeSinking::ID);
}
