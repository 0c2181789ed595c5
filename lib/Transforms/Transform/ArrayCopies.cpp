//===- ArrayCopies.cpp - copies of arrays and parameters ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayCopies.h"

#include "ArrayReach.h"
#include "regdem/Analysis/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

namespace {

/// Whether all that is done with A, which is passed by value, is to read it.
bool isOnlyRead(const Argument &A) {
  SmallSetVector<const Value *, 8> Pointers;
  Pointers.insert(&A);
  for (unsigned N = 0; N != Pointers.size(); ++N)
    for (const Use &U : Pointers[N]->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst>(I))
        Pointers.insert(I);
      else if (!isa<LoadInst>(I) &&
               !(isa<MemIntrinsic>(I) && U.getOperandNo() != 0))
        return false;
    }
  return true;
}

/// Whether A is passed by value and the kernel that it is of writes to it.
bool isWritten(const Argument &A) {
  if (!A.hasByValAttr())
    return false;
  SmallSetVector<const Value *, 8> Pointers;
  Pointers.insert(&A);
  for (unsigned N = 0; N != Pointers.size(); ++N)
    for (const Use &U : Pointers[N]->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst, AddrSpaceCastInst, PHINode, SelectInst>(I))
        Pointers.insert(I);
      else if ((isa<StoreInst>(I) &&
                getLoadStorePointerOperand(I) == U.get()) ||
               (isa<MemIntrinsic>(I) && U.getOperandNo() == 0))
        return true;
    }
  return false;
}

} // namespace

bool hasWrittenParameters(const Function &F) {
  return isKernel(F) && any_of(F.args(), isWritten);
}

std::optional<ParameterCopy> findParameterCopy(const LocalArray &Array) {
  AllocaInst *Start = Array.Allocas.front();
  const Function &F = *Start->getFunction();
  bool IsPlain = all_of(Array.Pointers, [Start](const Value *Pointer) {
    const auto *Element = dyn_cast<GetElementPtrInst>(Pointer);
    return Pointer == Start || (Element && Element->isInBounds());
  });
  if (Array.Obstacle != ArrayObstacle::None || !IsPlain || !isKernel(F))
    return std::nullopt;
  auto Writes = make_filter_range(
      Array.Accesses, [](const ArrayAccess &A) { return A.Writes; });
  if (!hasSingleElement(Writes))
    return std::nullopt;
  const ArrayAccess &Fill = *Writes.begin();
  auto *Copy = dyn_cast<MemCpyInst>(Fill.At);
  if (!Copy || Fill.Pointer != Start || Fill.Bytes != Array.Bytes)
    return std::nullopt;
  APInt Offset(64, 0);
  auto *From = dyn_cast<Argument>(
      Copy->getRawSource()->stripAndAccumulateInBoundsConstantOffsets(
          F.getDataLayout(), Offset));
  if (!From || !From->hasByValAttr() || !isOnlyRead(*From))
    return std::nullopt;
  return ParameterCopy{Copy, From, Offset.getZExtValue()};
}

SmallVector<ParameterCopy, 2> copyWrittenParameters(Function &F) {
  SmallVector<ParameterCopy, 2> Copies;
  if (!isKernel(F))
    return Copies;
  const DataLayout &Layout = F.getDataLayout();
  IRBuilder<> At(&*F.getEntryBlock().getFirstInsertionPt());
  for (Argument &A : make_filter_range(F.args(), isWritten)) {
    Type *Passed = A.getParamByValType();
    Align Alignment =
        A.getParamAlign().value_or(Layout.getABITypeAlign(Passed));
    AllocaInst *Copy = At.CreateAlloca(
        Passed, /*ArraySize=*/nullptr,
        A.hasName() ? A.getName() : "parameter " + Twine(A.getArgNo() + 1));
    Copy->setAlignment(Alignment);
    A.replaceAllUsesWith(Copy);
    auto *By = cast<MemCpyInst>(
        At.CreateMemCpy(Copy, Alignment, &A, Alignment,
                        Layout.getTypeAllocSize(Passed).getFixedValue()));
    Copies.push_back({By, &A, /*Offset=*/0});
  }
  return Copies;
}

void undo(ArrayRef<ParameterCopy> Copies) {
  for (const ParameterCopy &Copied : Copies) {
    auto *Variable = cast<AllocaInst>(Copied.By->getRawDest());
    Copied.By->eraseFromParent();
    Variable->replaceAllUsesWith(Copied.From);
    Variable->eraseFromParent();
  }
}

void readParameter(const LocalArray &Array, const ParameterCopy &Copied) {
  Align Alignment = Copied.By->getSourceAlign().valueOrOne();
  for (const ArrayAccess &A : Array.Accesses)
    if (auto *Load = dyn_cast<LoadInst>(A.At))
      Load->setAlignment(std::min(Load->getAlign(), Alignment));
    else if (auto *Further = cast<MemTransferInst>(A.At); !A.Writes)
      Further->setSourceAlignment(
          std::min(Further->getSourceAlign().valueOrOne(), Alignment));
  Copied.By->eraseFromParent();
  eraseLifetimes(Array);
  AllocaInst *Start = Array.Allocas.front();
  IRBuilder<> At(Start);
  Start->replaceAllUsesWith(
      At.CreateInBoundsPtrAdd(Copied.From, At.getInt64(Copied.Offset)));
  Start->eraseFromParent();
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
