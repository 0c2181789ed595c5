//===- LoopUnrolling.cpp - several iterations at once ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/LoopUnrolling.h"

#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Decision/Builds/Rewrite.h"
#include "regdem/Transform/WideAccesses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace regdem {

namespace {

/// Instructions of a body beyond which its own are parallel enough, by LLVM's
/// estimate: three stay within the instruction cache of a scheduler.
constexpr unsigned MostInstructionsOfBody = 256;
/// Instructions of an unrolled body up to which ptxas may unroll it further,
/// for more loads at a time.
constexpr uint64_t MostUnrolledByPtxas = 64;
/// Instructions that a kernel may grow by: 32 KB of code.
constexpr uint64_t MostAdded = 2048;
/// Of a loop known to make fewer iterations too many would be left over.
constexpr unsigned LeastIterations = 2 * UnrolledIterations;
/// Instructions that a loop with a known count makes in all, up to which ptxas
/// may well unroll it by itself, but for one over an array in local memory.
constexpr unsigned LeastInAll = 4096;
/// What is computed ahead of a loop to find out how many iterations are left
/// over. LLVM's own limit of 4 keeps loops rolled that step by a block's
/// threads up to the end of the block's part.
constexpr unsigned ExpansionBudget = 16;

/// Whether I reads a texture or surface and nothing else. All of clang's
/// inline assembly is convergent, but this asks nothing of other threads.
bool readsTexture(const CallBase &I) {
  const auto *Text = dyn_cast<InlineAsm>(I.getCalledOperand());
  if (!Text || StringRef(Text->getAsmString()).trim("; \t\n").contains(';'))
    return false;
  StringRef Opcode = StringRef(Text->getAsmString()).ltrim();
  return Opcode.starts_with("tex.") || Opcode.starts_with("tld4.") ||
         Opcode.starts_with("suld.");
}

/// The array in local memory that I accesses; null: none that is known.
AllocaInst *arrayOf(Instruction &I) {
  Value *Address = getLoadStorePointerOperand(&I);
  return Address ? dyn_cast<AllocaInst>(getUnderlyingObject(Address)) : nullptr;
}

/// States the alignment that I, which accesses Array, has by its loops' steps.
/// LLVM then has neighbouring elements share an access.
void stateAlignment(Instruction &I, const AllocaInst &Array,
                    ScalarEvolution &Evolution) {
  const SCEV *Address = Evolution.getSCEV(getLoadStorePointerOperand(&I));
  const auto *Base = dyn_cast<SCEVUnknown>(Evolution.getPointerBase(Address));
  if (!Base || Base->getValue()->stripPointerCasts() != &Array)
    return;
  unsigned Zeros =
      Evolution.getMinTrailingZeros(Evolution.removePointerBase(Address));
  Align OfOffset(uint64_t(1) << std::min(Zeros, Log2(Array.getAlign())));
  setLoadStoreAlignment(&I, std::max(getLoadStoreAlignment(&I), OfOffset));
}

/// What an iteration of a loop may wait for.
struct Waits {
  bool ForMemory = false;
  bool ForArrays = false; ///< In local memory.
  /// What all threads have to reach together, as a barrier: no iteration may be
  /// moved to another loop then, unless all make as many.
  bool ForThreads = false;
};

Waits waitsOf(const Loop &L) {
  Waits Are;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      const auto *Call = dyn_cast<CallBase>(&I);
      bool Reads = Call && readsTexture(*Call);
      Are.ForMemory |= Reads || I.mayReadOrWriteMemory();
      Are.ForArrays |= arrayOf(I) != nullptr;
      Are.ForThreads |= Call && !Reads && Call->isConvergent();
    }
  return Are;
}

/// Instructions in one another that are looked at to find out whether a value
/// is uniform.
constexpr unsigned MostDepth = 8;

/// Whether I reads what is the same for all threads of a block.
bool readsUniform(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return readsInvariant(*Load);
  const auto *Read = dyn_cast<IntrinsicInst>(&I);
  return Read && is_contained({Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                               Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                               Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
                               Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                               Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                               Intrinsic::nvvm_read_ptx_sreg_nctaid_z,
                               Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                               Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                               Intrinsic::nvvm_read_ptx_sreg_ntid_z},
                              Read->getIntrinsicID());
}

/// Whether V, in a kernel, is known to be the same for all threads of a block.
/// (LLVM's own analysis holds that the index of a block may differ.)
bool isUniform(const Value &V, unsigned Depth = 0) {
  if (isa<Constant>(V) || isa<Argument>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth == MostDepth)
    return false;
  bool Computes =
      isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst>(I);
  return (Computes || readsUniform(*I)) &&
         all_of(I->operands(), [Depth](const Use &Operand) {
           return isUniform(*Operand, Depth + 1);
         });
}

/// What LLVM knows of a function, and keeps up to date.
struct LoopAnalyses {
  LoopInfo &Loops;
  ScalarEvolution &Evolution;
  DominatorTree &Dominators;
  AssumptionCache &Assumptions;
  const TargetTransformInfo &Costs;

  LoopAnalyses(Function &F, FunctionAnalysisManager &FAM)
      : Loops(FAM.getResult<LoopAnalysis>(F)),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        Dominators(FAM.getResult<DominatorTreeAnalysis>(F)),
        Assumptions(FAM.getResult<AssumptionAnalysis>(F)),
        Costs(FAM.getResult<TargetIRAnalysis>(F)) {}
};

class Unroller {
public:
  explicit Unroller(const LoopAnalyses &Known) : Known(Known) {}

  struct Plan {
    Loop *Of;
    unsigned Times;  ///< Iterations to do at once.
    uint64_t Size;   ///< Instructions of the body, by LLVM's estimate.
    bool LeavesRest; ///< A loop of their own does those that are left over.
  };

  /// The loops to unroll, in the order of their blocks; none where they would
  /// make too much code.
  SmallVector<Plan, 4> find() const {
    SmallVector<Plan, 4> Found;
    uint64_t Added = 0;
    for (Loop *L : Known.Loops.getLoopsInPreorder())
      if (std::optional<Plan> P = planFor(*L)) {
        Added += (P->Times - 1) * P->Size;
        Found.push_back(*P);
      }
    if (Added > MostAdded)
      Found.clear();
    return Found;
  }

  /// False if L stays rolled.
  bool unroll(const Plan &P) {
    Loop &L = *P.Of;
    SmallPtrSet<AllocaInst *, 4> Arrays;
    for (BasicBlock *B : L.blocks())
      for (Instruction &I : *B)
        if (AllocaInst *Array = arrayOf(I))
          Arrays.insert(Array);
    simplifyLoop(&L, &Known.Dominators, &Known.Loops, &Known.Evolution,
                 &Known.Assumptions, /*MSSAU=*/nullptr,
                 /*PreserveLCSSA=*/false);
    if (!L.isLoopSimplifyForm())
      return false;
    formLCSSARecursively(*L.getOutermostLoop(), Known.Dominators, &Known.Loops,
                         &Known.Evolution);
    // Where none are left over, each iteration may have to ask whether it is
    // the last.
    UnrollLoopOptions How{};
    How.Count = P.Times;
    unsigned Multiple = Known.Evolution.getSmallConstantTripMultiple(&L);
    How.Runtime = P.LeavesRest && Multiple % How.Count != 0;
    How.SCEVExpansionBudget = ExpansionBudget;
    Loop *Remainder = nullptr;
    LoopUnrollResult Result =
        UnrollLoop(&L, How, &Known.Loops, &Known.Evolution, &Known.Dominators,
                   &Known.Assumptions, &Known.Costs, /*ORE=*/nullptr,
                   /*PreserveLCSSA=*/true, &Remainder);
    if (Result == LoopUnrollResult::Unmodified)
      return false;
    for (AllocaInst *Array : Arrays)
      Array->setAlignment(std::max(Array->getAlign(), WidestAccess));
    if (Remainder)
      Remainder->setLoopAlreadyUnrolled();
    if (Result == LoopUnrollResult::PartiallyUnrolled &&
        P.Times * P.Size > MostUnrolledByPtxas)
      L.setLoopAlreadyUnrolled();
    return true;
  }

private:
  const LoopAnalyses &Known;

  /// Nothing if L stays as it is.
  std::optional<Plan> planFor(Loop &L) const {
    BasicBlock *Latch = L.getLoopLatch(), *Exiting = L.getExitingBlock();
    if (!L.isInnermost() || !Latch || !Exiting ||
        (hasUnrollTransformation(&L) & TM_Disable))
      return std::nullopt;
    bool EndsAtLatch = Exiting == Latch;
    Waits Are = waitsOf(L);
    if (!Are.ForMemory && !Are.ForThreads)
      return std::nullopt;
    SmallPtrSet<const Value *, 8> Ephemeral;
    CodeMetrics::collectEphemeralValues(&L, &Known.Assumptions, Ephemeral);
    UnrollCostEstimator Cost(&L, Known.Costs, Ephemeral, BackEdgeInstructions);
    if (!Cost.canUnroll() || Cost.getRolledLoopSize() > MostInstructionsOfBody)
      return std::nullopt;
    uint64_t Size = Cost.getRolledLoopSize();
    if (Are.ForThreads && EndsAtLatch) {
      stateNoWrap(L);
      return Plan{&L, timesOfConvergent(L, Size), Size,
                  hasUniformCount(L) && hasCheapCount(L)};
    }
    if (Are.ForThreads || hasUnrollTransformation(&L) != TM_Unspecified)
      return std::nullopt;
    unsigned Count = Known.Evolution.getSmallConstantTripCount(&L);
    // ptxas unrolls loops of one block by itself. nvcc unrolls others, too;
    // clang has copied the body, but not often enough, or has not.
    if (L.getNumBlocks() != 1 && Count && Count <= mostTimes(Size))
      return Plan{&L, Count, Size, /*LeavesRest=*/false};
    unsigned Most = Known.Evolution.getSmallConstantMaxTripCount(&L);
    bool IsShort = (Most && Most < LeastIterations) ||
                   (Count && Count * Size < LeastInAll && !Are.ForArrays);
    if (!EndsAtLatch || IsShort || isUnrolled(L) || !hasCheapCount(L))
      return std::nullopt;
    return Plan{&L, UnrolledIterations, Size, /*LeavesRest=*/true};
  }

  /// Has LLVM know that the counter that the branch at L's end compares never
  /// wraps, so that it can count L. By itself it does not where a thread may
  /// wait for ever ahead of that branch, at a barrier or a volatile access;
  /// which then does not see what was compared either.
  void stateNoWrap(Loop &L) const {
    ScalarEvolution &Evolution = Known.Evolution;
    const ICmpInst *Test = L.getLatchCmpInst();
    if (!Test)
      return;
    for (Value *Compared : Test->operands()) {
      auto *Sum = dyn_cast<OverflowingBinaryOperator>(Compared);
      auto IsBefore = [&](const Value *V) {
        const auto *Phi = dyn_cast<PHINode>(V);
        return Phi && Phi->getParent() == L.getHeader() &&
               Phi->getIncomingValueForBlock(L.getLoopLatch()) == Sum;
      };
      if (!Sum || !Sum->hasNoSignedWrap() || none_of(Sum->operands(), IsBefore))
        continue;
      const auto *Counter = dyn_cast<SCEVAddRecExpr>(Evolution.getSCEV(Sum));
      if (Counter && Counter->getLoop() == &L)
        Evolution.setNoWrapFlags(const_cast<SCEVAddRecExpr *>(Counter),
                                 SCEV::FlagNSW);
    }
    Evolution.forgetLoop(&L);
  }

  /// Whether all threads of a block make as many iterations of L.
  bool hasUniformCount(const Loop &L) const {
    const SCEV *Count = Known.Evolution.getBackedgeTakenCount(&L);
    return isKernel(*L.getHeader()->getParent()) &&
           !isa<SCEVCouldNotCompute>(Count) &&
           !SCEVExprContains(Count, [](const SCEV *Of) {
             const auto *Leaf = dyn_cast<SCEVUnknown>(Of);
             return isa<SCEVAddRecExpr>(Of) ||
                    (Leaf && !isUniform(*Leaf->getValue()));
           });
  }

  /// Iterations of a body of Size instructions to do at once at most.
  static unsigned mostTimes(uint64_t Size) {
    return static_cast<unsigned>(UnrolledIterations * MostInstructionsOfBody /
                                 Size);
  }

  /// clang leaves loops with barriers rolled, but for the shortest, even where
  /// the source says how far to unroll them; ptxas does, too.
  unsigned timesOfConvergent(Loop &L, uint64_t Size) const {
    unsigned Most = mostTimes(Size);
    if (auto Stated = getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count"))
      return std::min(unsigned(*Stated), Most);
    unsigned Count = Known.Evolution.getSmallConstantTripCount(&L);
    return Count && Count <= Most ? Count : UnrolledIterations;
  }

  /// Whether clang, or the source, has L do several iterations at once: it
  /// counts by more than one up to a multiple of that.
  bool isUnrolled(const Loop &L) const {
    const auto *Steps =
        dyn_cast<SCEVUDivExpr>(Known.Evolution.getBackedgeTakenCount(&L));
    const auto *Step =
        Steps ? dyn_cast<SCEVConstant>(Steps->getRHS()) : nullptr;
    return Step && Known.Evolution.getConstantMultiple(Steps->getLHS())
                           .urem(Step->getAPInt()) == 0;
  }

  /// Whether it costs little to find out how many iterations are left over.
  bool hasCheapCount(Loop &L) const {
    const BasicBlock *Ahead = L.getLoopPredecessor();
    const SCEV *Count = Known.Evolution.getBackedgeTakenCount(&L);
    SCEVExpander Expander(Known.Evolution, "count");
    return Ahead && !isa<SCEVCouldNotCompute>(Count) &&
           !Expander.isHighCostExpansion(Count, &L, ExpansionBudget,
                                         &Known.Costs, Ahead->getTerminator());
  }
};

/// Has texture reads not keep loops rolled.
void relaxTextureReads(const LoopAnalyses &Known) {
  for (const Loop *L : Known.Loops)
    for (BasicBlock *B : L->blocks())
      for (Instruction &I : *B)
        if (auto *Call = dyn_cast<CallInst>(&I); Call && readsTexture(*Call))
          Call->removeFnAttr(Attribute::Convergent);
}

} // namespace

std::optional<bool> unrollsFully(Function &F, FunctionAnalyses &Analyses) {
  LoopAnalyses Known(F, Analyses.get());
  auto Plans = Unroller(Known).find();
  if (Plans.empty())
    return std::nullopt;
  return any_of(Plans, [&Known](const Unroller::Plan &P) {
    return P.Times == Known.Evolution.getSmallConstantTripCount(P.Of);
  });
}

bool unrollLoops(Function &F, FunctionAnalyses &Analyses) {
  LoopAnalyses Known(F, Analyses.get());
  relaxTextureReads(Known);
  Unroller All(Known);
  bool Changed = false;
  for (const Unroller::Plan &P : All.find())
    Changed |= All.unroll(P);
  if (!Changed)
    return false;
  for (Instruction &I : instructions(F))
    if (AllocaInst *Array = arrayOf(I))
      stateAlignment(I, *Array, Known.Evolution);
  return true;
}

} // namespace regdem
