//===- LargeCopies.cpp - large copies made in words -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/LargeCopies.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regdem {

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
