//===- CallInlining.cpp - calls become part of a kernel -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/CallInlining.h"

#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Transform/Approximations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regdem {

namespace {

/// Instructions of IR that a kernel may have with all that it calls, so that
/// ptxas takes seconds at most for it (a tenth of a second for a thousand).
constexpr uint64_t MostInstructions = 10000;

class Inlining {
public:
  Inlining(Function &Kernel, FunctionAnalyses &Analyses)
      : Kernel(Kernel), Analyses(Analyses),
        Costs(Analyses.get().getResult<TargetIRAnalysis>(Kernel)) {
    if (mayCallThemselves(calledFunctions(Kernel)))
      return;
    addInlinable(Kernel);
    if (sizeOf(Kernel) > MostInstructions)
      Inlinable.clear();
  }

  bool isWorthwhile() const { return !Inlinable.empty(); }

  /// How sure it is that all of the code rounds in one way once it is one.
  Roundings roundings(bool FusesAll) {
    SmallVector<const Function *, 8> All = {&Kernel};
    append_range(All, Inlinable);
    return findRoundings(All, FusesAll);
  }

  void run() {
    SmallVector<CallBase *, 8> Kept;
    for (Function *Callee : Inlinable)
      append_range(Kept, keepApproximations(*Callee));
    while (CallBase *Call = nextCall()) {
      InlineFunctionInfo Info;
      if (!InlineFunction(*Call, Info, /*MergeAttributes=*/true).isSuccess())
        Call->setIsNoInline(); // It stays a call.
    }
    simplifyAgain(Kernel, Analyses, /*UnrollsMore=*/true);
    for (CallBase *Call : Kept) // Of functions that others call, too.
      Call->removeFnAttr(Attribute::NoBuiltin);
  }

private:
  Function &Kernel;
  FunctionAnalyses &Analyses;
  const TargetTransformInfo &Costs;
  CalledFunctions Inlinable;
  DenseMap<const Function *, uint64_t> Sizes; ///< With all that they call.

  bool mayInline(const CallBase &Call) const {
    const Function *Callee = Call.getCalledFunction();
    return Callee && !Callee->isDeclaration() && !Call.isNoInline() &&
           !Callee->hasOptNone() && !Callee->isInterposable() &&
           Costs.areInlineCompatible(&Kernel, Callee) &&
           AttributeFuncs::areInlineCompatible(Kernel, *Callee) &&
           isInlineViable(*const_cast<Function *>(Callee)).isSuccess();
  }

  void addInlinable(Function &F) {
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && mayInline(*Call))
        if (Inlinable.insert(Call->getCalledFunction()))
          addInlinable(*Call->getCalledFunction());
  }

  uint64_t sizeOf(const Function &F) {
    if (auto Known = Sizes.find(&F); Known != Sizes.end())
      return Known->second;
    uint64_t Size = F.getInstructionCount();
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && mayInline(*Call))
        Size = SaturatingAdd(Size, sizeOf(*Call->getCalledFunction()));
    return Sizes[&F] = Size;
  }

  /// A call of the kernel that is to be inlined, of its own or of what has been
  /// inlined; null where there is none.
  CallBase *nextCall() const {
    for (Instruction &I : instructions(Kernel))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && !Call->isNoInline() &&
          Inlinable.contains(Call->getCalledFunction()))
        return Call;
    return nullptr;
  }
};

} // namespace

void simplifyAgain(Function &F, FunctionAnalyses &Analyses, bool UnrollsMore) {
  const OptimizationLevel Level = OptimizationLevel::O3;
  FunctionPassManager Passes =
      Analyses.builder().buildFunctionSimplificationPipeline(
          Level, ThinOrFullLTOPhase::None);
  if (UnrollsMore)
    Passes.addPass(LoopUnrollPass(LoopUnrollOptions(Level.getSpeedupLevel())));
  Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
  FunctionAnalysisManager &Manager = Analyses.get();
  Manager.invalidate(F, PreservedAnalyses::none());
  Manager.invalidate(F, Passes.run(F, Manager));
}

bool hasInlinableCalls(Function &Kernel, FunctionAnalyses &Analyses) {
  Inlining All(Kernel, Analyses);
  return All.isWorthwhile() &&
         All.roundings(/*FusesAll=*/true) < Roundings::Reorderable;
}

std::optional<Roundings> inlineCalls(Function &Kernel,
                                     FunctionAnalyses &Analyses,
                                     bool MayFuseOtherwise, bool FusesAll) {
  Inlining All(Kernel, Analyses);
  if (!All.isWorthwhile())
    return std::nullopt;
  Roundings Are = All.roundings(FusesAll);
  if (Are != Roundings::Fixed && (Are != Roundings::Open || !MayFuseOtherwise))
    return std::nullopt;
  auto Inline = [&All] {
    All.run();
    return true;
  };
  return changeExactly(Kernel, Analyses, Are, FusesAll, Inline)
             ? std::optional(Are)
             : std::nullopt;
}

} // namespace regdem
