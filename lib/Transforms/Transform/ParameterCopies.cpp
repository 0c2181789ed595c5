//===- ParameterCopies.cpp - copies of parameters, in IR ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ParameterCopies.h"

#include "regdem/Analysis/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regdem {

/// How the memory of a parameter is used. One that is written at known places
/// only, and not copied, LLVM takes apart by itself.
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
        (U.getOperandNo() == 0 ? IsWritten : IsIndexed) = true;
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

bool isOnlyRead(const Argument &Parameter) {
  return Parameter.hasByValAttr() && useOf(Parameter) == ParameterUse::OnlyRead;
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

} // namespace regdem
