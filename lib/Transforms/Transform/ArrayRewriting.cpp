//===- ArrayRewriting.cpp - arrays out of local memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work is done on a copy, which takes the function's place if an array has
// left local memory then.
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayRewriting.h"

#include "regdem/Transform/ArrayChecker.h"
#include "regdem/Transform/FixedRounding.h"
#include "regdem/Transform/ParameterCopies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include <functional>

using namespace llvm;

namespace regdem {

/// Whether Results say that an array has left local memory.
static bool haveLeft(ArrayRef<ArrayResult> Results) {
  return any_of(Results, std::mem_fn(&ArrayResult::leavesLocalMemory));
}

namespace {

/// Whether nothing but how it is indexed keeps Array in local memory.
bool mayBeIndexed(const LocalArray &Array) {
  return Array.Obstacle == ArrayObstacle::None && !Array.IsSlowPath &&
         !Array.Accesses.empty();
}

/// Whether it is worth looking for a way out of local memory for Array, of
/// which loops may become known places.
bool mayLeave(const LocalArray &Array) {
  if (!mayBeIndexed(Array))
    return false;
  auto IsHopeless = [](const ArrayAccess &A) {
    return A.Index == IndexKind::Constant && !A.IsInBounds;
  };
  return none_of(Array.Accesses, IsHopeless);
}

class Rewriting {
public:
  Rewriting(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {}

  std::vector<ArrayResult> run() {
    rewrite();
    if (hasChanged())
      cleanUp();
    return std::move(Results);
  }

private:
  void rewrite() {
    exposeParameterCopies(F);
    for (LocalArray &Array : findLocalArrays(F, FAM)) {
      ArrayResult Result;
      if (Array.IsSlowPath)
        Result.Fate = ArrayFate::SlowPath;
      Result.Why = Array.Obstacle == ArrayObstacle::None
                       ? ScalarObstacle::None
                       : ScalarObstacle::InMemory;
      bool IsOpen = mayLeave(Array);
      if (IsOpen && !fixRounding(F, scopeOf(Array)))
        IsOpen = !(Result.RoundsOtherwise = true);
      if (IsOpen)
        for (AllocaInst *Part : Array.Allocas)
          Open[Part] = Results.size();
      else if (Result.Why == ScalarObstacle::None &&
               Result.Fate != ArrayFate::SlowPath && !Result.RoundsOtherwise)
        Result.Why = findScalarObstacle(Array);
      Result.Array = std::move(Array);
      Results.push_back(std::move(Result));
    }
    FAM.invalidate(F, PreservedAnalyses::none());
    if (Open.empty())
      return;
    readParameters();
    if (!Open.empty()) {
      LoopObstacle Loops = unrollArrayLoops(
          F, FAM, [this](const LocalArray &Array) { return isOpen(Array); });
      while (std::optional<LocalArray> Array = nextOpen())
        replace(*Array, Loops);
    }
  }

  bool hasChanged() const { return haveLeft(Results); }

  Function &F;
  FunctionAnalysisManager &FAM;
  std::vector<ArrayResult> Results;
  /// What may still leave, with its place in Results.
  DenseMap<const AllocaInst *, size_t> Open;

  static RoundingScope scopeOf(const LocalArray &Array) {
    RoundingScope Scope;
    for (const ArrayAccess &A : Array.Accesses)
      Scope.Accesses.insert(A.At);
    return Scope;
  }

  bool isOpen(const LocalArray &Array) const {
    return mayLeave(Array) && any_of(Array.Allocas, [this](AllocaInst *Part) {
             return Open.contains(Part);
           });
  }

  std::optional<LocalArray> nextOpen() {
    for (LocalArray &Array : findLocalArrays(F, FAM))
      if (any_of(Array.Allocas,
                 [this](AllocaInst *Part) { return Open.contains(Part); }))
        return std::move(Array);
    return std::nullopt;
  }

  ArrayResult &close(const LocalArray &Array) {
    size_t Place = 0;
    for (AllocaInst *Part : Array.Allocas)
      if (auto At = Open.find(Part); At != Open.end()) {
        Place = At->second;
        Open.erase(At);
      }
    return Results[Place];
  }

  void readParameters() {
    for (LocalArray &Array : findLocalArrays(F, FAM)) {
      if (!isOpen(Array) || !canReadParameter(Array))
        continue;
      close(Array).Fate = ArrayFate::Parameter;
      readParameter(Array);
    }
    FAM.invalidate(F, PreservedAnalyses::none());
  }

  void replace(const LocalArray &Array, LoopObstacle Loops) {
    ArrayResult &Result = close(Array);
    ScalarObstacle Why = findScalarObstacle(Array);
    if (Why != ScalarObstacle::None) {
      Result.Why = Why;
      Result.Loops = Loops;
      Result.Fate = ArrayFate::Stays;
      return;
    }
    makeScalars(Array, FAM.getResult<DominatorTreeAnalysis>(F),
                FAM.getResult<AssumptionAnalysis>(F));
    Result.Fate = ArrayFate::Registers;
    FAM.invalidate(F, PreservedAnalyses::none());
  }

  template <typename Pass> void apply(Pass P) {
    FAM.invalidate(F, P.run(F, FAM));
  }

  /// Does away with what is known now. No blocks are joined but those that
  /// follow each other alone, so that products and sums stay where they are.
  void cleanUp() {
    apply(EarlyCSEPass(/*UseMemorySSA=*/true));
    apply(InstCombinePass());
    for (BasicBlock &Block : F)
      ConstantFoldTerminator(&Block, /*DeleteDeadConditions=*/true);
    removeUnreachableBlocks(F);
    for (BasicBlock &Block : make_early_inc_range(F))
      MergeBlockIntoPredecessor(&Block);
    FAM.invalidate(F, PreservedAnalyses::none());
    apply(EarlyCSEPass(/*UseMemorySSA=*/true));
    apply(InstCombinePass());
    apply(ADCEPass());
  }
};

/// A copy of F in its module.
Function *copyOf(Function &F, ValueToValueMapTy &Map) {
  if (DISubprogram *Source = F.getSubprogram())
    Map.MD()[Source].reset(Source); // The copy's lines are those of F.
  Function *Copy = CloneFunction(&F, Map);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  return Copy;
}

/// Gives F the body of Copy, which then has none.
void takeBody(Function &F, Function &Copy) {
  for (BasicBlock &Block : F)
    Block.dropAllReferences();
  while (!F.empty())
    F.begin()->eraseFromParent();
  F.splice(F.end(), &Copy);
  for (auto [Mine, Its] : zip_equal(F.args(), Copy.args()))
    Its.replaceAllUsesWith(&Mine);
}

} // namespace

bool hasRewritableArrays(Function &F) {
  return hasParameterCopies(F) ||
         (mayHaveLocalArrays(F) && any_of(collectLocalArrays(F), mayBeIndexed));
}

/// Has the checker compare F, whose parameters are copied in IR as in Copy,
/// with Copy, which has been rewritten.
static Error check(Function &F, Function &Copy, ArrayRef<ArrayResult> Results) {
  ValueToValueMapTy Map;
  Function *Original = copyOf(F, Map);
  exposeParameterCopies(*Original);
  std::vector<LocalArray> Arrays = collectLocalArrays(*Original);
  SmallVector<AllocaInst *, 4> Removed;
  for (auto [Array, Result] : zip_equal(Arrays, Results))
    if (haveLeft(Result))
      append_range(Removed, Array.Allocas);
  Error E = checkArrays(*Original, Copy, Removed);
  Original->eraseFromParent();
  return E;
}

/// Says of all Results that have left that they stay, because of Why.
static void keepAll(std::vector<ArrayResult> &Results, ScalarObstacle Why,
                    StringRef Difference = "") {
  for (ArrayResult &R : Results)
    if (R.leavesLocalMemory()) {
      R.Fate = ArrayFate::Stays;
      R.Why = Why;
      R.Difference = Difference;
    }
}

/// Rewrites a copy of F, which then takes F's place if it may.
static std::vector<ArrayResult>
rewriteCopy(Function &F, FunctionAnalysisManager &FAM, bool MayTakePlace) {
  ValueToValueMapTy Map;
  Function *Copy = copyOf(F, Map);
  std::vector<ArrayResult> Results = Rewriting(*Copy, FAM).run();
  FAM.clear(*Copy, Copy->getName());
  if (haveLeft(Results))
    handleAllErrors(check(F, *Copy, Results), [&](const StringError &What) {
      if (What.convertToErrorCode() == std::errc::not_supported)
        keepAll(Results, ScalarObstacle::Unchecked);
      else
        keepAll(Results, ScalarObstacle::Differs, What.getMessage());
    });
  if (MayTakePlace && haveLeft(Results)) {
    takeBody(F, *Copy);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  Copy->eraseFromParent();
  return Results;
}

std::vector<ArrayResult> planArrays(Function &F, FunctionAnalysisManager &FAM) {
  return rewriteCopy(F, FAM, /*MayTakePlace=*/false);
}

bool mayRewriteArrays(Function &F, FunctionAnalysisManager &FAM) {
  return hasRewritableArrays(F) && haveLeft(planArrays(F, FAM));
}

std::vector<ArrayResult> rewriteArrays(Function &F,
                                       FunctionAnalysisManager &FAM) {
  return rewriteCopy(F, FAM, /*MayTakePlace=*/true);
}

} // namespace regdem
