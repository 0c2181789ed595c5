//===- ArrayLowering.cpp - arrays become registers, or shared -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayLowering.h"

#include "ArrayReach.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace regdem {

namespace {

/// Elements of an array, each a register or two: the hardware has 255 of them.
constexpr uint64_t MostElements = 256;

/// LLVM's number of shared memory.
constexpr unsigned SharedSpace = 3;
/// Threads of a block that are worth it; the checker has eight.
constexpr unsigned FewestThreads = 32;

/// What a load or a store moves; null for other accesses.
Type *movedType(const ArrayAccess &A) {
  return isa<LoadInst, StoreInst>(A.At) ? getLoadStoreType(A.At) : nullptr;
}

/// Whether a value of type T is all of the Bytes that it takes in memory.
bool isWhole(Type &T, uint64_t Bytes, const DataLayout &Layout) {
  return T.isSingleValueType() && !T.isTargetExtTy() &&
         !(T.isVectorTy() && T.getScalarType()->isPointerTy()) &&
         Layout.getTypeSizeInBits(&T) == TypeSize::getFixed(8 * Bytes);
}

/// Replaces the accesses to an array by registers or shared memory.
class ArrayLowering {
public:
  explicit ArrayLowering(const LocalArray &Array)
      : Array(Array), F(*Array.Allocas.front()->getFunction()),
        Layout(F.getDataLayout()), Unit(unitOf(Array)), Element(elementType()) {
  }

  void toRegisters(DominatorTree &Dominators, AssumptionCache &Assumptions) {
    makeElements();
    rewriteAll();
    PromoteMemToReg(Elements, Dominators, &Assumptions);
  }

  GlobalVariable *toShared(unsigned Threads, StringRef Name) {
    GlobalVariable *Variable = makeVariable(Threads, Name);
    rewriteAll();
    return Variable;
  }

private:
  const LocalArray &Array;
  Function &F;
  const DataLayout &Layout;
  uint64_t Unit;
  Type *Element;
  SmallVector<AllocaInst *, 32> Elements; ///< Which become registers.
  Value *Mine = nullptr;                  ///< The thread's first one in shared
  ArrayType *Row = nullptr;               ///< memory, and one of each thread.
  DenseMap<Value *, Value *> Places;      ///< Of pointers, in units.
  SmallVector<PHINode *, 4> Joins;
  SmallPtrSet<Instruction *, 16> Done;

  void rewriteAll() {
    for (Value *Pointer : Array.Pointers)
      placeOf(Pointer);
    for (PHINode *Open : Joins)
      for (auto [Pointer, From] : zip(Open->incoming_values(), Open->blocks()))
        cast<PHINode>(Places[Open])->addIncoming(placeOf(Pointer), From);
    for (const ArrayAccess &A : Array.Accesses)
      if (!Done.contains(A.At))
        rewrite(A);
    removeMemory();
  }

  /// The type of all accesses, if they have one, else an integer.
  Type *elementType() {
    Type *Same = nullptr;
    for (const ArrayAccess &A : Array.Accesses)
      if (Type *Moved = movedType(A)) {
        if (A.Bytes != Unit || (Same && Same != Moved))
          return Type::getIntNTy(F.getContext(), 8 * Unit);
        Same = Moved;
      }
    return Same ? Same : Type::getIntNTy(F.getContext(), 8 * Unit);
  }

  void makeElements() {
    IRBuilder<> At(&*F.getEntryBlock().getFirstInsertionPt());
    for (uint64_t N = 0; N != Array.Bytes / Unit; ++N)
      Elements.push_back(At.CreateAlloca(Element));
  }

  /// Of each element one for each thread, side by side: threads never meet in a
  /// bank, wherever their indices are.
  GlobalVariable *makeVariable(unsigned Threads, StringRef Name) {
    Row = ArrayType::get(Element, Threads);
    auto *Whole = ArrayType::get(Row, Array.Bytes / Unit);
    auto *Variable = new GlobalVariable(
        *F.getParent(), Whole, /*isConstant=*/false,
        GlobalValue::InternalLinkage, PoisonValue::get(Whole), Name,
        /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal, SharedSpace);
    Variable->setAlignment(Align(Unit));
    IRBuilder<> At(&*F.getEntryBlock().getFirstInsertionPt());
    auto Read = [&](Intrinsic::ID ID) {
      return At.CreateIntrinsic(ID, ArrayRef<Type *>(), ArrayRef<Value *>());
    };
    Value *Thread = At.CreateAdd(
        Read(Intrinsic::nvvm_read_ptx_sreg_tid_x),
        At.CreateMul(
            Read(Intrinsic::nvvm_read_ptx_sreg_ntid_x),
            At.CreateAdd(
                Read(Intrinsic::nvvm_read_ptx_sreg_tid_y),
                At.CreateMul(Read(Intrinsic::nvvm_read_ptx_sreg_ntid_y),
                             Read(Intrinsic::nvvm_read_ptx_sreg_tid_z)))));
    Mine = At.CreateInBoundsGEP(Element, Variable, Thread);
    return Variable;
  }

  Value *inShared(IRBuilder<> &At, Value *Place, uint64_t Piece) {
    return At.CreateInBoundsGEP(Row, Mine, At.CreateAdd(Place, number(Piece)));
  }

  Value *number(uint64_t N) {
    return ConstantInt::get(Type::getInt32Ty(F.getContext()), N);
  }

  Value *placeOf(Value *Pointer) {
    if (Value *Known = Places.lookup(Pointer))
      return Known;
    Value *Place = makePlace(*cast<Instruction>(Pointer));
    Places[Pointer] = Place;
    return Place;
  }

  Value *makePlace(Instruction &Pointer) {
    if (auto *Part = dyn_cast<AllocaInst>(&Pointer)) {
      auto Number = find(Array.Allocas, Part) - Array.Allocas.begin();
      return number(Array.offsetOf(static_cast<unsigned>(Number)) / Unit);
    }
    IRBuilder<> At(&Pointer);
    if (auto *Join = dyn_cast<PHINode>(&Pointer)) {
      Joins.push_back(Join);
      return At.CreatePHI(At.getInt32Ty(), Join->getNumIncomingValues());
    }
    if (auto *Choice = dyn_cast<SelectInst>(&Pointer))
      return At.CreateSelect(Choice->getCondition(),
                             placeOf(Choice->getTrueValue()),
                             placeOf(Choice->getFalseValue()));
    auto *GEP = dyn_cast<GEPOperator>(&Pointer);
    if (!GEP)
      return placeOf(Pointer.getOperand(0)); // A cast.
    SmallMapVector<Value *, APInt, 4> Parts;
    APInt Constant(64, 0);
    [[maybe_unused]] bool IsKnown =
        GEP->collectOffset(Layout, 64, Parts, Constant);
    assert(IsKnown && "unitOf() has seen it");
    auto Units = [&](const APInt &Bytes) {
      return At.getInt32(static_cast<uint32_t>(Bytes.getSExtValue() /
                                               static_cast<int64_t>(Unit)));
    };
    Value *Sum =
        At.CreateAdd(placeOf(GEP->getPointerOperand()), Units(Constant));
    for (auto &[Index, Scale] : Parts)
      Sum = At.CreateAdd(
          Sum, At.CreateMul(At.CreateSExtOrTrunc(Index, At.getInt32Ty()),
                            Units(Scale)));
    return Sum;
  }

  /// One of the Choices from Low to Low + 2^Bits, as far as there are so many,
  /// by the low Bits of an index, which Tests are of.
  Value *select(IRBuilder<> &At, ArrayRef<AllocaInst *> Choices, uint64_t Low,
                unsigned Bits, ArrayRef<Value *> Tests) {
    if (!Bits)
      return At.CreateLoad(Choices[Low]->getAllocatedType(), Choices[Low]);
    uint64_t Half = Low + (uint64_t(1) << (Bits - 1));
    Value *Lower = select(At, Choices, Low, Bits - 1, Tests);
    if (Half >= Choices.size())
      return Lower;
    Value *Upper = select(At, Choices, Half, Bits - 1, Tests);
    return At.CreateSelect(Tests[Bits - 1], Upper, Lower);
  }

  /// What stands in that one of Elements, from R.First + Piece on in steps, of
  /// which R has Place.
  Value *choose(IRBuilder<> &At, Value *Place, const Reach &R, uint64_t Piece) {
    Value *Index = At.CreateSub(Place, number(R.First));
    if (R.Step > 1)
      Index = At.CreateExactUDiv(Index, number(R.Step));
    unsigned Bits = Log2_64_Ceil(R.count());
    SmallVector<Value *, 8> Tests;
    for (unsigned Bit = 0; Bit != Bits; ++Bit)
      Tests.push_back(At.CreateICmpNE(
          At.CreateAnd(Index, number(uint64_t(1) << Bit)), number(0)));
    SmallVector<AllocaInst *, 32> Choices;
    for (uint64_t N = R.First; N <= R.Last; N += R.Step)
      Choices.push_back(Elements[N + Piece]);
    return select(At, Choices, 0, Bits, Tests);
  }

  /// The element at Place + Piece, of which R has Place.
  Value *read(IRBuilder<> &At, Value *Place, const Reach &R, uint64_t Piece) {
    if (Mine)
      return At.CreateAlignedLoad(Element, inShared(At, Place, Piece),
                                  Align(Unit));
    if (auto *Known = dyn_cast<ConstantInt>(Place))
      return At.CreateLoad(Element, Elements[Known->getZExtValue() + Piece]);
    return choose(At, Place, R, Piece);
  }

  void write(IRBuilder<> &At, Value *Place, const Reach &R, uint64_t Piece,
             Value *V) {
    if (Mine) {
      At.CreateAlignedStore(V, inShared(At, Place, Piece), Align(Unit));
      return;
    }
    if (auto *Known = dyn_cast<ConstantInt>(Place)) {
      At.CreateStore(V, Elements[Known->getZExtValue() + Piece]);
      return;
    }
    for (uint64_t N = R.First; N <= R.Last; N += R.Step) {
      AllocaInst *To = Elements[N + Piece];
      Value *Is = At.CreateICmpEQ(Place, number(N));
      At.CreateStore(At.CreateSelect(Is, V, At.CreateLoad(Element, To)), To);
    }
  }

  /// What takes Count elements, as a vector of them; two bytes are an integer,
  /// as LLVM 22 selects no instruction for a half as <2 x i8>.
  Type *piecesType(uint64_t Count) {
    if (Unit == 1 && Count == 2)
      return Type::getInt16Ty(F.getContext());
    return FixedVectorType::get(Element, static_cast<unsigned>(Count));
  }

  Value *takePiece(IRBuilder<> &At, Value *Pieces, uint64_t N) {
    if (Pieces->getType()->isVectorTy())
      return At.CreateExtractElement(Pieces, N);
    return At.CreateTrunc(At.CreateLShr(Pieces, 8 * N), Element);
  }

  Value *putPiece(IRBuilder<> &At, Value *Pieces, Value *Piece, uint64_t N) {
    if (Pieces->getType()->isVectorTy())
      return At.CreateInsertElement(Pieces, Piece, N);
    Value *In = At.CreateShl(At.CreateZExt(Piece, Pieces->getType()), 8 * N);
    return N ? At.CreateOr(Pieces, In) : In;
  }

  void rewrite(const ArrayAccess &A) {
    Done.insert(A.At);
    IRBuilder<> At(A.At);
    if (auto *Transfer = dyn_cast<MemIntrinsic>(A.At))
      return rewriteAtOnce(*Transfer, At);
    Reach R = reachOf(Array, A, Unit);
    Value *Place = placeOf(A.Pointer);
    uint64_t Count = A.Bytes / Unit;
    if (auto *Store = dyn_cast<StoreInst>(A.At)) {
      Value *V = Store->getValueOperand();
      if (Count == 1)
        return write(At, Place, R, 0, At.CreateBitOrPointerCast(V, Element));
      Value *Pieces = At.CreateBitOrPointerCast(V, piecesType(Count));
      for (uint64_t N = 0; N != Count; ++N)
        write(At, Place, R, N, takePiece(At, Pieces, N));
      return;
    }
    Value *Result = Count == 1 ? read(At, Place, R, 0)
                               : PoisonValue::get(piecesType(Count));
    for (uint64_t N = 0; Count > 1 && N != Count; ++N)
      Result = putPiece(At, Result, read(At, Place, R, N), N);
    A.At->replaceAllUsesWith(
        At.CreateBitOrPointerCast(Result, A.At->getType()));
  }

  /// Rewrites a copy or a fill, of which an end or both may be in the array.
  void rewriteAtOnce(MemIntrinsic &I, IRBuilder<> &At) {
    uint64_t Count = cast<ConstantInt>(I.getLength())->getZExtValue() / Unit;
    // Known, but perhaps not to LLVM yet, so that placeOf() is no constant.
    auto EndAt = [&](const Value *Pointer) -> const ArrayAccess * {
      for (const ArrayAccess &A : Array.Accesses)
        if (A.At == &I && A.Pointer == Pointer)
          return &A;
      return nullptr;
    };
    SmallVector<Value *, 32> Values;
    if (auto *Fill = dyn_cast<MemSetInst>(&I)) {
      unsigned Bits = static_cast<unsigned>(8 * Unit);
      Value *Whole = At.CreateMul(
          At.CreateZExt(Fill->getValue(), At.getIntNTy(Bits)),
          ConstantInt::get(F.getContext(), APInt::getSplat(Bits, APInt(8, 1))));
      Values.assign(Count, At.CreateBitOrPointerCast(Whole, Element));
    } else {
      auto &Copy = cast<MemTransferInst>(I);
      const ArrayAccess *From = EndAt(Copy.getRawSource());
      for (uint64_t N = 0; N != Count; ++N)
        Values.push_back(
            From ? read(At, placeOf(From->Pointer), reachOf(Array, *From, Unit),
                        N)
                 : At.CreateAlignedLoad(
                       Element,
                       At.CreateConstInBoundsGEP1_64(
                           At.getInt8Ty(), Copy.getRawSource(), N * Unit),
                       commonAlignment(Copy.getSourceAlign().valueOrOne(),
                                       N * Unit)));
    }
    const ArrayAccess *To = EndAt(I.getRawDest());
    for (uint64_t N = 0; N != Count; ++N)
      if (To)
        write(At, placeOf(To->Pointer), reachOf(Array, *To, Unit), N,
              Values[N]);
      else
        At.CreateAlignedStore(
            Values[N],
            At.CreateConstInBoundsGEP1_64(At.getInt8Ty(), I.getRawDest(),
                                          N * Unit),
            commonAlignment(I.getDestAlign().valueOrOne(), N * Unit));
  }

  void removeMemory() {
    for (Instruction *I : Done)
      I->dropAllReferences();
    for (Instruction *I : Done)
      I->eraseFromParent();
    eraseLifetimes(Array);
    for (Value *Pointer : Array.Pointers) {
      Pointer->replaceAllUsesWith(PoisonValue::get(Pointer->getType()));
      cast<Instruction>(Pointer)->eraseFromParent();
    }
  }
};

} // namespace

ScalarObstacle findScalarObstacle(const LocalArray &Array) {
  if (Array.Obstacle != ArrayObstacle::None)
    return ScalarObstacle::InMemory;
  if (!Array.isInBounds())
    return ScalarObstacle::OutOfBounds;
  uint64_t Unit = unitOf(Array), Selects = 0;
  const DataLayout &Layout = Array.Allocas.front()->getDataLayout();
  bool IsLarge = false;
  for (const ArrayAccess &A : Array.Accesses) {
    Type *Moved = movedType(A);
    bool IsKnown = isKnownPlace(A);
    // A whole object that is copied at once stands at a known place.
    if (Moved ? !isWhole(*Moved, A.Bytes, Layout) : !IsKnown)
      return ScalarObstacle::Elements;
    if (Moved && Moved->isPointerTy() && A.Bytes != Unit)
      return ScalarObstacle::Elements;
    if (IsKnown)
      continue;
    uint64_t Choices = reachOf(Array, A, Unit).count();
    Selects += Choices * (A.Bytes / Unit);
    IsLarge |= Choices > Tuned.MostSelected;
  }
  return IsLarge || Array.Bytes / Unit > MostElements ||
                 Selects > Tuned.MostSelects
             ? ScalarObstacle::TooLarge
             : ScalarObstacle::None;
}

void lowerToRegisters(const LocalArray &Array, DominatorTree &Dominators,
                      AssumptionCache &Assumptions) {
  ArrayLowering(Array).toRegisters(Dominators, Assumptions);
}

bool isBetterShared(const LocalArray &Array, const SharedRoom &Room) {
  auto IsGathered = [](const ArrayAccess &A) {
    return A.Index == IndexKind::Data && !A.IsUniform;
  };
  if (Room.Threads < FewestThreads || none_of(Array.Accesses, IsGathered) ||
      Array.Bytes * Room.Threads > Room.Bytes)
    return false;
  ScalarObstacle Why = findScalarObstacle(Array);
  if (Why != ScalarObstacle::None)
    return Why == ScalarObstacle::TooLarge;
  constexpr uint64_t WordBytes = 4;
  uint64_t Unit = unitOf(Array);
  return any_of(Array.Accesses, [&](const ArrayAccess &A) {
    // To write one is to compare and select for each.
    uint64_t Selects = reachOf(Array, A, Unit).count() *
                       divideCeil(Unit, WordBytes) * (A.Writes ? 2 : 1);
    return IsGathered(A) && Selects >= Room.LeastSelects;
  });
}

GlobalVariable *lowerToShared(const LocalArray &Array, SharedRoom &Room,
                              StringRef Name) {
  Room.Bytes -= Array.Bytes * Room.Threads;
  return ArrayLowering(Array).toShared(Room.Threads, Name);
}

} // namespace regdem
