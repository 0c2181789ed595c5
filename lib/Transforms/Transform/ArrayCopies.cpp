//===- ArrayCopies.cpp - copies of arrays and parameters ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayCopies.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Analysis/LocalArrays.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

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

/// Whether Parameter is passed by value, and nothing writes to its memory.
static bool isOnlyRead(const Argument &Parameter) {
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

namespace {

struct Copied {
  MemTransferInst *By = nullptr;
  Argument *From = nullptr;
  int64_t Distance = 0; ///< Bytes from the copy's place to the parameter's.
};

} // namespace

/// What fills Array, where that is one copy of a parameter to a known place, in
/// which all of its readers stay.
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
  Copy.From = dyn_cast<Argument>(
      Copy.By->getRawSource()->stripAndAccumulateConstantOffsets(
          Copy.By->getDataLayout(), Offset, /*AllowNonInbounds=*/true));
  Copy.Distance = Offset.getSExtValue() - static_cast<int64_t>(Fill->Least);
  bool IsWithin = all_of(Array.Accesses, [&](const ArrayAccess &A) {
    return A.Writes || (A.Least >= Fill->Least &&
                        A.Most + A.Bytes <= Fill->Least + Fill->Bytes);
  });
  return Copy.From && IsWithin ? std::optional(Copy) : std::nullopt;
}

Argument *copiedParameter(const LocalArray &Array) {
  std::optional<Copied> Copy = copyInto(Array);
  if (!Copy || !isOnlyRead(*Copy->From))
    return nullptr;
  // Nothing but loads and addresses, so that the code generator can see it.
  bool IsPlain = all_of(Array.Pointers,
                        [](const Value *P) {
                          return isa<AllocaInst, GetElementPtrInst>(P);
                        }) &&
                 all_of(Array.Accesses, [&](const ArrayAccess &A) {
                   return A.At == Copy->By || isa<LoadInst>(A.At);
                 });
  return IsPlain ? Copy->From : nullptr;
}

void readParameter(const LocalArray &Array, Argument &Parameter) {
  Copied Copy = *copyInto(Array);
  auto Distance = static_cast<uint64_t>(Copy.Distance);
  Align Shifted = commonAlignment(Parameter.getParamAlign().valueOrOne(),
                                  Distance & (Value::MaximumAlignment - 1));
  for (const ArrayAccess &A : Array.Accesses)
    if (auto *Load = dyn_cast<LoadInst>(A.At))
      Load->setAlignment(std::min(Load->getAlign(), Shifted));
  Copy.By->eraseFromParent();
  AllocaInst *Memory = Array.Allocas.front();
  for (User *U : make_early_inc_range(Memory->users()))
    if (cast<Instruction>(U)->isLifetimeStartOrEnd())
      cast<Instruction>(U)->eraseFromParent();
  IRBuilder<> At(Memory);
  Memory->replaceAllUsesWith(
      Distance ? At.CreatePtrAdd(&Parameter, At.getInt64(Distance))
               : &Parameter);
  Memory->eraseFromParent();
}

} // namespace regdem
