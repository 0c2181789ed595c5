//===- AddressChains.cpp - addresses from the ones before them ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/AddressChains.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"
#include <algorithm>

using namespace llvm;

#define DEBUG_TYPE "regdem-chain-addresses"

STATISTIC(NumChained, "Number of accesses that start from another's address");

namespace regdem {

namespace {

constexpr unsigned GlobalMemory = 1; ///< The address space.

/// Earlier addresses that a new one may start from.
constexpr size_t MostRemembered = 64;

/// Terms that an address must have to be worth a start from another: with one,
/// base and factor * value, it is a single instruction as it is.
constexpr unsigned LeastTerms = 2;

/// A register that accesses add constants to.
struct Anchor {
  const SCEV *Is;
  Value *Address;
};

/// Where an address starts from, and what is added to that: Offset and, if it
/// is not null, Term.
struct Start {
  size_t From; ///< Index of an anchor.
  int64_t Offset;
  const SCEV *Term;
};

/// Whether an access may add Bytes to a register on every target.
bool isSmall(int64_t Bytes) { return isInt<24>(Bytes); }

/// The operand of I that is an address in global memory; null if none is.
Use *globalAddress(Instruction &I) {
  if (!isa<LoadInst, StoreInst>(I) ||
      getLoadStoreAddressSpace(&I) != GlobalMemory)
    return nullptr;
  return &I.getOperandUse(isa<LoadInst>(I)
                              ? LoadInst::getPointerOperandIndex()
                              : StoreInst::getPointerOperandIndex());
}

/// Addresses as sums, which ScalarEvolution computes with. It does not look
/// through extensions of 32-bit sums that may overflow, for it would need to
/// know that they do not; here an access that overflows has no address, and no
/// meaning, so that flags suffice.
class Sums {
public:
  explicit Sums(Function &F)
      : Layout(F.getDataLayout()), Library(F.getParent()->getTargetTriple()),
        Info(Library, &F), Assumptions(F), Dominators(F), Loops(Dominators),
        SE(F, Info, Assumptions, Dominators, Loops) {}

  ScalarEvolution &evolution() { return SE; }

  const SCEV *of(Value *Pointer) {
    if (const SCEV *S = Addresses.lookup(Pointer))
      return S;
    const SCEV *Sum = SE.getUnknown(Pointer);
    auto *GEP = dyn_cast<GEPOperator>(Pointer);
    SmallMapVector<Value *, APInt, 4> Indices;
    APInt Constant(AddressBits, 0);
    if (GEP && GEP->collectOffset(Layout, AddressBits, Indices, Constant)) {
      Sum = plus(of(GEP->getPointerOperand()), number(Constant));
      for (auto &[Index, Scale] : Indices)
        Sum = plus(Sum, times(extended(Index, Instruction::SExt, Deepest),
                              number(Scale)));
    }
    return Addresses[Pointer] = Sum;
  }

private:
  static constexpr unsigned AddressBits = 64;
  /// Expressions that are looked into, one within the other.
  static constexpr unsigned Deepest = 16;

  const DataLayout &Layout;
  TargetLibraryInfoImpl Library;
  TargetLibraryInfo Info;
  AssumptionCache Assumptions;
  DominatorTree Dominators;
  LoopInfo Loops;
  ScalarEvolution SE;
  DenseMap<Value *, const SCEV *> Addresses;

  const SCEV *number(const APInt &N) { return SE.getConstant(N); }
  const SCEV *plus(const SCEV *A, const SCEV *B) { return SE.getAddExpr(A, B); }
  const SCEV *times(const SCEV *A, const SCEV *B) {
    return SE.getMulExpr(A, B);
  }

  /// V, extended By SExt or ZExt, as a sum of what is extended.
  const SCEV *extended(Value *V, unsigned By, unsigned Depth) {
    bool IsSigned = By == Instruction::SExt;
    Type *Wide = Type::getIntNTy(V->getContext(), AddressBits);
    const SCEV *Whole = isa<ConstantInt>(V) ? SE.getSCEV(V) : SE.getUnknown(V);
    Whole = IsSigned ? SE.getTruncateOrSignExtend(Whole, Wide)
                     : SE.getTruncateOrZeroExtend(Whole, Wide);
    auto *I = dyn_cast<Operator>(V);
    if (!I || !Depth)
      return Whole;
    auto Operand = [&](unsigned N) {
      return extended(I->getOperand(N), By, Depth - 1);
    };
    bool IsWide = V->getType() == Wide;
    if (isa<SExtInst, ZExtInst>(V)) {
      auto *Cast = dyn_cast<PossiblyNonNegInst>(V);
      bool CastsSign = !Cast || Cast->hasNonNeg();
      return IsWide
                 ? extended(I->getOperand(0),
                            CastsSign ? Instruction::SExt : Instruction::ZExt,
                            Depth - 1)
                 : Whole;
    }
    // Operands without a common bit never carry, not even into the sign.
    auto *Or = dyn_cast<PossiblyDisjointInst>(V);
    if (Or && Or->isDisjoint())
      return plus(Operand(0), Operand(1));
    auto *Op = dyn_cast<OverflowingBinaryOperator>(V);
    if (!Op || !(IsWide ||
                 (IsSigned ? Op->hasNoSignedWrap() : Op->hasNoUnsignedWrap())))
      return Whole;
    auto *Factor = dyn_cast<ConstantInt>(I->getOperand(1));
    switch (I->getOpcode()) {
    case Instruction::Add:
      return plus(Operand(0), Operand(1));
    case Instruction::Sub:
      return SE.getMinusSCEV(Operand(0), Operand(1));
    case Instruction::Mul:
      return Factor ? times(Operand(0), Operand(1)) : Whole;
    case Instruction::Shl: {
      // Shifted into the sign, 1 is no power of two any more.
      uint64_t Bits = V->getType()->getScalarSizeInBits();
      return Factor && Factor->getValue().ult(Bits - 1)
                 ? times(Operand(0), number(APInt::getOneBitSet(
                                         AddressBits, Factor->getZExtValue())))
                 : Whole;
    }
    default:
      return Whole;
    }
  }
};

/// Summands of S but for a constant.
unsigned countTerms(const SCEV *S) {
  const auto *Sum = dyn_cast<SCEVAddExpr>(S);
  if (!Sum)
    return !isa<SCEVConstant>(S);
  return static_cast<unsigned>(Sum->getNumOperands()) -
         isa<SCEVConstant>(Sum->getOperand(0));
}

/// A term is constant * extension(value) of a value in the code.
struct Term {
  APInt Factor = APInt(64, 1);
  unsigned Cast = 0; ///< SExt, ZExt or none.
  Value *Of = nullptr;
};

std::optional<Term> asTerm(const SCEV *S) {
  Term T;
  if (const auto *Product = dyn_cast<SCEVMulExpr>(S)) {
    const auto *Factor = dyn_cast<SCEVConstant>(Product->getOperand(0));
    if (!Factor || Product->getNumOperands() != 2)
      return std::nullopt;
    T.Factor = Factor->getAPInt();
    S = Product->getOperand(1);
  }
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S)) {
    T.Cast = isa<SCEVSignExtendExpr>(S) ? Instruction::SExt : Instruction::ZExt;
    S = cast<SCEVCastExpr>(S)->getOperand();
  }
  const auto *Unknown = dyn_cast<SCEVUnknown>(S);
  if (!Unknown || Unknown->getType()->isPointerTy())
    return std::nullopt;
  T.Of = Unknown->getValue();
  return T;
}

class Chains {
public:
  Chains(Function &F, bool MayChange)
      : F(F), Forms(F), SE(Forms.evolution()), MayChange(MayChange) {}

  /// The number of accesses that get another address.
  unsigned run() {
    unsigned Changed = 0;
    for (BasicBlock &Block : F) {
      Anchors.clear();
      Steps.clear();
      for (Instruction &I : Block)
        Changed += visit(I);
    }
    for (WeakTrackingVH &Old : Replaced)
      if (Old)
        RecursivelyDeleteTriviallyDeadInstructions(Old);
    return Changed;
  }

private:
  Function &F;
  Sums Forms;
  ScalarEvolution &SE;
  bool MayChange;
  SmallVector<Anchor, MostRemembered> Anchors; ///< The last used comes last.
  DenseMap<const SCEV *, Value *> Steps;       ///< Terms that the block has.
  /// Addresses that are not used any more. They stay until all is done, as
  /// anchors may name them.
  SmallVector<WeakTrackingVH, 0> Replaced;

  /// Whether I gets another address.
  bool visit(Instruction &I) {
    Use *Pointer = globalAddress(I);
    if (!Pointer)
      return false;
    auto [Address, Displacement] = withoutConstant(*Pointer);
    Anchor New{Forms.of(Address), Address};
    std::optional<Start> S = findStart(New);
    if (!S || !isSmall(Displacement + S->Offset)) {
      remember(New);
      return false;
    }
    Anchor &From = Anchors[S->From];
    if (!S->Term) { // The register is there already.
      bool IsOther = From.Address != Address;
      if (IsOther && MayChange)
        replace(I, *Pointer, From.Address, Displacement + S->Offset);
      std::rotate(&From, &From + 1, Anchors.end());
      return IsOther;
    }
    if (isStepFrom(*Address, From, S->Offset)) {
      remember(New);
      return false;
    }
    New.Is = SE.getAddExpr(New.Is, SE.getConstant(APInt(64, -S->Offset, true)));
    if (MayChange) {
      New.Address =
          IRBuilder<>(&I).CreatePtrAdd(From.Address, valueOf(S->Term, I));
      replace(I, *Pointer, New.Address, Displacement + S->Offset);
    }
    remember(New);
    return true;
  }

  /// What Pointer adds a small constant to, and the constant.
  std::pair<Value *, int64_t> withoutConstant(Value *Pointer) const {
    APInt Displacement(64, 0);
    Value *Address = Pointer;
    while (auto *GEP = dyn_cast<GEPOperator>(Address)) {
      APInt Sum = Displacement;
      if (!GEP->accumulateConstantOffset(F.getDataLayout(), Sum) ||
          !isSmall(Sum.getSExtValue()))
        break;
      Displacement = Sum;
      Address = GEP->getPointerOperand();
    }
    return {Address, Displacement.getSExtValue()};
  }

  /// What has to be added to the N-th anchor for New: a small constant and at
  /// most one term.
  std::optional<Start> startFrom(size_t N, const Anchor &New) const {
    const SCEV *Step = SE.getMinusSCEV(New.Is, Anchors[N].Is);
    if (isa<SCEVCouldNotCompute>(Step))
      return std::nullopt;
    Start S{N, 0, nullptr};
    const auto *Sum = dyn_cast<SCEVAddExpr>(Step);
    const auto *Constant =
        dyn_cast<SCEVConstant>(Sum ? Sum->getOperand(0) : Step);
    if (Constant) {
      if (Constant->getAPInt().getSignificantBits() > 24)
        return std::nullopt;
      S.Offset = Constant->getAPInt().getSExtValue();
    }
    if (Sum ? Sum->getNumOperands() > 2 || !Constant : false)
      return std::nullopt;
    if (Sum)
      S.Term = Sum->getOperand(1);
    else if (!Constant)
      S.Term = Step;
    if (S.Term && !asTerm(S.Term))
      return std::nullopt;
    return S;
  }

  /// The anchor from which New takes least: a constant if there is one, else
  /// one term, from the anchor used last.
  std::optional<Start> findStart(const Anchor &New) const {
    bool MayStep = countTerms(SE.removePointerBase(New.Is)) >= LeastTerms;
    std::optional<Start> Nearest;
    for (size_t N = Anchors.size(); N--;) {
      std::optional<Start> S = startFrom(N, New);
      if (S && !S->Term)
        return S;
      if (S && MayStep && !Nearest)
        Nearest = S;
    }
    return Nearest;
  }

  /// Whether Address is computed from From by a term alone as it is.
  static bool isStepFrom(const Value &Address, const Anchor &From,
                         int64_t Offset) {
    const auto *GEP = dyn_cast<GEPOperator>(&Address);
    return GEP && GEP->getPointerOperand() == From.Address && !Offset;
  }

  void remember(Anchor A) {
    if (Anchors.size() == MostRemembered)
      Anchors.erase(Anchors.begin());
    Anchors.push_back(A);
  }

  void replace(Instruction &I, Use &Pointer, Value *Address,
               int64_t Displacement) {
    IRBuilder<> Builder(&I);
    if (Displacement)
      Address = Builder.CreatePtrAdd(
          Address, Builder.getInt64(static_cast<uint64_t>(Displacement)));
    Replaced.emplace_back(Pointer.get());
    Pointer.set(Address);
    ++NumChained;
  }

  /// The value of S, a term, computed ahead of Reader unless the block has it.
  Value *valueOf(const SCEV *S, Instruction &Reader) {
    Value *&Wide = Steps[S];
    if (Wide)
      return Wide;
    IRBuilder<> Builder(&Reader);
    Term T = *asTerm(S);
    Wide = T.Of;
    if (T.Cast)
      Wide = Builder.CreateCast(static_cast<Instruction::CastOps>(T.Cast), Wide,
                                Builder.getInt64Ty());
    if (!T.Factor.isOne())
      Wide = Builder.CreateMul(Wide, Builder.getInt(T.Factor));
    return Wide;
  }
};

} // namespace

unsigned countChainable(Function &F) {
  return Chains(F, /*MayChange=*/false).run();
}

unsigned chainAddresses(Function &F) {
  return Chains(F, /*MayChange=*/true).run();
}

} // namespace regdem
