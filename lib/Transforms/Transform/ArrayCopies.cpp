//===- ArrayCopies.cpp - copies of arrays and parameters ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayCopies.h"

#include "regdem/Analysis/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regdem {

/// Whether the code generator copies A: its memory is written, and indexed or
/// copied. One that is written at known places only LLVM takes apart.
static bool needsCopy(const Argument &A) {
  if (!A.hasByValAttr())
    return false;
  SmallSetVector<const Value *, 8> Pointers;
  Pointers.insert(&A);
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
        return false;
    }
  return IsWritten && IsIndexed;
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

/// Bytes of which LLVM makes loops.
constexpr uint64_t Large = 128;
/// Bytes of a piece: the widest access divides it.
constexpr uint64_t PieceBytes = 64;
/// Bytes that are copied without a loop, 256 words. A loop around pieces costs
/// little then.
constexpr uint64_t MostInLine = 1024;

/// I if it is to be cut. What is moved may overlap.
MemIntrinsic *asLargeCopy(Instruction &I) {
  auto *Copy = dyn_cast<MemIntrinsic>(&I);
  if (!Copy || isa<MemMoveInst>(I) || Copy->isVolatile())
    return nullptr;
  const auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
  return Length && Length->getZExtValue() >= Large ? Copy : nullptr;
}

/// Does what Copy does, for Bytes from Start on, which is a multiple of
/// PieceBytes.
void copyPiece(IRBuilder<> &At, MemIntrinsic &Copy, Value *Start,
               uint64_t Bytes) {
  auto There = [&](Value *Pointer) {
    return At.CreateInBoundsPtrAdd(Pointer, Start);
  };
  auto Known = [](MaybeAlign Whole) {
    return commonAlignment(Whole.valueOrOne(), PieceBytes);
  };
  Value *To = There(Copy.getRawDest());
  if (auto *Fill = dyn_cast<MemSetInst>(&Copy))
    At.CreateMemSet(To, Fill->getValue(), Bytes, Known(Copy.getDestAlign()));
  else
    At.CreateMemCpy(To, Known(Copy.getDestAlign()),
                    There(cast<MemCpyInst>(Copy).getRawSource()),
                    Known(cast<MemCpyInst>(Copy).getSourceAlign()), Bytes);
}

void cut(MemIntrinsic &Copy) {
  uint64_t Bytes = cast<ConstantInt>(Copy.getLength())->getZExtValue();
  uint64_t Pieces = Bytes / PieceBytes, Rest = Bytes % PieceBytes;
  IRBuilder<> At(&Copy);
  if (Bytes > MostInLine) {
    auto [Body, Counter] = SplitBlockAndInsertSimpleForLoop(At.getInt64(Pieces),
                                                            Copy.getIterator());
    At.SetInsertPoint(Body);
    copyPiece(At, Copy, At.CreateMul(Counter, At.getInt64(PieceBytes)),
              PieceBytes);
    At.SetInsertPoint(&Copy);
  } else {
    for (uint64_t N = 0; N != Pieces; ++N)
      copyPiece(At, Copy, At.getInt64(N * PieceBytes), PieceBytes);
  }
  if (Rest)
    copyPiece(At, Copy, At.getInt64(Pieces * PieceBytes), Rest);
  Copy.eraseFromParent();
}

} // namespace

bool hasLargeCopies(Function &F) {
  return any_of(instructions(F),
                [](Instruction &I) { return asLargeCopy(I) != nullptr; });
}

void cutLargeCopies(Function &F) {
  SmallVector<MemIntrinsic *, 4> Copies;
  for (Instruction &I : instructions(F))
    if (MemIntrinsic *Copy = asLargeCopy(I))
      Copies.push_back(Copy);
  for (MemIntrinsic *Copy : Copies)
    cut(*Copy);
}

} // namespace regdem
