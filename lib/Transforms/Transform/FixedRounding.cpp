//===- FixedRounding.cpp - stock's roundings, written down ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/FixedRounding.h"

#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <functional>
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regdem {

static bool isSum(const Instruction &I) {
  return I.getOpcode() == Instruction::FAdd ||
         I.getOpcode() == Instruction::FSub;
}

/// Makes one operation of equal ones of a block, as LLVM does later on, which
/// counts the readers of products after that.
static void mergeEqual(Function &F) {
  for (BasicBlock &Block : F) {
    std::map<std::tuple<unsigned, Value *, Value *>, Instruction *> Known;
    for (Instruction &I : make_early_inc_range(Block)) {
      if (!isSum(I) && I.getOpcode() != Instruction::FMul &&
          I.getOpcode() != Instruction::FNeg)
        continue;
      Value *A = I.getOperand(0), *B = I.getOperand(I.getNumOperands() - 1);
      if (I.isCommutative() && std::less<Value *>()(B, A))
        std::swap(A, B);
      auto [Equal, IsNew] = Known.try_emplace({I.getOpcode(), A, B}, &I);
      if (IsNew)
        continue;
      Equal->second->andIRFlags(&I);
      I.replaceAllUsesWith(Equal->second);
      I.eraseFromParent();
    }
  }
}

static SmallVector<Instruction *, 0> sumsOf(Function &F) {
  SmallVector<Instruction *, 0> Sums;
  for (Instruction &I : instructions(F))
    if (isSum(I))
      Sums.push_back(&I);
  return Sums;
}

namespace {

/// An operand of a sum that is a product, perhaps with the other sign.
struct Product {
  Instruction *Is = nullptr; ///< Null: it is none.
  bool IsNegated = false;
};

} // namespace

/// V, and whether it is what that has with the other sign.
static std::pair<Value *, bool> withoutSign(Value *V) {
  bool IsNegated = false;
  while (auto *I = dyn_cast<Instruction>(V)) {
    if (I->getOpcode() != Instruction::FNeg)
      break;
    V = I->getOperand(0);
    IsNegated = !IsNegated;
  }
  return {V, IsNegated};
}

static Product productOf(const Instruction &Sum, unsigned N) {
  auto [V, IsNegated] = withoutSign(Sum.getOperand(N));
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getOpcode() != Instruction::FMul)
    return {};
  return {I, IsNegated};
}

/// Whether a sum of its block reads I, which is Product or that with the other
/// sign, and LLVM prefers to fuse Product with it, not the other operand.
static bool isFused(const Instruction &I, const Instruction &Product) {
  return any_of(I.users(), [&](const User *U) {
    const auto *Reader = cast<Instruction>(U);
    if (Reader->getParent() != I.getParent())
      return false;
    if (Reader->getOpcode() == Instruction::FNeg)
      return isFused(*Reader, Product);
    if (!isSum(*Reader))
      return false;
    Instruction *First = productOf(*Reader, 0).Is,
                *Second = productOf(*Reader, 1).Is;
    bool TakesSecond =
        !First || (Second && Second->hasOneUse() && !First->hasOneUse());
    return (TakesSecond ? Second : First) == &Product;
  });
}

/// Makes sums of products by two that are not fused, as LLVM does.
static void addDoubled(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Of = nullptr;
    if (!match(&I, m_FMul(m_Value(Of), m_SpecificFP(2.0))) || isFused(I, I))
      continue;
    auto *Sum = BinaryOperator::CreateFAdd(Of, Of);
    Sum->copyIRFlags(&I);
    ReplaceInstWithInst(&I, Sum);
  }
}

/// F's operations as LLVM is going to have them.
static void settle(Function &F) {
  mergeEqual(F);
  addDoubled(F);
}

/// The flags of I by which LLVM may make another operation of it.
static FastMathFlags freedomOf(const Instruction &I) {
  if (!isa<FPMathOperator>(I) || isa<PHINode, SelectInst, FCmpInst>(I))
    return {};
  FastMathFlags Flags = I.getFastMathFlags();
  Flags.setApproxFunc(false); // That chooses an instruction, always the same.
  return Flags;
}

static bool hasNumbers(const Type &T) {
  return T.isFPOrFPVectorTy() ||
         (T.isStructTy() && any_of(T.subtypes(), [](const Type *Part) {
            return Part->isFPOrFPVectorTy();
          }));
}

/// Whether I may be or end in a product: ptxas makes some divisions and
/// functions end so, and may inline what is called.
static bool mayEndInProduct(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return I.getOpcode() == Instruction::FMul ||
           I.getOpcode() == Instruction::FDiv;
  // Some of LLVM's own load, or hand on what other threads have.
  return hasNumbers(*I.getType()) &&
         !(isa<IntrinsicInst>(Call) &&
           (Call->mayReadOrWriteMemory() || Call->isConvergent()));
}

/// Whether LLVM is told on its command line to divide single-precision numbers
/// in another way than exactly.
static bool dividesAsTold() {
  const cl::Option *Precision =
      cl::getRegisteredOptions().lookup("nvptx-prec-divf32");
  return Precision && Precision->getNumOccurrences();
}

/// Whether the GPU computes I so that LLVM, which computes exactly what it
/// finds to be constant, may come to another value: approximate quotients,
/// remainders by way of a quotient, powers by way of products, and integers
/// that become bfloat by way of float.
static bool isInexact(const Instruction &I) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Call->getIntrinsicID() == Intrinsic::powi;
  if (I.getOpcode() == Instruction::FDiv)
    return I.hasApproxFunc() || I.hasMetadata(LLVMContext::MD_fpmath) ||
           (I.getType()->getScalarType()->isFloatTy() && dividesAsTold());
  return I.getOpcode() == Instruction::FRem ||
         (isa<SIToFPInst, UIToFPInst>(I) &&
          I.getType()->getScalarType()->isBFloatTy());
}

/// Whether I computes with numbers of single precision or less. Where subnormal
/// ones are to become zero (-fgpu-flush-denormals-to-zero), each operation on
/// one gives zero, and LLVM, which takes -(-x) and x * 1 for x, knows nothing
/// of that.
static bool mayFlush(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  bool IsArithmetic =
      Call ? !Call->mayReadOrWriteMemory()
           : I.isBinaryOp() || I.isUnaryOp() ||
                 (isa<FCmpInst, CastInst>(I) && !isa<BitCastInst>(I));
  return IsArithmetic &&
         (isa<FPTruncInst>(I) || any_of(I.operands(), [](const Use &U) {
            const Type *Of = U->getType()->getScalarType();
            return Of->isFloatingPointTy() && !Of->isDoubleTy();
          }));
}

Roundings findRoundings(ArrayRef<const Function *> Functions, bool FusesAll) {
  bool HasSum = false, HasProduct = false, IsFree = false;
  for (const Function *F : Functions) {
    bool Flushes =
        F->getDenormalMode(APFloat::IEEEsingle()) != DenormalMode::getIEEE();
    for (const Instruction &I : instructions(F)) {
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand())) {
          HasSum |= hasUnroundedSum(Asm->getAsmString());
          HasProduct |= hasUnroundedProduct(Asm->getAsmString());
        }
      FastMathFlags Freedom = freedomOf(I);
      bool MayBeSum = isSum(I) || match(&I, m_FMul(m_Value(), m_SpecificFP(2)));
      HasSum |= MayBeSum && (FusesAll || Freedom.allowContract());
      HasProduct |= mayEndInProduct(I);
      Freedom.setAllowContract(false);
      IsFree |= Freedom.any();
      if (isInexact(I) || (Flushes && mayFlush(I)))
        return Roundings::Inexact;
    }
  }
  if (IsFree)
    return Roundings::Reorderable;
  return HasSum && HasProduct ? Roundings::Open : Roundings::Fixed;
}

/// Gives instructions of Functions lines from 1 on.
static DenseMap<const Value *, unsigned>
numberLines(ArrayRef<Function *> Functions) {
  Module &M = *Functions.front()->getParent();
  StripDebugInfo(M);
  DIBuilder Info(M);
  DIFile *File = Info.createFile("numbers", "/");
  // Code is optimized as it is without lines.
  Info.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C_plus_plus), File,
                         /*Producer=*/"regdem", /*isOptimized=*/true,
                         /*Flags=*/"", /*RV=*/0, /*SplitName=*/"",
                         DICompileUnit::DebugDirectivesOnly);
  M.setModuleFlag(Module::Warning, "Debug Info Version",
                  DEBUG_METADATA_VERSION);
  M.setModuleFlag(Module::Max, "Dwarf Version", 2);
  DenseMap<const Value *, unsigned> Lines;
  for (Function *F : Functions) {
    DISubprogram *Scope = Info.createFunction(
        File, F->getName(), F->getName(), File, /*LineNo=*/1,
        Info.createSubroutineType(Info.getOrCreateTypeArray({})),
        /*ScopeLine=*/1, DINode::FlagZero,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
    F->setSubprogram(Scope);
    for (Instruction &I : instructions(F)) {
      unsigned Line = Lines.size() + 1;
      Lines[&I] = Line;
      I.setDebugLoc(DILocation::get(M.getContext(), Line, /*Column=*/1, Scope));
    }
  }
  Info.finalize();
  return Lines;
}

/// Sum with its lines, and those of the products that it reads.
static NumberedSum numbered(const Instruction &Sum,
                            const DenseMap<const Value *, unsigned> &Lines) {
  NumberedSum S;
  S.Line = Lines.lookup(&Sum);
  for (unsigned N : {0, 1}) {
    Instruction *P = productOf(Sum, N).Is;
    if (!P)
      continue;
    S.Products[N].emplace();
    S.Products[N]->Line = Lines.lookup(P);
    S.Products[N]->IsReadOnce = P->hasOneUse();
    S.Products[N]->IsNear = P->getParent() == Sum.getParent();
    for (Value *Factor : P->operands())
      if (unsigned Line = Lines.lookup(withoutSign(Factor).first))
        S.Products[N]->Operands.push_back(Line);
  }
  return S;
}

std::vector<std::vector<NumberedSum>>
numberSums(ArrayRef<Function *> Functions) {
  for (Function *F : Functions)
    settle(*F);
  DenseMap<const Value *, unsigned> Lines = numberLines(Functions);
  std::vector<std::vector<NumberedSum>> Sums;
  for (Function *F : Functions) {
    Sums.emplace_back();
    for (Instruction *Sum : sumsOf(*F))
      Sums.back().push_back(numbered(*Sum, Lines));
  }
  return Sums;
}

/// Makes one operation of Sum and the product that is its operand N.
static void fuse(Instruction &Sum, unsigned N) {
  auto [P, IsNegated] = productOf(Sum, N);
  IRBuilder<> At(&Sum);
  Value *A = P->getOperand(0), *B = P->getOperand(1);
  Value *C = Sum.getOperand(1 - N);
  if (Sum.getOpcode() == Instruction::FSub) {
    if (N == 0)
      C = At.CreateFNeg(C);
    else
      IsNegated = !IsNegated;
  }
  if (Value *&Factor = isa<Constant>(B) ? B : A; IsNegated)
    Factor = At.CreateFNeg(Factor);
  Value *Whole = At.CreateIntrinsic(Intrinsic::fma, {Sum.getType()}, {A, B, C});
  Whole->takeName(&Sum);
  Value *Read = Sum.getOperand(N);
  Sum.replaceAllUsesWith(Whole);
  Sum.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Read);
}

/// What Fusings says of Sum; none where it cannot be.
static std::optional<Fusing> fusingOf(const Instruction &Sum, char Says) {
  auto Is = static_cast<Fusing>(Says);
  switch (Is) {
  case Fusing::None:
    return Is;
  case Fusing::First:
  case Fusing::Second:
    if (productOf(Sum, Is == Fusing::Second).Is)
      return Is;
    break;
  }
  return std::nullopt;
}

void keepOperations(Function &F) {
  for (Instruction &I : instructions(F))
    if (isa<FPMathOperator>(I)) {
      FastMathFlags Kept;
      Kept.setApproxFunc(I.hasApproxFunc());
      I.copyFastMathFlags(Kept);
    }
}

/// Whether V is a power of two by which ptxas scales the other factor, or
/// another one.
static bool isPowerOfTwo(const Value *V) {
  const APFloat *Is = nullptr;
  return match(V, m_APFloat(Is)) && Is->getExactLog2Abs() != INT_MIN;
}

/// The products that ptxas scales while it multiplies, so that both round once:
/// a * b of a * b * 0.5, if nothing else reads it.
static SmallVector<Instruction *, 0> scaledProducts(Function &F) {
  SmallVector<Instruction *, 0> Found;
  for (Instruction &I : instructions(F)) {
    if (I.getOpcode() != Instruction::FMul || !I.hasOneUse() ||
        any_of(I.operands(), isPowerOfTwo))
      continue;
    const auto *Reader = cast<Instruction>(I.user_back());
    if (Reader->getOpcode() == Instruction::FMul &&
        Reader->getParent() == I.getParent() &&
        any_of(Reader->operands(), isPowerOfTwo))
      Found.push_back(&I);
  }
  return Found;
}

bool fixRoundings(Function &F, StringRef Fusings) {
  settle(F);
  SmallVector<Instruction *, 0> Sums = sumsOf(F);
  if (!Fusings.consume_front(FusingPrefix) || Sums.size() != Fusings.size() ||
      !all_of(zip_equal(Sums, Fusings), [](const auto &Pair) {
        return fusingOf(*std::get<0>(Pair), std::get<1>(Pair));
      }))
    return false;
  for (auto [Sum, Says] : zip_equal(Sums, Fusings))
    if (Fusing Is = *fusingOf(*Sum, Says); Is != Fusing::None)
      fuse(*Sum, Is == Fusing::Second);
  SmallVector<Instruction *, 0> Scaled = scaledProducts(F);
  keepOperations(F);
  for (Instruction *Product : Scaled)
    Product->setHasAllowContract(true);
  return true;
}

} // namespace regdem
