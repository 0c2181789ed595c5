//===- ScalarArrays.cpp - arrays out of local memory, as a pass -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites arrays of kernels with that rewrite. Stands ahead of all passes of
// LLVM's code generator, which make loops of large copies, copy parameters,
// choose address spaces and make addresses cheap: they see the same code then
// as if the source had no array. opt's regdem-lower-arrays is the rewrite by
// itself, for tests and for whoever wants to look at it. It does not ask
// whether it pays.
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Decision/Builds/Build.h"
#include "regdem/Emission/ArrayMessages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Passes/PassState.h"
#include "regdem/Target/SMLimits.h"
#include "regdem/Transform/ArrayCopies.h"
#include "regdem/Transform/ArrayRewriting.h"
#include "regdem/Transform/AssemblyEffects.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/Pass.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace regdem;

/// What is known of F; none where the machine pass reports wrong options.
static std::optional<std::pair<KernelFacts, Options>>
factsOf(const Function &F) {
  auto O = expectedToOptional(optionsFor(F, commandLineOptions()));
  if (!O)
    return std::nullopt;
  return std::pair(collectKernelFacts(F, *O), *O);
}

/// What F has left of shared memory; nothing where its block size is not
/// stated, or where others may need it.
static SharedRoom roomFor(const Function &F) {
  auto Known = factsOf(F);
  if (!Known)
    return {};
  const auto &[Facts, O] = *Known;
  const SMLimits *Limits = lookupSMLimits(Facts.Arch);
  // Launches that did not opt in to more have so much in all.
  uint64_t Taken = Facts.StaticShared + O.DynamicSmem.value_or(0);
  if (!Limits || !mayShareArrays(Facts) || Facts.UsesDynamicShared ||
      Facts.ReadsTotalSize || Facts.HasAsmShared || Facts.HasIndirectCalls ||
      Facts.HasExternalCalls || Taken >= Limits->StaticSharedBytesPerBlock)
    return {};
  return {Facts.Threads, Limits->StaticSharedBytesPerBlock - Taken};
}

/// Rewrites the arrays of F, or finds out what would become of them, and tells
/// that; whether F has changed. State may be that of this pass alone.
static bool rewrite(Function &F, FunctionAnalysisManager &FAM, bool IsWanted,
                    PassState &State) {
  bool IsTrial = State.notesOn(F);
  bool IsForecast = !IsWanted && roundingsOf(F) != RoundingsUnknown;
  ArrayRewrite All = rewriteArrays(
      F, FAM, {roomFor(F), mayFuseOtherwise(F), IsForecast, State.fusesAll(F)},
      /*MayTakePlace=*/IsWanted);
  if (IsWanted && !IsTrial)
    warnOfDifference(F, All.Difference);
  bool HasChanged = IsWanted && All.hasChanged();
  // Launches of larger blocks are to fail.
  bool HasShared = HasChanged && any_of(All.Arrays, [](const ArrayResult &R) {
                     return R.Fate == ArrayFate::Shared;
                   });
  if (auto Known = HasShared ? factsOf(F) : std::nullopt;
      Known && !Known->first.statesBlockSize() &&
      !Known->first.launchesAddShared())
    setThreadLimit(F, Known->first.Threads);
  if (HasChanged && All.MayFuseOtherwise)
    State.noteFusing(F);
  if (!IsTrial && asksForArrays(F))
    State.Arrays[&F] = tellArrays(F, All.Arrays, HasChanged);
  return HasChanged;
}

namespace {

class ScalarArraysPass : public PassInfoMixin<ScalarArraysPass> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    PassState Alone;
    bool IsChanged = writeRoundings(F);
    IsChanged |= stateAssemblyEffects(F);
    if (!isKernel(F) || !hasRewritableArrays(F) ||
        !rewrite(F, FAM, /*IsWanted=*/true, Alone))
      return IsChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

class ScalarArrays : public FunctionPass {
public:
  static inline char ID = 0;
  ScalarArrays() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<PassState>();
    AU.addRequired<TargetPassConfig>();
  }
  bool runOnFunction(Function &F) override {
    auto *Machine = getAnalysisIfAvailable<MachineModuleInfoWrapperPass>();
    if (Machine && Machine->getMMI().getMachineFunction(F))
      return false; // Its code has been generated.
    auto &State = getAnalysis<PassState>();
    TrialNotes *Notes = State.notesOn(F);
    Rewrite Rewrites = State.rewritesOf(F);
    bool IsWanted = has(Rewrites, Rewrite::LowerArrays);
    bool IsTold =
        !Notes &&
        (mayHaveLocalArrays(F) || hasWrittenParameters(F) || IsWanted) &&
        isKernel(F) && asksForArrays(F);
    if (!IsTold &&
        ((!IsWanted && !Notes) || !isKernel(F) || !hasRewritableArrays(F)))
      return false;
    // Whether it may be rewritten. That is asked of stock's code only, and with
    // calls inlined.
    bool IsLooked = Notes && !IsWanted;
    if (IsLooked &&
        (any(Rewrites & ~Rewrite::InlineCalls) || !commandLineOptions().Arrays))
      return false;
    FunctionAnalyses Analyses(
        getAnalysis<TargetPassConfig>().getTM<TargetMachine>());
    if (IsLooked) {
      ArrayFreedom Freedom = {roomFor(F), mayFuseOtherwise(F),
                              /*IsForecast=*/true, State.fusesAll(F)};
      if (rewriteArrays(F, Analyses.get(), Freedom, /*MayTakePlace=*/false,
                        /*IsChecked=*/false)
              .hasChanged())
        Notes->noteChange(Rewrite::LowerArrays);
      return false;
    }
    if (!rewrite(F, Analyses.get(), IsWanted, State) && IsWanted)
      State.dropRewrites(F, Rewrite::LowerArrays);
    return true;
  }
};

} // namespace

static RegisterPass<ScalarArrays>
    RegisterScalarArrays("regdem-array-registers",
                         "Register demotion: arrays in registers");

FunctionPass *regdem::createScalarArraysPass() { return new ScalarArrays(); }

void regdem::registerScalarArrays(PassBuilder &Builder) {
  Builder.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &Passes,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "regdem-lower-arrays")
          return false;
        Passes.addPass(ScalarArraysPass());
        return true;
      });
}
