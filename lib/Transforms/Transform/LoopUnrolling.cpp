//===- LoopUnrolling.cpp - several iterations at once ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product and a sum that reads it become one instruction, which rounds once,
// if they are in one block and nothing else reads the product. So that the same
// ones do in the unrolled loop, a loop stays rolled
//
//  - where anything but addresses depends on the count, of which copies know a
//    part: what a test has parted comes together, a selected product is added
//    without the selection;
//  - where a product that may be fused is read in the next iteration or after
//    the loop: it has fewer readers in all copies but the last, and the next
//    iteration is in its block;
//  - where a product is stored and may be loaded in the next iteration.
//
// What is left is that copies have a product in common, which then has more
// readers, or that one becomes a constant. It shows in their number.
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/LoopUnrolling.h"

#include "regdem/Decision/Builds/Rewrite.h"
#include "regdem/Transform/FixedRounding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace regdem {

namespace {

/// Instructions of a body beyond which its own are parallel enough, by LLVM's
/// estimate: three stay within the instruction cache of a scheduler.
constexpr unsigned MostInstructionsOfBody = 256;
/// Of a loop known to make fewer iterations too many would be left over.
constexpr unsigned LeastIterations = 2 * UnrolledIterations;
/// Instructions that a loop with a known count makes in all, up to which ptxas
/// may well unroll it by itself, which it does not do after unrollLoops().
constexpr unsigned LeastInAll = 4096;
/// LLVM's own limit for what is computed ahead of a loop: no divisions.
constexpr unsigned ExpansionBudget = 4;

bool isFused(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::fma;
}

/// Whether I is one of LLVM's own functions that have nothing to do with
/// floating point: a load, or of and to integers.
bool isOfIntegers(const CallBase &I) {
  Intrinsic::ID ID = I.getIntrinsicID();
  if (ID == Intrinsic::not_intrinsic || Intrinsic::isTargetIntrinsic(ID))
    return false;
  auto IsInteger = [](const Value *V) {
    return V->getType()->isIntOrIntVectorTy();
  };
  return ID == Intrinsic::masked_load ||
         (IsInteger(&I) && all_of(I.args(), IsInteger));
}

/// Whether I is a product that may be fused with a sum, or a call that may be
/// or contain one. So is the last step of some divisions (NVPTXOpcodes.h).
bool isProduct(const Instruction &I) {
  if (I.getOpcode() == Instruction::FMul || I.getOpcode() == Instruction::FDiv)
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && !I.getType()->isVoidTy() && !isFused(I) &&
         !isOfIntegers(*Call);
}

template <typename BlockRange> Arithmetic countIn(const BlockRange &Blocks) {
  Arithmetic Sum;
  for (const BasicBlock *Block : Blocks)
    for (const Instruction &I : *Block) {
      bool IsSum = I.getOpcode() == Instruction::FAdd ||
                   I.getOpcode() == Instruction::FSub;
      Sum.Products += isProduct(I) || isFused(I);
      Sum.Sums += IsSum || isFused(I);
    }
  return Sum;
}

/// What becomes of a product that an instruction reads. Unknown: it may be
/// fused, or stored in some form.
enum class ProductUse { Fused, PassedOn, Stored, Ended, Unknown };

ProductUse useBy(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
    return ProductUse::Fused;
  case Instruction::FMul: // By a power of two, a product may be scaled.
    return any_of(I.operands(),
                  [](const auto &Op) { return isa<Constant>(Op); })
               ? ProductUse::Fused
               : ProductUse::Ended;
  case Instruction::FDiv:
  case Instruction::FCmp:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return ProductUse::Ended;
  case Instruction::Store:
    return ProductUse::Stored;
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::FNeg:
  case Instruction::Freeze:
  case Instruction::BitCast:
  case Instruction::InsertElement:
  case Instruction::ExtractElement:
  case Instruction::ShuffleVector:
    return ProductUse::PassedOn;
  default:
    return isFused(I) ? ProductUse::Fused : ProductUse::Unknown;
  }
}

/// The product and what it is passed on as, and what is done with these.
struct Fate {
  SmallSetVector<const Instruction *, 8> Values;
  bool IsFused = false, IsStored = false;
  bool Leaves = false; ///< The iteration.
};

Fate fateOf(const Instruction &Product, const Loop &L) {
  Fate Known;
  Known.Values.insert(&Product);
  for (unsigned N = 0; N != Known.Values.size(); ++N)
    for (const User *U : Known.Values[N]->users()) {
      const auto *I = cast<Instruction>(U);
      ProductUse By = useBy(*I);
      Known.Leaves |= !L.contains(I) || isa<PHINode>(I);
      Known.IsStored |= By == ProductUse::Stored || By == ProductUse::Unknown;
      Known.IsFused |= By == ProductUse::Fused || By == ProductUse::Unknown;
      if (By == ProductUse::PassedOn)
        Known.Values.insert(I);
    }
  return Known;
}

/// Whether I loads what L may have stored.
bool mayLoadStored(const Instruction &I) {
  if (!I.mayReadFromMemory())
    return false;
  const auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || Load->hasMetadata(LLVMContext::MD_invariant_load))
    return !Load;
  const auto *From =
      dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
  return !From || !From->hasNoAliasAttr() || !From->onlyReadsMemory();
}

/// Whether I makes something of the count of its loop that may be known of some
/// of four iterations: a test, a number that arithmetic goes on with.
bool dependsOnCount(const Instruction &I, const Loop &L, ScalarEvolution &SE) {
  auto IsCount = [&](const Value *V) {
    return SE.isSCEVable(V->getType()) &&
           SE.containsAddRecurrence(SE.getSCEV(const_cast<Value *>(V)));
  };
  switch (I.getOpcode()) {
  case Instruction::ICmp:
    return &I != L.getLatchCmpInst() && any_of(I.operands(), IsCount);
  case Instruction::Br:
    return &I != L.getLoopLatch()->getTerminator() &&
           any_of(I.operands(), IsCount);
  case Instruction::Switch:
  case Instruction::Select:
  case Instruction::BitCast:
    return IsCount(I.getOperand(0));
  case Instruction::SIToFP:
  case Instruction::UIToFP: // Of the count itself nothing is known.
    return IsCount(I.getOperand(0)) &&
           !isa<SCEVAddRecExpr>(SE.getSCEV(I.getOperand(0)));
  default:
    return false;
  }
}

/// Whether the unrolled loop computes, bit by bit, what L does, of which
/// nothing may be reordered.
bool isExact(const Loop &L, ScalarEvolution &SE) {
  bool Loads = any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, mayLoadStored);
  });
  auto MayRoundOtherwise = [&](const Instruction &I) {
    if (dependsOnCount(I, L, SE))
      return true;
    if (!isProduct(I))
      return false;
    Fate Product = fateOf(I, L);
    return (Product.IsStored && Loads) || (Product.IsFused && Product.Leaves);
  };
  return none_of(L.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, MayRoundOtherwise);
  });
}

bool hasReorderable(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, allowsFastMath);
  });
}

class Unroller {
public:
  Unroller(const LoopAnalyses &Known, bool MayFuseOtherwise)
      : Known(Known), MayFuseOtherwise(MayFuseOtherwise) {}

  /// The loops that can be unrolled, in the order of their blocks.
  SmallVector<Loop *, 4> find() const {
    SmallVector<Loop *, 4> Found;
    for (Loop *L : Known.Loops.getLoopsInPreorder())
      if (isUnrollable(*L))
        Found.push_back(L);
    return Found;
  }

  /// The copies of L's body that are there then; 1 if it stays rolled.
  unsigned unroll(Loop &L) {
    simplifyLoop(&L, &Known.Dominators, &Known.Loops, &Known.Evolution,
                 &Known.Assumptions, /*MSSAU=*/nullptr,
                 /*PreserveLCSSA=*/false);
    if (!L.isLoopSimplifyForm())
      return 1;
    formLCSSARecursively(*L.getOutermostLoop(), Known.Dominators, &Known.Loops,
                         &Known.Evolution);
    UnrollLoopOptions How{};
    How.Count = UnrolledIterations;
    unsigned Multiple = Known.Evolution.getSmallConstantTripMultiple(&L);
    How.Runtime = Multiple % UnrolledIterations != 0; // Some may be left over.
    How.SCEVExpansionBudget = ExpansionBudget;
    Loop *Remainder = nullptr;
    LoopUnrollResult Result =
        UnrollLoop(&L, How, &Known.Loops, &Known.Evolution, &Known.Dominators,
                   &Known.Assumptions, &Known.Costs, /*ORE=*/nullptr,
                   /*PreserveLCSSA=*/true, &Remainder);
    if (Result == LoopUnrollResult::Unmodified)
      return 1;
    if (Remainder)
      Remainder->setLoopAlreadyUnrolled();
    L.setLoopAlreadyUnrolled();
    return Remainder ? UnrolledIterations + 1 : UnrolledIterations;
  }

private:
  const LoopAnalyses &Known;
  bool MayFuseOtherwise;

  bool isUnrollable(Loop &L) const {
    if (!L.isInnermost() || hasUnrollTransformation(&L) != TM_Unspecified)
      return false;
    BasicBlock *Latch = L.getLoopLatch();
    if (!Latch || L.getExitingBlock() != Latch ||
        isa<SCEVCouldNotCompute>(Known.Evolution.getBackedgeTakenCount(&L)))
      return false;
    unsigned Most = Known.Evolution.getSmallConstantMaxTripCount(&L);
    if (Most && Most < LeastIterations)
      return false;
    SmallPtrSet<const Value *, 8> Ephemeral;
    CodeMetrics::collectEphemeralValues(&L, &Known.Assumptions, Ephemeral);
    UnrollCostEstimator Cost(&L, Known.Costs, Ephemeral, BackEdgeInstructions);
    if (!Cost.canUnroll() || Cost.Convergence != ConvergenceKind::None ||
        Cost.getRolledLoopSize() > MostInstructionsOfBody)
      return false;
    unsigned Count = Known.Evolution.getSmallConstantTripCount(&L);
    if (Count && Count * Cost.getRolledLoopSize() < LeastInAll)
      return false;
    return hasCheapCount(L) && !hasReorderable(L) &&
           (MayFuseOtherwise || isExact(L, Known.Evolution));
  }

  /// Whether it costs little to find out how many iterations are left over.
  bool hasCheapCount(Loop &L) const {
    const BasicBlock *Ahead = L.getLoopPredecessor();
    const SCEV *Count = Known.Evolution.getBackedgeTakenCount(&L);
    SCEVExpander Expander(Known.Evolution, "count");
    return Ahead &&
           !Expander.isHighCostExpansion(Count, &L, ExpansionBudget,
                                         &Known.Costs, Ahead->getTerminator());
  }
};

} // namespace

unsigned countUnrollable(const LoopAnalyses &Known, bool MayFuseOtherwise) {
  return Unroller(Known, MayFuseOtherwise).find().size();
}

std::optional<UnrolledCode> unrollLoops(Function &F, const LoopAnalyses &Known,
                                        bool MayFuseOtherwise) {
  Unroller All(Known, MayFuseOtherwise);
  UnrolledCode Result{countArithmetic(F)};
  bool Changed = false;
  for (Loop *L : All.find()) {
    Arithmetic Once = countIn(L->blocks());
    bool IsExact = !MayFuseOtherwise || isExact(*L, Known.Evolution);
    unsigned More = All.unroll(*L) - 1;
    Changed |= More != 0;
    Result.MayFuseOtherwise |= More && !IsExact;
    Result.Expected.Products += More * Once.Products;
    Result.Expected.Sums += More * Once.Sums;
  }
  return Changed ? std::optional(Result) : std::nullopt;
}

Arithmetic countArithmetic(const Function &F) {
  return countIn(make_pointer_range(F));
}

} // namespace regdem
