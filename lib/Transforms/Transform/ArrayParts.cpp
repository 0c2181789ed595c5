//===- ArrayParts.cpp - arrays taken apart --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayParts.h"

#include "ArrayReach.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Alignment.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

static bool isAtOnce(const ArrayAccess &A) { return isa<MemIntrinsic>(A.At); }

/// Whether each access of Array has a known part of it, and copies and fills
/// can be made part by part.
static bool canBeParted(const LocalArray &Array) {
  if (Array.Obstacle != ArrayObstacle::None || Array.Allocas.size() != 1 ||
      !Array.isInBounds())
    return false;
  SmallPtrSet<const Instruction *, 8> Copies;
  for (const ArrayAccess &A : Array.Accesses)
    if (isAtOnce(A) && (A.Least != A.Most || !Copies.insert(A.At).second))
      return false; // From one place in it to another.
  return all_of(Array.Pointers, [](const Value *P) {
    return isa<AllocaInst, GetElementPtrInst, CastInst>(P);
  });
}

namespace {

/// A part, and whether all loads and stores in it have known places.
struct Stretch : ArrayPart {
  bool IsKnown = true;
};

} // namespace

/// Where loads and stores are, joined where they overlap, or are next to each
/// other at known places.
static std::vector<Stretch> accessedParts(const LocalArray &Array) {
  std::vector<Stretch> All, Joined;
  for (const ArrayAccess &A : Array.Accesses)
    if (!isAtOnce(A))
      All.push_back({{A.Least, A.Most + A.Bytes}, A.Least == A.Most});
  sort(All, [](const Stretch &A, const Stretch &B) {
    return std::tuple(A.Start, A.End, A.IsKnown) <
           std::tuple(B.Start, B.End, B.IsKnown);
  });
  for (const Stretch &S : All) {
    bool AreOne =
        !Joined.empty() &&
        (S.Start < Joined.back().End ||
         (S.Start == Joined.back().End && S.IsKnown && Joined.back().IsKnown));
    if (!AreOne) {
      Joined.push_back(S);
      continue;
    }
    Joined.back().End = std::max(Joined.back().End, S.End);
    Joined.back().IsKnown &= S.IsKnown;
  }
  return Joined;
}

SmallVector<ArrayPart, 4> partsOf(const LocalArray &Array) {
  if (!canBeParted(Array))
    return {};
  SmallVector<ArrayPart, 4> Parts;
  uint64_t End = 0;
  // What is copied from it is needed, whoever reads it there.
  auto IsNeeded = [&](uint64_t From, uint64_t To) {
    return any_of(Array.Accesses, [&](const ArrayAccess &A) {
      return isAtOnce(A) && !A.Writes && A.Least < To &&
             A.Least + A.Bytes > From;
    });
  };
  auto FillGap = [&](uint64_t To) {
    if (End < To && IsNeeded(End, To))
      Parts.push_back({End, To});
    End = std::max(End, To);
  };
  for (const Stretch &S : accessedParts(Array)) {
    FillGap(S.Start);
    Parts.push_back(S);
    End = S.End;
  }
  bool HasAccesses = !Parts.empty();
  FillGap(Array.Bytes);
  bool IsOne =
      Parts.size() == 1 && Parts[0].Start == 0 && Parts[0].End == Array.Bytes;
  return HasAccesses && !IsOne ? Parts : SmallVector<ArrayPart, 4>();
}

namespace {

class Parting {
public:
  Parting(const LocalArray &Array, ArrayRef<ArrayPart> Parts)
      : Array(Array), Parts(Parts), Whole(*Array.Allocas.front()) {}

  SmallVector<AllocaInst *, 4> run() {
    makeVariables();
    for (const ArrayAccess &A : Array.Accesses)
      if (auto *AtOnce = dyn_cast<MemIntrinsic>(A.At))
        part(*AtOnce, A);
      else
        redirect(A);
    removeWhole();
    return std::move(Variables);
  }

private:
  const LocalArray &Array;
  ArrayRef<ArrayPart> Parts;
  AllocaInst &Whole;
  SmallVector<AllocaInst *, 4> Variables;
  /// What stands for a pointer into the whole, of each part.
  SmallVector<DenseMap<Value *, Value *>, 4> Pointers;
  SmallVector<Instruction *, 16> Gone;

  /// Where a part's variable starts in the whole: ahead of the part where what
  /// is known of alignments needs that.
  uint64_t startOf(size_t N) const {
    return alignDown(Parts[N].Start, Whole.getAlign().value());
  }

  void makeVariables() {
    IRBuilder<> At(&Whole);
    for (size_t N = 0; N != Parts.size(); ++N) {
      AllocaInst *Variable = At.CreateAlloca(
          ArrayType::get(At.getInt8Ty(), Parts[N].End - startOf(N)),
          Whole.getAddressSpace());
      Variable->setAlignment(Whole.getAlign());
      Variable->setName(Whole.getName());
      Variables.push_back(Variable);
      Pointers.emplace_back();
      Pointers[N][&Whole] =
          startOf(N)
              ? At.CreatePtrAdd(Variable,
                                At.getInt64(-static_cast<int64_t>(startOf(N))))
              : static_cast<Value *>(Variable);
    }
  }

  /// The same as Pointer, for accesses to the N-th part.
  Value *inPart(size_t N, Value *Pointer) {
    if (Value *Known = Pointers[N].lookup(Pointer))
      return Known;
    auto *I = cast<Instruction>(Pointer);
    Value *From = inPart(N, I->getOperand(0));
    Instruction *Same = I->clone();
    Same->setOperand(0, From);
    // On its way it may be outside of the part.
    if (auto *Element = dyn_cast<GetElementPtrInst>(Same))
      Element->setNoWrapFlags(GEPNoWrapFlags::none());
    Same->insertBefore(I->getIterator());
    return Pointers[N][Pointer] = Same;
  }

  void redirect(const ArrayAccess &A) {
    size_t N = 0;
    while (Parts[N].End <= A.Least)
      ++N;
    Value *There = inPart(N, A.Pointer);
    if (auto *Store = dyn_cast<StoreInst>(A.At))
      Store->setOperand(StoreInst::getPointerOperandIndex(), There);
    else
      A.At->setOperand(LoadInst::getPointerOperandIndex(), There);
  }

  void part(MemIntrinsic &I, const ArrayAccess &A) {
    IRBuilder<> At(&I);
    for (size_t N = 0; N != Parts.size(); ++N) {
      uint64_t From = std::max(Parts[N].Start, A.Least);
      uint64_t To = std::min(Parts[N].End, A.Least + A.Bytes);
      if (From >= To)
        continue;
      Align Mine = commonAlignment(Whole.getAlign(), From);
      Value *Here = At.CreateConstInBoundsGEP1_64(At.getInt8Ty(), Variables[N],
                                                  From - startOf(N));
      if (auto *Fill = dyn_cast<MemSetInst>(&I)) {
        At.CreateMemSet(Here, Fill->getValue(), To - From, Mine);
        continue;
      }
      auto &Copy = cast<MemTransferInst>(I);
      Value *Other = A.Writes ? Copy.getRawSource() : Copy.getRawDest();
      MaybeAlign Known = A.Writes ? Copy.getSourceAlign() : Copy.getDestAlign();
      Align Its = commonAlignment(Known.valueOrOne(), From - A.Least);
      Value *There =
          At.CreateConstInBoundsGEP1_64(At.getInt8Ty(), Other, From - A.Least);
      if (A.Writes)
        At.CreateMemCpy(Here, Mine, There, Its, To - From);
      else
        At.CreateMemCpy(There, Its, Here, Mine, To - From);
    }
    Gone.push_back(&I);
  }

  void removeWhole() {
    eraseLifetimes(Array);
    for (Instruction *I : Gone)
      I->eraseFromParent();
    // Each is computed from those before it.
    for (Value *Pointer : reverse(Array.Pointers)) {
      auto *I = cast<Instruction>(Pointer);
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
      I->eraseFromParent();
    }
  }
};

} // namespace

SmallVector<AllocaInst *, 4> takeApart(const LocalArray &Array,
                                       ArrayRef<ArrayPart> Parts) {
  return Parting(Array, Parts).run();
}

} // namespace regdem
