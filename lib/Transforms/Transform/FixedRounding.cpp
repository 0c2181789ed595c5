//===- FixedRounding.cpp - stock's roundings, written down ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM's DAGCombiner does for NVPTX, where products and sums may be fused:
// each sum in the block of a product that it reads becomes an FMA; of two
// products with the one that fewer read, or else with the first. What is in
// other blocks is left to ptxas, and is not certain.
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/FixedRounding.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace regdem {

namespace {

bool isSum(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  return I && (I->getOpcode() == Instruction::FAdd ||
               I->getOpcode() == Instruction::FSub);
}

/// Whether V has its operand's value in all or some cases, or that is part of
/// it: of a word, as bits.
bool passesOn(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  switch (I->getOpcode()) {
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::FNeg:
  case Instruction::BitCast:
  case Instruction::InsertElement:
  case Instruction::ExtractElement:
  case Instruction::ShuffleVector:
  case Instruction::InsertValue:
  case Instruction::ExtractValue:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::And:
  case Instruction::Or:
    return true;
  default:
    return false;
  }
}

/// Whether this function of LLVM's ends in something else than a product.
bool roundsByItself(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::copysign:
  case Intrinsic::nvvm_mul_rn_f:
  case Intrinsic::nvvm_mul_rn_d:
  case Intrinsic::nvvm_add_rn_f:
  case Intrinsic::nvvm_add_rn_d:
  case Intrinsic::nvvm_fma_rn_f:
  case Intrinsic::nvvm_fma_rn_d:
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
  case Intrinsic::nvvm_fabs:
    return true;
  default:
    return false;
  }
}

/// Whether I is a product that can be written down as it is.
bool isPlainProduct(const Instruction &I) {
  if (I.getOpcode() != Instruction::FMul || !I.hasAllowContract())
    return false;
  return I.getType()->isFloatTy() || I.getType()->isDoubleTy();
}

bool hasNumbers(const Type &T) {
  return T.isFPOrFPVectorTy() ||
         (T.isStructTy() && any_of(T.subtypes(), [](const Type *Part) {
            return Part->isFPOrFPVectorTy();
          }));
}

/// Whether I may be or end in a product that cannot be: one of vectors or of
/// narrow numbers, some divisions, calls.
bool mayHideProduct(const Instruction &I) {
  if (!hasNumbers(*I.getType()))
    return false;
  if (I.getOpcode() == Instruction::FMul)
    return !isPlainProduct(I);
  if (I.getOpcode() == Instruction::FDiv)
    return I.hasMetadata(LLVMContext::MD_fpmath);
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || roundsByItself(Call->getIntrinsicID()))
    return false;
  // Loads, and what threads give each other.
  return !isa<IntrinsicInst>(Call) ||
         (!Call->mayReadOrWriteMemory() && !Call->isConvergent());
}

/// Whether LLVM may make another operation of I once it knows more of its
/// operands: it has a fast-math flag besides `contract`.
bool mayBeReordered(const Instruction &I) {
  const auto *Op = dyn_cast<FPMathOperator>(&I);
  if (!Op || isa<PHINode, SelectInst, FCmpInst>(I))
    return false;
  FastMathFlags Flags = Op->getFastMathFlags();
  Flags.setAllowContract(false);
  return Flags.any();
}

/// Whether SpeculativeExecution, which comes before instruction selection, can
/// move I out of its block: as far as its operands are concerned.
bool isHoistable(const Instruction &I, unsigned Depth = 0) {
  constexpr unsigned Deepest = 8; // It moves seven operations at most.
  if (isa<LoadInst, StoreInst, PHINode, AllocaInst>(I) ||
      (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) || Depth == Deepest)
    return false;
  return all_of(I.operands(), [&](const Use &U) {
    const auto *From = dyn_cast<Instruction>(U);
    return !From || From->getParent() != I.getParent() ||
           isHoistable(*From, Depth + 1);
  });
}

/// Whether stock's passes may part what is in one block now.
bool mayBeParted(const Instruction &Product, const Instruction &Sum) {
  const BasicBlock *Guard = Product.getParent()->getSinglePredecessor();
  return Guard && Guard->getTerminator()->getNumSuccessors() > 1 &&
         isHoistable(Product) && !isHoistable(Sum);
}

class Fixing {
public:
  Fixing(Function &F, const RoundingScope &Scope) : F(F), Scope(Scope) {}

  /// What run() would say.
  RoundingFix find() {
    if (any_of(instructions(F), mayBeReordered))
      return RoundingFix::Reordered;
    findLoaded();
    findStored();
    for (Instruction &I : instructions(F)) {
      if (!isPlainProduct(I) && !mayHideProduct(I))
        continue;
      if (!isAffected(I))
        continue;
      if (!isPlainProduct(I) ? !staysTogether(I) : !decide(I))
        return RoundingFix::Uncertain;
    }
    return RoundingFix::Fixed;
  }

  RoundingFix run() {
    if (RoundingFix Found = find(); Found != RoundingFix::Fixed)
      return Found;
    for (auto &[Sum, Product] : Fused)
      fuse(*Sum, *Product);
    for (Instruction *Product : Products)
      roundAlone(*Product);
    return RoundingFix::Fixed;
  }

private:
  Function &F;
  const RoundingScope &Scope;
  SmallPtrSet<const Value *, 32> Loaded; ///< From memory of the scope.
  /// What is stored there, and what that is computed from.
  SmallPtrSet<const Value *, 32> Stored;
  MapVector<Instruction *, Instruction *> Fused; ///< Sums, with the product.
  SmallVector<Instruction *, 16> Products;

  void findLoaded() {
    for (const Instruction *I : Scope.Accesses)
      if (isa<LoadInst>(I))
        Loaded.insert_range(valuesOf(*I));
  }

  /// Of two operations that end up in a choice, InstCombine makes one behind a
  /// choice, whatever their operands are: of P + Q or P + R, P + (Q or R).
  void findStored() {
    SmallVector<const Value *, 16> Values;
    for (const Instruction *I : Scope.Accesses)
      if (auto *Store = dyn_cast<StoreInst>(I))
        Values.push_back(Store->getValueOperand());
    while (!Values.empty()) {
      const auto *I = dyn_cast<Instruction>(Values.pop_back_val());
      if (I &&
          (isa<BinaryOperator, UnaryOperator, CastInst>(I) || passesOn(I)) &&
          Stored.insert(I).second)
        append_range(Values, I->operand_values());
    }
  }

  /// What reads I, or has its value.
  SmallSetVector<const Value *, 8> valuesOf(const Instruction &I) {
    SmallSetVector<const Value *, 8> Values;
    Values.insert(&I);
    for (unsigned N = 0; N != Values.size(); ++N)
      for (const User *U : Values[N]->users())
        if (passesOn(U))
          Values.insert(U);
    return Values;
  }

  /// Whether a sum in the block of V that reads V, or its negation, is part of
  /// what is stored.
  bool isInStoredSum(const Instruction &V) const {
    return any_of(V.users(), [&](const User *U) {
      const auto *By = cast<Instruction>(U);
      return By->getParent() == V.getParent() && Stored.contains(By) &&
             (isSum(By) ||
              (By->getOpcode() == Instruction::FNeg && isInStoredSum(*By)));
    });
  }

  bool isAffected(const Instruction &I) {
    if (Scope.Blocks.contains(I.getParent()) ||
        any_of(I.operands(), [&](const Use &U) { return Loaded.contains(U); }))
      return true;
    for (const Value *V : valuesOf(I))
      for (const User *U : V->users())
        if (Scope.Accesses.contains(cast<Instruction>(U)) ||
            (isSum(U) &&
             Scope.Blocks.contains(cast<Instruction>(U)->getParent())))
          return true;
    return isInStoredSum(I);
  }

  /// Whether all sums that may be fused with what I hides are in its block, and
  /// read nothing else.
  bool staysTogether(const Instruction &I) {
    for (const Value *V : valuesOf(I))
      for (const User *U : V->users()) {
        const auto *By = cast<Instruction>(U);
        if (isa<StoreInst>(By) && mayBeLoaded(*By))
          return false;
        if (isSum(By) && (V != &I || By->getParent() != I.getParent() ||
                          mayBeParted(I, *By)))
          return false;
      }
    return true;
  }

  /// Whether what Store stores may be forwarded to a load.
  bool mayBeLoaded(const Instruction &Store) {
    if (Scope.Accesses.contains(&Store))
      return true;
    if (!Scope.Blocks.contains(Store.getParent()))
      return false;
    return any_of(Scope.Blocks, [&](const BasicBlock *Block) {
      return any_of(*Block, [&](const Instruction &I) {
        return I.mayReadFromMemory() && !Scope.Accesses.contains(&I) &&
               !I.hasMetadata(LLVMContext::MD_invariant_load);
      });
    });
  }

  /// Finds out what stock code does with Product; false if that is not certain.
  bool decide(Instruction &Product) {
    for (const Value *V : valuesOf(Product))
      for (const User *U : V->users()) {
        const auto *By = cast<Instruction>(U);
        bool IsDirect = V == &Product;
        // A choice that is made stays a choice until it is fixed here.
        if (passesOn(By) && !isa<SelectInst, FreezeInst>(By) && reachesSum(*By))
          return false;
        if (isSum(By) && IsDirect && !decide(Product, *cast<Instruction>(U)))
          return false;
      }
    Products.push_back(&Product);
    return true;
  }

  bool reachesSum(const Instruction &I) {
    return any_of(valuesOf(I), [](const Value *V) {
      return any_of(V->users(), [](const User *U) { return isSum(U); });
    });
  }

  /// The product that Sum, in the same block, reads as operand N; null where
  /// that is none.
  static Instruction *productOf(const Instruction &Sum, unsigned N) {
    auto *P = dyn_cast<Instruction>(Sum.getOperand(N));
    return P && P->getOpcode() == Instruction::FMul &&
                   P->getParent() == Sum.getParent()
               ? P
               : nullptr;
  }

  /// Whether LLVM counts the readers of P, a product, as they are here: no
  /// other one of the block is the same and becomes one with P.
  static bool isUnique(const Instruction &P) {
    const Value *A = P.getOperand(0), *B = P.getOperand(1);
    if (isa<Constant>(A)) // Nobody knows the readers of a number.
      std::swap(A, B);
    return none_of(A->users(), [&](const User *U) {
      const auto *I = cast<Instruction>(U);
      return I != &P && I->getOpcode() == Instruction::FMul &&
             I->getParent() == P.getParent() &&
             ((I->getOperand(0) == A && I->getOperand(1) == B) ||
              (I->getOperand(0) == B && I->getOperand(1) == A));
    });
  }

  /// Whether P, which is read by sums of its block, is fused with none of them,
  /// in whatever order they are combined: P has several readers, and each sum
  /// another product, which it alone reads. The first sum that is combined
  /// takes that, and P has as many readers as before.
  static bool isNeverFused(const Instruction &P) {
    return P.hasNUsesOrMore(2) && all_of(P.users(), [&](const User *U) {
             const auto *By = cast<Instruction>(U);
             if (By->getParent() != P.getParent() || !isSum(By))
               return By->getParent() == P.getParent();
             const Instruction *A = productOf(*By, 0), *B = productOf(*By, 1);
             const Instruction *Other = A == &P ? B : A;
             return Other && Other != &P && Other->hasOneUse() &&
                    isPlainProduct(*Other) && isUnique(*Other);
           });
  }

  bool decide(Instruction &Product, const Instruction &Sum) {
    if (Sum.getParent() != Product.getParent() || !Sum.hasAllowContract() ||
        mayBeParted(Product, Sum))
      return false;
    Instruction *First = productOf(Sum, 0), *Second = productOf(Sum, 1);
    Instruction *Chosen = First ? First : Second;
    if (First && Second && First != Second) {
      if (!isPlainProduct(*First) || !isPlainProduct(*Second) ||
          !isUnique(*First) || !isUnique(*Second))
        return false;
      if (isNeverFused(*First))
        Chosen = Second;
      else if (!isNeverFused(*Second) &&
               !(First->hasOneUse() && Second->hasOneUse()))
        return false;
    }
    Fused[const_cast<Instruction *>(&Sum)] = Chosen;
    return true;
  }

  void fuse(Instruction &Sum, Instruction &Product) {
    IRBuilder<> At(&Sum);
    Value *A = Product.getOperand(0), *B = Product.getOperand(1);
    Value *First = Sum.getOperand(0), *Second = Sum.getOperand(1);
    bool IsFirst = First == &Product;
    Value *C = IsFirst ? Second : First;
    if (Sum.getOpcode() == Instruction::FSub) {
      if (IsFirst)
        C = At.CreateFNeg(C);
      else
        A = At.CreateFNeg(A);
    }
    Value *Whole =
        At.CreateIntrinsic(Intrinsic::fma, {Sum.getType()}, {A, B, C});
    Whole->takeName(&Sum);
    Sum.replaceAllUsesWith(Whole);
    Sum.eraseFromParent();
  }

  void roundAlone(Instruction &Product) {
    if (!Product.use_empty()) {
      IRBuilder<> At(&Product);
      Intrinsic::ID ID = Product.getType()->isDoubleTy()
                             ? Intrinsic::nvvm_mul_rn_d
                             : Intrinsic::nvvm_mul_rn_f;
      Value *Rounded = At.CreateIntrinsic(
          ID, {}, {Product.getOperand(0), Product.getOperand(1)});
      Rounded->takeName(&Product);
      Product.replaceAllUsesWith(Rounded);
    }
    Product.eraseFromParent();
  }
};

} // namespace

RoundingFix fixRounding(Function &F, const RoundingScope &Scope) {
  return Fixing(F, Scope).run();
}

static RoundingScope scopeOf(const Loop &L) {
  RoundingScope Scope;
  Scope.Blocks.insert_range(L.blocks());
  Scope.Blocks.insert(L.getLoopPredecessor());
  SmallVector<BasicBlock *, 4> Exits;
  L.getExitBlocks(Exits);
  Scope.Blocks.insert_range(Exits);
  return Scope;
}

RoundingFix findRounding(Function &F, const Loop &L) {
  return Fixing(F, scopeOf(L)).find();
}

RoundingFix fixRounding(Function &F, const Loop &L) {
  return fixRounding(F, scopeOf(L));
}

} // namespace regdem
