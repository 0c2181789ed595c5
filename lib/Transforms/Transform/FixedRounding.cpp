//===- FixedRounding.cpp - stock's roundings, written down ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of a product and a sum that may be fused, and where that is
// found out here:
//
// pass                 rule
// -------------------  -----------------------------------------------------
// SpeculativeExecution hoists products out of guarded blocks, ahead of sums
//                      (mayBeHoisted)
// NVPTXIRPeephole      an FMA of each sum of floats or doubles and the first
//                      product that only it reads, in any block (decide)
// DAGCombiner          an FMA of each sum left and a product of its block that
//                      has other readers (decide); of two, with one of them,
//                      which is not certain
// ptxas                may fuse a product and a sum of another block that are
//                      left, which is not certain
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/FixedRounding.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
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

bool isProduct(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  return I && I->getOpcode() == Instruction::FMul;
}

/// Whether V is a product with the other sign, which LLVM may take it for.
bool isNegatedProduct(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  return I && I->getOpcode() == Instruction::FNeg &&
         isProduct(I->getOperand(0));
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
  case Intrinsic::nvvm_mul_rn_ftz_f:
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
  return isProduct(&I) && I.hasAllowContract() &&
         (I.getType()->isFloatTy() || I.getType()->isDoubleTy());
}

bool hasNumbers(const Type &T) {
  return T.isFPOrFPVectorTy() ||
         (T.isStructTy() && any_of(T.subtypes(), [](const Type *Part) {
            return Part->isFPOrFPVectorTy();
          }));
}

/// Whether ptxas sees what Call runs. It inlines nothing (12.9 to 13.5, -O3),
/// so that no product is fused with a sum of another function.
bool isKnownCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isDeclaration();
}

/// Whether I may be or end in a product that cannot be: one of vectors or of
/// narrow numbers, some divisions, calls.
bool mayHideProduct(const Instruction &I) {
  if (!hasNumbers(*I.getType()))
    return false;
  if (isProduct(&I))
    return !isPlainProduct(I);
  if (I.getOpcode() == Instruction::FDiv)
    return I.hasMetadata(LLVMContext::MD_fpmath);
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || roundsByItself(Call->getIntrinsicID()) || isKnownCall(*Call))
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

bool mayBeContracted(const Instruction &I) {
  return isa<FPMathOperator>(I) && I.hasAllowContract();
}

/// Whether passes ahead of instruction selection may hoist Product out of its
/// block, and leave its sums there.
bool mayBeHoisted(const Instruction &Product) {
  const BasicBlock *Guard = Product.getParent()->getSinglePredecessor();
  return Guard && Guard->getTerminator()->getNumSuccessors() > 1;
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

bool reachesSum(const Instruction &I) {
  return any_of(valuesOf(I), [](const Value *V) {
    return any_of(V->users(), [](const User *U) { return isSum(U); });
  });
}

/// Whether what F stores may be forwarded to a load.
bool mayLoadStored(Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return I.mayReadFromMemory() &&
           !I.hasMetadata(LLVMContext::MD_invariant_load);
  });
}

class Fixing {
public:
  Fixing(Function &F, bool IsPart)
      : F(F), IsPart(IsPart), MayBeLoaded(IsPart || mayLoadStored(F)) {}

  /// What run() would say.
  RoundingFix find() {
    if (any_of(instructions(F), mayBeReordered))
      return RoundingFix::Reordered;
    if (none_of(instructions(F), mayBeContracted)) // -ffp-contract=off or on
      return RoundingFix::Fixed;
    for (Instruction &I : instructions(F))
      if (isPlainProduct(I) ? !decide(I) : mayHideProduct(I) && !staysAlone(I))
        return RoundingFix::Uncertain;
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

  /// Has each product round alone.
  void roundAll() {
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isPlainProduct(I))
        roundAlone(I);
  }

private:
  Function &F;
  bool IsPart;                                   ///< Others become one with it.
  bool MayBeLoaded;                              ///< What is stored.
  MapVector<Instruction *, Instruction *> Fused; ///< Sums, with the product.
  SmallVector<Instruction *, 16> Products;

  /// Whether no sum may be fused with what I hides.
  bool staysAlone(const Instruction &I) {
    for (const Value *V : valuesOf(I))
      for (const User *U : V->users())
        if (isSum(U) || (isa<StoreInst>(U) && MayBeLoaded) ||
            (IsPart && goesElsewhere(*U)))
          return false;
    return true;
  }

  /// Whether U gives what it reads to another function.
  static bool goesElsewhere(const User &U) {
    const auto *Call = dyn_cast<CallBase>(&U);
    return isa<ReturnInst>(U) || (Call && isKnownCall(*Call));
  }

  /// Finds out what stock code does with Product; false if that is not certain.
  bool decide(Instruction &Product) {
    for (const Value *V : valuesOf(Product))
      for (const User *U : V->users()) {
        const auto *By = cast<Instruction>(U);
        // A choice that is made stays a choice until it is fixed here.
        if (passesOn(By) && !isa<SelectInst, FreezeInst>(By) && reachesSum(*By))
          return false;
        if (isSum(By) && V == &Product && !decide(Product, *By))
          return false;
      }
    Products.push_back(&Product);
    return true;
  }

  /// The product that Sum reads as operand N; null where that is none.
  static Instruction *productOf(const Instruction &Sum, unsigned N) {
    Value *P = Sum.getOperand(N);
    return isProduct(P) ? cast<Instruction>(P) : nullptr;
  }

  /// Whether LLVM counts the readers of P, a product, as they are here: no
  /// other one is the same and becomes one with P.
  static bool isUnique(const Instruction &P) {
    const Value *A = P.getOperand(0), *B = P.getOperand(1);
    if (isa<Constant>(A)) // Nobody knows the readers of a number.
      std::swap(A, B);
    return none_of(A->users(), [&](const User *U) {
      const auto *I = cast<Instruction>(U);
      return I != &P && isProduct(I) &&
             ((I->getOperand(0) == A && I->getOperand(1) == B) ||
              (I->getOperand(0) == B && I->getOperand(1) == A));
    });
  }

  bool decide(Instruction &Product, const Instruction &Sum) {
    if (!Sum.hasAllowContract() || any_of(Sum.operands(), isNegatedProduct))
      return false;
    Instruction *First = productOf(Sum, 0), *Second = productOf(Sum, 1);
    bool IsInOneBlock = Product.getParent() == Sum.getParent();
    bool HasOther = First && Second && First != Second;
    Instruction *Chosen = nullptr;
    for (Instruction *P : {First, Second})
      if (P) {
        // What counts is who reads it, unless it is fused in any case.
        if (!isPlainProduct(*P) ||
            ((HasOther || !IsInOneBlock) && !isUnique(*P)))
          return false;
        if (!Chosen && P->hasOneUse())
          Chosen = P;
      }
    if (!Chosen) {
      if (!IsInOneBlock || HasOther || mayBeHoisted(Product))
        return false;
      Chosen = &Product;
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
      Intrinsic::ID ID = Intrinsic::nvvm_mul_rn_d;
      if (Product.getType()->isFloatTy())
        ID = F.getDenormalMode(APFloat::IEEEsingle()).Output ==
                     DenormalMode::PreserveSign
                 ? Intrinsic::nvvm_mul_rn_ftz_f
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

RoundingFix findRounding(Function &F, bool IsPart) {
  return Fixing(F, IsPart).find();
}

RoundingFix fixRounding(Function &F, bool IsPart) {
  return Fixing(F, IsPart).run();
}

void roundProductsAlone(Function &F) { Fixing(F, /*IsPart=*/false).roundAll(); }

} // namespace regdem
