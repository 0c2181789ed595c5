//===- ArrayCopies.cpp - copies read where they come from -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayCopies.h"

#include "regdem/Analysis/LocalArrays.h"
#include "regdem/Transform/ParameterCopies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regdem {

namespace {

struct Copied {
  MemTransferInst *By = nullptr;
  Value *From = nullptr; ///< A parameter or a variable.
  int64_t Distance = 0;  ///< Bytes from the copy's place to that one's.
  uint64_t Start = 0;    ///< In the copy.
};

} // namespace

/// What fills Array, where that is one copy at a known place, in which all of
/// its readers stay.
static std::optional<Copied> copyInto(const LocalArray &Array) {
  if (Array.Obstacle != ArrayObstacle::None || Array.Allocas.size() != 1 ||
      !Array.isInBounds())
    return std::nullopt;
  Copied Copy;
  const ArrayAccess *Fill = nullptr;
  for (const ArrayAccess &A : Array.Accesses)
    if (A.Writes) {
      Copy.By = dyn_cast<MemTransferInst>(A.At);
      if (Fill || !Copy.By || A.Index != IndexKind::Constant)
        return std::nullopt;
      Fill = &A;
    }
  if (!Fill)
    return std::nullopt;
  APInt Offset(64, 0);
  Copy.From = Copy.By->getRawSource()->stripAndAccumulateConstantOffsets(
      Copy.By->getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  if (Copy.From == Array.Allocas.front())
    return std::nullopt;
  Copy.Start = Fill->Least;
  Copy.Distance = Offset.getSExtValue() - static_cast<int64_t>(Copy.Start);
  bool IsWithin = all_of(Array.Accesses, [&](const ArrayAccess &A) {
    return A.Writes || (A.Least >= Fill->Least &&
                        A.Most + A.Bytes <= Fill->Least + Fill->Bytes);
  });
  return IsWithin ? std::optional(Copy) : std::nullopt;
}

Value *copiedParameter(const LocalArray &Array) {
  std::optional<Copied> Copy = copyInto(Array);
  auto *Parameter = Copy ? dyn_cast<Argument>(Copy->From) : nullptr;
  if (!Parameter || !isOnlyRead(*Parameter))
    return nullptr;
  // Nothing but loads and addresses, so that the code generator can see it.
  bool IsPlain = all_of(Array.Pointers,
                        [](const Value *P) {
                          return isa<AllocaInst, GetElementPtrInst>(P);
                        }) &&
                 all_of(Array.Accesses, [&](const ArrayAccess &A) {
                   return A.At == Copy->By || isa<LoadInst>(A.At);
                 });
  return IsPlain ? Parameter : nullptr;
}

Value *copiedArray(const LocalArray &Array, ArrayRef<LocalArray> All,
                   Function &F, FunctionAnalysisManager &FAM) {
  std::optional<Copied> Copy = copyInto(Array);
  auto *Variable = Copy ? dyn_cast<AllocaInst>(Copy->From) : nullptr;
  if (!Variable || !Variable->isStaticAlloca())
    return nullptr;
  const LocalArray *Source = find_if(All, [&](const LocalArray &Other) {
    return is_contained(Other.Allocas, Variable);
  });
  if (Source == All.end() || Source->Obstacle != ArrayObstacle::None)
    return nullptr;
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  bool Changes = any_of(Source->Accesses, [&](const ArrayAccess &A) {
    return A.Writes &&
           isPotentiallyReachable(Copy->By, A.At, /*ExclusionSet=*/nullptr,
                                  &Dominators, &Loops);
  });
  return Changes ? nullptr : Variable;
}

static void eraseLifetime(Value &Variable) {
  for (User *U : make_early_inc_range(Variable.users()))
    if (cast<Instruction>(U)->isLifetimeStartOrEnd())
      cast<Instruction>(U)->eraseFromParent();
}

void readSource(const LocalArray &Array, Value *Source) {
  Copied Copy = *copyInto(Array);
  AllocaInst *Memory = Array.Allocas.front();
  auto *Variable = dyn_cast<AllocaInst>(Source);
  Align Known = Variable ? Variable->getAlign()
                         : cast<Argument>(Source)->getParamAlign().valueOrOne();
  Align Shifted = commonAlignment(Known, static_cast<uint64_t>(Copy.Distance) &
                                             (Value::MaximumAlignment - 1));
  for (const ArrayAccess &A : Array.Accesses)
    if (auto *Load = dyn_cast<LoadInst>(A.At))
      Load->setAlignment(std::min(Load->getAlign(), Shifted));
    else if (auto *Out = dyn_cast<MemTransferInst>(A.At); Out != Copy.By)
      Out->setSourceAlignment(
          std::min(Out->getSourceAlign().valueOrOne(), Shifted));
  Copy.By->eraseFromParent();
  eraseLifetime(*Memory);
  if (Variable) { // It is read for longer than it was.
    eraseLifetime(*Variable);
    Variable->moveBefore(Memory->getIterator());
  }
  IRBuilder<> At(Memory);
  Value *There =
      Copy.Distance
          ? At.CreatePtrAdd(Source,
                            At.getInt64(static_cast<uint64_t>(Copy.Distance)))
          : Source;
  Memory->replaceAllUsesWith(There);
  Memory->eraseFromParent();
}

} // namespace regdem
