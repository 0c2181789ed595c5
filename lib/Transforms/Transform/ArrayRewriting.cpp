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

#include "FunctionCopy.h"
#include "regdem/Decision/Builds/Rewrite.h"
#include "regdem/Transform/Approximations.h"
#include "regdem/Transform/ArrayChecker.h"
#include "regdem/Transform/ArrayCopies.h"
#include "regdem/Transform/LoopUnrolling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <functional>

using namespace llvm;

namespace regdem {

bool ArrayRewrite::hasChanged() const {
  return HasCutCopies || any_of(Arrays, std::mem_fn(&ArrayResult::hasChanged));
}

namespace {

/// Instructions of a function that unrolling may lead to, by LLVM's count:
/// 128 KB of machine code, what the hardware caches for an SM.
constexpr uint64_t MostUnrolledInstructions = 8192;

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

/// Whether all threads of a warp read the same place at a time.
bool isReadAlike(const LocalArray &Array) {
  return all_of(Array.Accesses,
                [](const ArrayAccess &A) { return A.Writes || A.IsUniform; });
}

class Rewriting {
public:
  Rewriting(Function &F, FunctionAnalysisManager &FAM,
            const ArrayFreedom &Freedom, StringRef Name)
      : F(F), FAM(FAM), Freedom(Freedom), Name(Name) {}

  /// Leaves what is known now in the code unless it CleansUp.
  ArrayRewrite run(bool CleansUp) {
    askRoundings();
    rewrite();
    All.HasCutCopies = Are == Roundings::Fixed && hasLargeCopies(F);
    if (All.HasCutCopies) {
      cutLargeCopies(F);
      invalidate();
    }
    if (CleansUp && All.hasChanged())
      cleanUp();
    return std::move(All);
  }

private:
  void rewrite() {
    for (LocalArray &Array : findLocalArrays(F, FAM))
      All.Arrays.push_back(open(Array));
    if (Open.empty())
      return;
    while (removeOneCopy())
      invalidate();
    bool IsUncounted = unrollLoops();
    while (std::optional<LocalArray> Array = nextOpen())
      replace(*Array, IsUncounted);
  }

  Function &F;
  FunctionAnalysisManager &FAM;
  ArrayFreedom Freedom;
  StringRef Name; ///< Of the kernel.
  ArrayRewrite All;
  Roundings Are = Roundings::Fixed;
  /// What may still leave, with its place in All.Arrays.
  DenseMap<const AllocaInst *, size_t> Open;
  /// Those of All.Arrays of which a part is known to leave or to stay.
  DenseSet<size_t> Outcome;

  void invalidate() { FAM.invalidate(F, PreservedAnalyses::none()); }

  ArrayResult open(LocalArray &Array) {
    ArrayResult Result;
    if (Array.IsSlowPath)
      Result.Fate = ArrayFate::SlowPath;
    Result.Why = Array.Obstacle == ArrayObstacle::None
                     ? ScalarObstacle::None
                     : ScalarObstacle::InMemory;
    bool MayLeave = mayLeave(Array);
    if (MayLeave)
      Result.Are = Are;
    if (MayLeave && Are == Roundings::Fixed)
      for (AllocaInst *Part : Array.Allocas)
        Open[Part] = All.Arrays.size();
    else if (Result.Why == ScalarObstacle::None &&
             Result.Fate != ArrayFate::SlowPath &&
             Result.Are == Roundings::Fixed)
      Result.Why = findScalarObstacle(Array);
    Result.Array = std::move(Array);
    return Result;
  }

  /// Whatever changes, the passes that clean up may move sums anywhere.
  void askRoundings() {
    Are = findRoundings(&F, Freedom.FusesAll);
    if (Are == Roundings::Fixed || Are == Roundings::Inexact)
      return;
    All.MayFuseOtherwise = Are == Roundings::Open && Freedom.MayFuseOtherwise;
    if (Freedom.IsForecast)
      keepOperations(F); // Whatever is fused: that is no matter of arrays.
    if (All.MayFuseOtherwise || Freedom.IsForecast)
      Are = Roundings::Fixed;
  }

  bool isOpen(const LocalArray &Array) const {
    return mayLeave(Array) && any_of(Array.Allocas, [this](AllocaInst *Part) {
             return Open.contains(Part);
           });
  }

  std::optional<LocalArray> nextOpen() {
    for (LocalArray &Array : collectLocalArrays(F))
      if (any_of(Array.Allocas,
                 [this](AllocaInst *Part) { return Open.contains(Part); })) {
        studyAccesses(Array, F, FAM);
        return std::move(Array);
      }
    return std::nullopt;
  }

  /// The place in All.Arrays of Array, which is not open any more.
  size_t close(const LocalArray &Array) {
    size_t Place = 0;
    for (AllocaInst *Part : Array.Allocas)
      if (auto At = Open.find(Part); At != Open.end()) {
        Place = At->second;
        Open.erase(At);
      }
    return Place;
  }

  /// Notes what became of a part of R, or of all of it.
  void settle(size_t Place, ArrayFate Fate,
              ScalarObstacle Why = ScalarObstacle::None,
              bool IsUncounted = false) {
    ArrayResult &R = All.Arrays[Place];
    if (Outcome.insert(Place).second) {
      R.Fate = Fate;
    } else if (R.Fate != Fate) {
      bool HasStayed = R.Fate == ArrayFate::Stays || Fate == ArrayFate::Stays;
      R.IsPart = HasStayed;
      R.Fate = HasStayed ? ArrayFate::Stays : ArrayFate::Registers;
    }
    if (Fate == ArrayFate::Stays && R.Why == ScalarObstacle::None) {
      R.Why = Why;
      R.IsUncounted = IsUncounted;
    }
  }

  /// Removes a copy of a parameter; whether there is one. What each thread
  /// reads elsewhere constant memory serves one after the other.
  bool removeOneCopy() {
    for (const LocalArray &Array : findLocalArrays(F, FAM)) {
      auto Copied = isOpen(Array) ? findParameterCopy(Array) : std::nullopt;
      if (!Copied || (!isReadAlike(Array) &&
                      findScalarObstacle(Array) == ScalarObstacle::None))
        continue;
      settle(close(Array), ArrayFate::Parameter);
      readParameter(Array, *Copied);
      return true;
    }
    return false;
  }

  /// The headers of loops that count the places of an open array.
  SmallPtrSet<const BasicBlock *, 8> countingHeaders() {
    SmallPtrSet<const BasicBlock *, 8> Headers;
    for (const LocalArray &Array : findLocalArrays(F, FAM))
      if (isOpen(Array))
        for (const ArrayAccess &A : Array.Accesses)
          Headers.insert(A.CountedBy.begin(), A.CountedBy.end());
    return Headers;
  }

  /// The first loop from the outside whose header is one of Headers.
  Loop *firstLoop(const SmallPtrSetImpl<const BasicBlock *> &Headers) {
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (Headers.contains(L->getHeader()))
        return L;
    return nullptr;
  }

  /// Unrolls all loops with counters that index an open array, as far as they
  /// can be. Whether the first that stays does so because it is not known how
  /// often it runs, or too often.
  bool unrollLoops() {
    SmallPtrSet<const BasicBlock *, 8> Left = countingHeaders(), Refused;
    bool IsUncounted = false;
    while (Loop *L = firstLoop(Left)) {
      const BasicBlock *Header = L->getHeader();
      auto &Evolution = FAM.getResult<ScalarEvolutionAnalysis>(F);
      simplifyLoop(L, &FAM.getResult<DominatorTreeAnalysis>(F),
                   &FAM.getResult<LoopAnalysis>(F), &Evolution,
                   &FAM.getResult<AssumptionAnalysis>(F), /*MSSAU=*/nullptr,
                   /*PreserveLCSSA=*/false);
      unsigned Most = Evolution.getSmallConstantMaxTripCount(L);
      bool IsCounted = Most && Most <= MostUnrolledFully;
      if (IsCounted && unroll(*L, Most)) {
        invalidate();
        Left = countingHeaders();
        Left.remove_if([&](const auto *B) { return Refused.contains(B); });
        continue;
      }
      IsUncounted |= Refused.empty() && !IsCounted;
      Refused.insert(Header);
      Left.erase(Header);
    }
    invalidate();
    return IsUncounted;
  }

  /// Unrolls L, which runs Most times at most; false where LLVM cannot, or the
  /// code would become too large.
  bool unroll(Loop &L, unsigned Most) {
    auto &Loops = FAM.getResult<LoopAnalysis>(F);
    auto &Evolution = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &Assumptions = FAM.getResult<AssumptionAnalysis>(F);
    auto &Costs = FAM.getResult<TargetIRAnalysis>(F);
    // What clang has unrolled in part says so as `#pragma unroll 1` does; the
    // build's figures decide whether it pays.
    SmallPtrSet<const Value *, 8> Ephemeral;
    CodeMetrics::collectEphemeralValues(&L, &Assumptions, Ephemeral);
    UnrollCostEstimator Cost(&L, Costs, Ephemeral, BackEdgeInstructions);
    // L's inner loops may be unrolled then.
    if (!Cost.canUnroll() || !L.isLoopSimplifyForm() || !L.isSafeToClone() ||
        F.getInstructionCount() + Cost.getRolledLoopSize() * Most >
            MostUnrolledInstructions)
      return false;
    Evolution.forgetAllLoops();
    formLCSSARecursively(*L.getOutermostLoop(), Dominators, &Loops, &Evolution);
    UnrollLoopOptions How{};
    How.Count = Evolution.getSmallConstantMaxTripCount(&L);
    How.ForgetAllSCEV = true;
    if (UnrollLoop(&L, How, &Loops, &Evolution, &Dominators, &Assumptions,
                   &Costs, /*ORE=*/nullptr,
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::FullyUnrolled)
      return false;
    removeUnreachableBlocks(F);
    return true;
  }

  void replace(const LocalArray &Array, bool IsUncounted) {
    size_t Place = close(Array);
    if (isBetterShared(Array, Freedom.Room)) {
      settle(Place, ArrayFate::Shared);
      All.Shared.push_back(
          lowerToShared(Array, Freedom.Room,
                        (Name + "_array" + Twine(All.Shared.size())).str()));
      return invalidate();
    }
    ScalarObstacle Why = findScalarObstacle(Array);
    if (Why != ScalarObstacle::None)
      return settle(Place, ArrayFate::Stays, Why, IsUncounted);
    settle(Place, ArrayFate::Registers);
    lowerToRegisters(Array, FAM.getResult<DominatorTreeAnalysis>(F),
                     FAM.getResult<AssumptionAnalysis>(F));
    invalidate();
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
    invalidate();
    apply(EarlyCSEPass(/*UseMemorySSA=*/true));
    apply(InstCombinePass());
    apply(ADCEPass());
  }
};

} // namespace

bool hasRewritableArrays(Function &F) {
  return hasLargeCopies(F) || hasWrittenParameters(F) ||
         (mayHaveLocalArrays(F) && any_of(collectLocalArrays(F), mayBeIndexed));
}

/// Has the checker compare F with Copy, which has been rewritten.
static Error check(Function &F, Function &Copy, const ArrayRewrite &All) {
  std::vector<LocalArray> Arrays = collectLocalArrays(F);
  SmallVector<AllocaInst *, 4> Removed;
  for (auto [Array, Result] : zip_equal(Arrays, All.Arrays))
    if (Result.hasChanged() && Result.Fate != ArrayFate::Parameter)
      append_range(Removed, Array.Allocas);
  return checkArrays(F, Copy, Removed, All.Shared);
}

/// Says of all arrays that have changed that they stay, because of Why.
static void keepAll(ArrayRewrite &All, ScalarObstacle Why) {
  All.HasCutCopies = false;
  for (ArrayResult &R : All.Arrays)
    if (R.hasChanged()) {
      R.Fate = ArrayFate::Stays;
      R.IsPart = false;
      R.Why = Why;
    }
}

/// Whether Copy, of F, has no more approximate functions of constants, and no
/// sums that F has not and that may be fused.
static bool computesAlike(Function &F, Function &Copy,
                          FunctionAnalysisManager &FAM,
                          const ArrayFreedom &Freedom) {
  auto AreFixed = [&](const Function &Of) {
    return findRoundings(&Of, Freedom.FusesAll) == Roundings::Fixed;
  };
  return numConstant(Copy, FAM) <= numConstant(F, FAM) &&
         (!AreFixed(F) || AreFixed(Copy));
}

ArrayRewrite rewriteArrays(Function &F, FunctionAnalysisManager &FAM,
                           const ArrayFreedom &Freedom, bool MayTakePlace,
                           bool IsChecked) {
  // What the checker takes for unknown is so in both.
  SmallVector<CallBase *, 8> Kept = keepApproximations(F);
  SmallVector<ParameterCopy, 2> Copied = copyWrittenParameters(F);
  Function *Copy = copyOf(F);
  ArrayRewrite All =
      Rewriting(*Copy, FAM, Freedom, F.getName()).run(/*CleansUp=*/IsChecked);
  FAM.clear(*Copy, Copy->getName());
  if (All.hasChanged() && !computesAlike(F, *Copy, FAM, Freedom))
    keepAll(All, ScalarObstacle::Approximate);
  if (IsChecked && All.hasChanged())
    handleAllErrors(check(F, *Copy, All), [&](const StringError &What) {
      if (What.convertToErrorCode() == std::errc::not_supported)
        keepAll(All, ScalarObstacle::Unchecked);
      else {
        keepAll(All, ScalarObstacle::Differs);
        All.Difference = What.getMessage();
      }
    });
  bool TakesPlace = MayTakePlace && All.hasChanged();
  if (TakesPlace) {
    takeBody(F, *Copy);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  Copy->eraseFromParent();
  if (!TakesPlace) {
    for (GlobalVariable *Variable : All.Shared)
      Variable->eraseFromParent();
    for (CallBase *Call : Kept)
      Call->removeFnAttr(Attribute::NoBuiltin);
    undo(Copied);
  }
  All.Shared.clear();
  return All;
}

} // namespace regdem
