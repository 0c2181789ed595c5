//===- ParameterCopies.cpp - parameters read where they are ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ParameterCopies.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/LocalArrays.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regdem {

/// How the memory of a parameter is used. One that is written at known places
/// only, LLVM takes apart by itself.
enum class ParameterUse { OnlyRead, Written, Indexed, Unknown };

static ParameterUse useOf(const Argument &Parameter) {
  SmallSetVector<const Value *, 8> Pointers;
  Pointers.insert(&Parameter);
  bool IsWritten = false, IsIndexed = false;
  for (unsigned N = 0; N != Pointers.size(); ++N)
    for (const Use &U : Pointers[N]->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      if (const auto *Element = dyn_cast<GetElementPtrInst>(I)) {
        Pointers.insert(I);
        IsIndexed |= !Element->hasAllConstantIndices();
      } else if (isa<StoreInst>(I) &&
                 U.getOperandNo() == StoreInst::getPointerOperandIndex())
        IsWritten = true;
      else if (isa<MemIntrinsic>(I))
        IsWritten |= U.getOperandNo() == 0; // The destination.
      else if (!isa<LoadInst>(I))
        return ParameterUse::Unknown;
    }
  if (!IsWritten)
    return ParameterUse::OnlyRead;
  return IsIndexed ? ParameterUse::Indexed : ParameterUse::Written;
}

static bool needsCopy(const Argument &A) {
  return A.hasByValAttr() && useOf(A) == ParameterUse::Indexed;
}

bool hasParameterCopies(const Function &F) {
  return isKernel(F) &&
         any_of(F.args(), [](const Argument &A) { return needsCopy(A); });
}

void exposeParameterCopies(Function &F) {
  if (!isKernel(F))
    return;
  for (Argument &A : F.args()) {
    if (!needsCopy(A))
      continue;
    Type *T = A.getParamByValType();
    const DataLayout &Layout = F.getDataLayout();
    IRBuilder<> At(&*F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Copy = At.CreateAlloca(T);
    Align Alignment = A.getParamAlign().value_or(Layout.getABITypeAlign(T));
    Copy->setAlignment(Alignment);
    Copy->takeName(&A);
    A.replaceAllUsesWith(Copy);
    At.CreateMemCpy(Copy, Alignment, &A, Alignment,
                    Layout.getTypeAllocSize(T).getFixedValue());
  }
}

namespace {

struct Copied {
  MemTransferInst *By = nullptr;
  Argument *From = nullptr;
  int64_t Distance = 0; ///< Bytes from the copy's place to the parameter's.
  uint64_t Start = 0;   ///< In the copy.
};

} // namespace

/// What fills Array, where that is one copy at a known place.
static std::optional<Copied> copyInto(const LocalArray &Array) {
  for (const ArrayAccess &A : Array.Accesses) {
    auto *By = dyn_cast<MemTransferInst>(A.At);
    if (!A.Writes || !By)
      continue;
    const DataLayout &Layout = By->getDataLayout();
    APInt From(64, 0), To(64, 0);
    auto *Parameter = dyn_cast<Argument>(
        By->getRawSource()->stripAndAccumulateConstantOffsets(
            Layout, From, /*AllowNonInbounds=*/true));
    By->getRawDest()->stripAndAccumulateConstantOffsets(
        Layout, To, /*AllowNonInbounds=*/true);
    if (!Parameter || A.Index != IndexKind::Constant)
      return std::nullopt;
    return Copied{By, Parameter, From.getSExtValue() - To.getSExtValue(),
                  To.getZExtValue()};
  }
  return std::nullopt;
}

bool canReadParameter(const LocalArray &Array) {
  if (!Array.CopiesParameter || Array.Obstacle != ArrayObstacle::None ||
      Array.Allocas.size() != 1 || !Array.isInBounds())
    return false;
  std::optional<Copied> Copy = copyInto(Array);
  if (!Copy || useOf(*Copy->From) != ParameterUse::OnlyRead)
    return false;
  // Nothing but loads and addresses, so that the code generator can see it.
  return all_of(Array.Pointers,
                [](const Value *P) {
                  return isa<AllocaInst, GetElementPtrInst>(P);
                }) &&
         all_of(Array.Accesses, [&](const ArrayAccess &A) {
           return A.At == Copy->By ||
                  (isa<LoadInst>(A.At) && A.Least >= Copy->Start &&
                   A.Most + A.Bytes <=
                       Copy->Start + cast<ConstantInt>(Copy->By->getLength())
                                         ->getZExtValue());
         });
}

void readParameter(const LocalArray &Array) {
  Copied Copy = *copyInto(Array);
  AllocaInst *Memory = Array.Allocas.front();
  Align Known = Copy.From->getParamAlign().valueOrOne();
  for (const ArrayAccess &A : Array.Accesses)
    if (auto *Load = dyn_cast<LoadInst>(A.At)) {
      Align Shifted =
          commonAlignment(Known, static_cast<uint64_t>(Copy.Distance) &
                                     (Value::MaximumAlignment - 1));
      Load->setAlignment(std::min(Load->getAlign(), Shifted));
    }
  Copy.By->eraseFromParent();
  for (User *U : make_early_inc_range(Memory->users()))
    if (cast<Instruction>(U)->isLifetimeStartOrEnd())
      cast<Instruction>(U)->eraseFromParent();
  IRBuilder<> At(Memory);
  Value *There = Copy.Distance
                     ? At.CreatePtrAdd(Copy.From, At.getInt64(Copy.Distance))
                     : static_cast<Value *>(Copy.From);
  Memory->replaceAllUsesWith(There);
  Memory->eraseFromParent();
}

} // namespace regdem
