//===- ArrayChecker.cpp - whether rewritten arrays do the same ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/ArrayChecker.h"

#include "ConstantArithmetic.h"
#include "ThreadMemory.h"
#include "ValuePromise.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/TimeProfiler.h"
#include <cstddef>

using namespace llvm;

namespace regdem {

namespace {

/// Runs with different arguments and memory: as many as MostInAll allows, so
/// that short code is tried with most places that an index can have.
constexpr unsigned LeastRuns = 3, MostRuns = 96;
/// Instructions of the original in all runs: some tens of milliseconds.
constexpr unsigned MostInAll = 40000;
/// Instructions of a run of the original after which the rest is not compared.
/// Rewritten code may take more: each access becomes several instructions.
constexpr unsigned MostSteps = 12000, StepsOfOne = 40;
/// Instructions after which a run looks whether it has done all that it is to.
constexpr unsigned StepsToLook = 4096;

enum class End { Returned, Undefined, TooLong, Outside, Unsupported };

/// One run of one function, which finds what Like, a run of another, has found.
/// Pointers are 64-bit integers here.
class Execution {
public:
  Execution(Function &F, unsigned Run, unsigned Most,
            ArrayRef<AllocaInst *> Removed,
            ArrayRef<GlobalVariable *> Shared = {},
            const Execution *Like = nullptr)
      : Left(Most), F(F), Layout(F.getDataLayout()), Run(Run), Like(Like),
        Memory(Layout, Run, Removed, Shared, Like ? &Like->Memory : nullptr) {}

  End run() {
    Memory.placeKept(F.getEntryBlock());
    for (Argument &A : F.args()) {
      uint64_t Seed = mix({Run, A.getArgNo(), 1});
      ValuePromise Promise(A);
      Constant *C = randomConstant(A.getType(), Seed, /*IsArgument=*/true);
      Values[&A] = C = promised(Promise.fitted(C, Seed), Promise);
      if (auto *Address = dyn_cast_or_null<ConstantInt>(C);
          Address && (A.hasNoAliasAttr() || A.hasByValAttr()))
        Memory.keepFromOthers(*Address);
    }
    if (Result != End::Returned)
      return Result;
    BasicBlock *Block = &F.getEntryBlock(), *From = nullptr;
    while (Block) {
      if (!enter(*Block, From))
        return Result;
      From = Block;
      Block = runBlock(*Block);
    }
    return Result;
  }

  const VisibleEffects &effects() const { return Memory.Effects; }
  unsigned Left; ///< Instructions that may be run.

private:
  Function &F;
  const DataLayout &Layout;
  uint64_t Run;
  const Execution *Like; ///< Null: none.
  End Result = End::Returned;
  DenseMap<const Value *, Constant *> Values;
  /// What has been loaded with poison among its bytes. A copy keeps the others.
  DenseMap<const Value *, std::vector<Byte>> Loaded;
  ThreadMemory Memory;

  IntegerType *addressType() { return Type::getInt64Ty(F.getContext()); }
  Constant *number(uint64_t N) { return ConstantInt::get(addressType(), N); }

  std::nullptr_t stop(End Why) {
    Result = Why;
    return nullptr;
  }

  bool isInside(uint64_t Address, uint64_t Bytes) {
    switch (Memory.placeOf(Address, Bytes)) {
    case ThreadMemory::Place::Inside:
      return true;
    case ThreadMemory::Place::Outside:
      Result = End::Undefined;
      break;
    case ThreadMemory::Place::OutsideRemoved:
      Result = End::Outside;
    }
    return false;
  }

  /// The constant that V is now; null, with Result set, where there is none.
  Constant *valueOf(Value *V) {
    if (Constant *Known = Values.lookup(V))
      return Known;
    if (auto *C = dyn_cast<Constant>(V))
      return Values[V] = constant(*C);
    return stop(End::Unsupported);
  }

  Constant *constant(Constant &C) {
    if (!C.getType()->isPointerTy())
      return isa<UndefValue>(C) ? PoisonValue::get(C.getType()) : &C;
    if (isa<UndefValue>(C))
      return PoisonValue::get(addressType());
    if (C.isNullValue())
      return number(0);
    APInt Offset(64, 0);
    auto *Base = dyn_cast<GlobalValue>(C.stripAndAccumulateConstantOffsets(
        Layout, Offset, /*AllowNonInbounds=*/true));
    if (!Base)
      return stop(End::Unsupported);
    return number(Memory.startOf(*Base) + Offset.getZExtValue());
  }

  std::optional<uint64_t> addressOf(Value *V) {
    Constant *C = valueOf(V);
    if (auto *Address = dyn_cast_or_null<ConstantInt>(C))
      return Address->getZExtValue();
    stop(C && isa<PoisonValue>(C) ? End::Undefined : End::Unsupported);
    return std::nullopt;
  }

  Constant *read(uint64_t Address, Type *T) {
    Type *Plain = plainType(T);
    uint64_t Bits = Plain ? Layout.getTypeSizeInBits(Plain).getFixedValue() : 0;
    if (!Bits || Bits % 8)
      return stop(End::Unsupported);
    auto *Vector = dyn_cast<FixedVectorType>(Plain);
    if (Vector && Plain->getScalarSizeInBits() % 8 == 0) {
      SmallVector<Constant *, 4> Elements;
      for (unsigned N = 0; N != Vector->getNumElements(); ++N)
        Elements.push_back(read(Address + N * Plain->getScalarSizeInBits() / 8,
                                Vector->getElementType()));
      return ConstantVector::get(Elements);
    }
    APInt Whole(static_cast<unsigned>(Bits), 0);
    for (unsigned N = 0; N != Bits / 8; ++N) {
      Byte B = Memory.load(Address + N);
      if (B.IsPoison)
        return PoisonValue::get(Plain);
      Whole.insertBits(APInt(8, B.Is), 8 * N);
    }
    auto *C = ConstantInt::get(F.getContext(), Whole);
    return Plain->isIntegerTy() ? C
                                : ConstantFoldCastOperand(Instruction::BitCast,
                                                          C, Plain, Layout);
  }

  void write(uint64_t Address, Constant *C) {
    Memory.store(Address, bytesOf(C, Layout));
  }

  bool enter(BasicBlock &Block, BasicBlock *From) {
    SmallVector<std::pair<PHINode *, Constant *>, 8> Now;
    for (PHINode &Join : Block.phis()) {
      Constant *C = valueOf(Join.getIncomingValueForBlock(From));
      if (!C)
        return false;
      Now.emplace_back(&Join, C);
    }
    for (auto [Join, C] : Now)
      Values[Join] = C;
    return true;
  }

  /// Whether Like was stopped before its end, and this run has had the same
  /// effects.
  bool hasDoneAll() const {
    return Like && Like->Result != End::Returned &&
           compareEffects(Like->effects(), effects(), /*IsOver=*/false).empty();
  }

  BasicBlock *runBlock(BasicBlock &Block) {
    for (Instruction &I : make_range(Block.getFirstNonPHIIt(), Block.end())) {
      if (!Left || (Left % StepsToLook == 0 && hasDoneAll()))
        return stop(End::TooLong);
      --Left;
      if (I.isTerminator())
        return follow(I);
      if (I.isDebugOrPseudoInst())
        continue;
      Constant *C = compute(I);
      if (Result != End::Returned)
        return nullptr;
      if (!I.getType()->isVoidTy()) {
        if (!C)
          return stop(End::Unsupported);
        Values[&I] = C;
      }
    }
    return stop(End::Unsupported);
  }

  BasicBlock *follow(Instruction &I) {
    if (isa<ReturnInst>(I))
      return stop(End::Returned);
    if (isa<UnreachableInst>(I))
      return stop(End::Undefined);
    if (auto *Jump = dyn_cast<BranchInst>(&I); Jump && Jump->isUnconditional())
      return Jump->getSuccessor(0);
    if (!isa<BranchInst, SwitchInst>(I))
      return stop(End::Unsupported);
    Constant *C = valueOf(I.getOperand(0));
    auto *Number = dyn_cast_or_null<ConstantInt>(C);
    if (!Number)
      return stop(C && isa<UndefValue>(C) ? End::Undefined : End::Unsupported);
    if (auto *Jump = dyn_cast<BranchInst>(&I))
      return Jump->getSuccessor(Number->isZero());
    return cast<SwitchInst>(I).findCaseValue(Number)->getCaseSuccessor();
  }

  /// What I gives; null with Result set where it cannot be run, or for none.
  Constant *compute(Instruction &I) {
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      return allocate(*Variable);
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return load(*Load);
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      store(*Store);
      return nullptr;
    }
    if (auto *GEP = dyn_cast<GetElementPtrInst>(&I))
      return element(*GEP);
    if (auto *Call = dyn_cast<CallBase>(&I))
      return callOf(*Call);
    if (isa<AtomicRMWInst>(I))
      return atomic(I);
    SmallVector<Constant *, 4> In;
    for (Value *Operand : I.operands()) {
      In.push_back(valueOf(Operand));
      if (!In.back())
        return nullptr;
    }
    return arithmetic(I, In, Layout);
  }

  Constant *load(LoadInst &I) {
    std::optional<uint64_t> Address = addressOf(I.getPointerOperand());
    uint64_t Bytes = Layout.getTypeStoreSize(I.getType()).getFixedValue();
    if (!Address || !isInside(*Address, Bytes))
      return nullptr;
    if (!I.isSimple())
      Memory.noteOrdered(*Address);
    bool MayPreset = Memory.mayPreset(*Address, Bytes);
    Constant *C = read(*Address, I.getType());
    if (C && hasPoison(*C))
      Loaded[&I] = Memory.load(*Address, Bytes);
    ValuePromise Promise(I);
    if (C && MayPreset && !Promise.allows(C)) {
      C = Promise.fitted(C, mix({Run, *Address, 6}));
      if (std::optional<APInt> Bits = bitsOf(C, Layout))
        Memory.preset(*Address, *Bits);
    }
    return promised(C, Promise);
  }

  /// C, which may be null, or what it is if Promise does not hold of it.
  Constant *promised(Constant *C, const ValuePromise &Promise) {
    if (C && !Promise.allows(C))
      C = PoisonValue::get(C->getType());
    return C && Promise.isDefined() && hasPoison(*C) ? stop(End::Undefined) : C;
  }

  void store(StoreInst &I) {
    std::optional<uint64_t> Address = addressOf(I.getPointerOperand());
    Constant *C = Address ? valueOf(I.getValueOperand()) : nullptr;
    if (!C)
      return;
    uint64_t Bytes = Layout.getTypeStoreSize(C->getType()).getFixedValue();
    if (!isInside(*Address, Bytes))
      return;
    auto Copy = Loaded.find(I.getValueOperand());
    if (hasPoison(*C) && Copy != Loaded.end())
      Memory.store(*Address, Copy->second);
    else
      write(*Address, C);
    if (!I.isSimple())
      Memory.noteOrdered(*Address);
  }

  Constant *allocate(AllocaInst &Variable) {
    if (Variable.getAllocationSize(Layout))
      return number(Memory.startOf(Variable));
    return stop(End::Unsupported);
  }

  Constant *element(GetElementPtrInst &GEP) {
    std::optional<uint64_t> Address = addressOf(GEP.getPointerOperand());
    if (!Address)
      return nullptr;
    SmallVector<Value *, 4> Indices;
    for (Value *Index : GEP.indices()) {
      Constant *C = valueOf(Index);
      if (C && isa<UndefValue>(C))
        return PoisonValue::get(addressType());
      if (!isa_and_nonnull<ConstantInt>(C))
        return stop(End::Unsupported);
      Indices.push_back(C);
    }
    int64_t Offset =
        Layout.getIndexedOffsetInType(GEP.getSourceElementType(), Indices);
    return number(*Address + static_cast<uint64_t>(Offset));
  }

  Constant *transfer(MemIntrinsic &I) {
    std::optional<uint64_t> To = addressOf(I.getRawDest());
    auto *Length = dyn_cast_or_null<ConstantInt>(valueOf(I.getLength()));
    if (!To || !Length)
      return nullptr;
    uint64_t Bytes = Length->getZExtValue();
    std::vector<Byte> Copied;
    if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      std::optional<uint64_t> From = addressOf(Copy->getRawSource());
      if (!From || !isInside(*From, Bytes))
        return nullptr;
      Copied = Memory.load(*From, Bytes);
    } else {
      std::optional<APInt> Bits = bitsOf(valueOf(I.getArgOperand(1)), Layout);
      auto Is = static_cast<uint8_t>(Bits ? Bits->getZExtValue() : 0);
      Copied.assign(Bytes, {Is, !Bits});
    }
    if (!isInside(*To, Bytes))
      return nullptr;
    Memory.store(*To, Copied);
    return nullptr;
  }

  /// An atomic operation on memory of others: what it gives is up to them.
  Constant *atomic(Instruction &I) {
    std::optional<uint64_t> Address = addressOf(I.getOperand(0));
    std::optional<APInt> Bits = bitsOf(valueOf(I.getOperand(1)), Layout);
    if (!Address || !Bits || *Address >= ThreadMemory::OwnStart)
      return stop(End::Undefined);
    auto [Operation, With] =
        nameOf(cast<AtomicRMWInst>(I).getOperation(), *Bits);
    uint64_t Part = With.zextOrTrunc(64).getZExtValue();
    uint64_t What = mix({*Address, Operation});
    Memory.Effects.note(mix({What, Part}));
    return randomConstant(
        I.getType(), mix({What, Part, Memory.Effects.notes().size(), Run}));
  }

  /// Whether what Assume says is so.
  bool holds(AssumeInst &Assume) {
    Constant *Condition = valueOf(Assume.getArgOperand(0));
    bool Holds = Condition && Condition->isOneValue();
    for (unsigned N = 0; N != Assume.getNumOperandBundles(); ++N) {
      OperandBundleUse Said = Assume.getOperandBundleAt(N);
      SmallVector<Constant *, 3> Of;
      for (Value *Input : Said.Inputs)
        Of.push_back(valueOf(Input));
      Holds &= !is_contained(Of, nullptr) && isTrue(Said.getTagName(), Of);
    }
    return Holds;
  }

  Constant *callOf(CallBase &Call) {
    if (auto *Transfer = dyn_cast<MemIntrinsic>(&Call))
      return transfer(*Transfer);
    if (auto *Assume = dyn_cast<AssumeInst>(&Call))
      return holds(*Assume) ? nullptr : stop(End::Undefined);
    if (auto *Told = dyn_cast<IntrinsicInst>(&Call);
        Told && Told->isAssumeLikeIntrinsic() && Call.getType()->isVoidTy())
      return nullptr; // Said to LLVM alone, which drops it at will.
    Function *Callee = Call.getCalledFunction();
    SmallVector<Constant *, 4> In;
    SmallVector<uint64_t, 4> Addresses;
    std::vector<uint64_t> Known = {Callee ? xxh3_64bits(Callee->getName()) : 0};
    bool AreAllKnown = true;
    for (const Use &Given : Call.args()) {
      Value *Argument = Given.get();
      if (isa<MetadataAsValue>(Argument))
        continue;
      Constant *C = valueOf(Argument);
      if (!C)
        return stop(End::Unsupported);
      In.push_back(C);
      std::optional<APInt> Bits = bitsOf(C, Layout);
      AreAllKnown &=
          Bits && ValuePromise(Call, Call.getArgOperandNo(&Given)).allows(C);
      if (!Bits)
        continue;
      uint64_t Part = Bits->zextOrTrunc(64).getZExtValue();
      if (Argument->getType()->isPointerTy())
        Addresses.push_back(Part);
      // Where the thread's own variables are says nothing.
      Known.push_back(Argument->getType()->isPointerTy() &&
                              Part >= ThreadMemory::OwnStart
                          ? ThreadMemory::OwnStart
                          : Part);
    }
    Intrinsic::ID ID = Call.getIntrinsicID();
    ValuePromise Promise(Call);
    if (std::optional<uint64_t> Known = Memory.Thread.specialRegister(ID))
      return promised(ConstantInt::get(Call.getType(), *Known), Promise);
    if (ID == Intrinsic::fabs)
      return promised(absolute(In[0], Layout), Promise);
    if (Constant *C = Callee ? resultOf(Call, *Callee, In) : nullptr)
      return promised(C, Promise);
    if (!AreAllKnown) // What becomes of poison is anybody's guess.
      return stop(End::Undefined);
    uint64_t Seed = mix(Known);
    // What nobody sees may be done once for two, or not at all.
    if (!Call.doesNotAccessMemory() && !Call.mayHaveSideEffects()) {
      std::optional<uint64_t> Found =
          Memory.seen(Addresses, /*OfAll=*/!Call.onlyAccessesArgMemory());
      if (!Found)
        return stop(End::Undefined);
      Seed = mix({Seed, *Found});
    } else if (!Call.doesNotAccessMemory()) {
      Memory.Effects.note(Seed);
      if (!Call.onlyAccessesInaccessibleMemory())
        Memory.noteWriter();
      Seed = mix({Seed, Memory.Effects.notes().size()});
      for (Constant *C : In)
        if (auto *Address = dyn_cast<ConstantInt>(C);
            Address && Address->getBitWidth() == 64)
          Memory.scramble(Address->getZExtValue(), Seed);
    }
    if (Call.getType()->isVoidTy())
      return nullptr;
    if (Value *Same = Call.getReturnedArgOperand())
      return valueOf(Same);
    Seed = mix({Seed, Run});
    return promised(Promise.fitted(randomConstant(Call.getType(), Seed), Seed),
                    Promise);
  }
};

} // namespace

Error checkArrays(Function &Before, Function &After,
                  ArrayRef<AllocaInst *> Removed,
                  ArrayRef<GlobalVariable *> Shared) {
  TimeTraceScope Scope("RegDem check arrays", Before.getName());
  unsigned InAll = 0;
  for (unsigned Run = 0;
       Run < LeastRuns || (Run < MostRuns && InAll < MostInAll); ++Run) {
    Execution Old(Before, Run, MostSteps, Removed);
    End OldEnd = Old.run();
    InAll += MostSteps - Old.Left;
    if (OldEnd == End::Outside)
      return createStringError("an access to an array that was to be removed "
                               "is outside of it");
    if (OldEnd == End::Unsupported)
      return createStringError(std::errc::not_supported,
                               "code with arrays cannot be checked");
    Execution New(After, Run, MostSteps * StepsOfOne, {}, Shared, &Old);
    End NewEnd = New.run();
    if (NewEnd == End::Outside)
      return createStringError("code without arrays leaves its part of shared "
                               "memory");
    bool IsOver = OldEnd == End::Returned;
    if (NewEnd == End::Unsupported || (IsOver && NewEnd != End::Returned))
      return createStringError("code without arrays does not end as it did");
    if (StringRef What = compareEffects(Old.effects(), New.effects(), IsOver);
        !What.empty())
      return createStringError("code without arrays stores other " + What);
  }
  return Error::success();
}

} // namespace regdem
