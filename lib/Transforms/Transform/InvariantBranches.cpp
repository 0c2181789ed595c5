//===- InvariantBranches.cpp - branches that leave a loop -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks that every iteration goes through, from the loop's header on, are
// its stops; what lies between two of them is a detour. A detour is moved as a
// whole or not at all:
//
//   stop ── branch ──> detour's blocks ──> next stop, with its PHIs
//
// All that is between the stops is held to be invariant at first. What depends
// on something that is not, or may have or see an effect, is taken out until no
// more is.
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/InvariantBranches.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Transform/CallInlining.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <optional>
#include <utility>

using namespace llvm;

namespace regdem {

namespace {

/// Whether Load reads what nobody writes while the kernel runs.
bool readsConstant(const LoadInst &Load) {
  if (!Load.isSimple())
    return false;
  const auto *Global =
      dyn_cast<GlobalVariable>(getUnderlyingObject(Load.getPointerOperand()));
  return readsInvariant(Load) || (Global && Global->isConstant());
}

/// Whether all that B does comes to an end. What has no effect does: CUDA says
/// so, as C++ does.
bool comesToAnEnd(const BasicBlock &B) {
  return all_of(B, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return isGuaranteedToTransferExecutionToSuccessor(&I) ||
           (Call && Call->doesNotAccessMemory() && Call->doesNotThrow() &&
            !Call->doesNotReturn());
  });
}

/// Whether Array is accessed by nothing but loads and stores in plain sight.
bool isInPlainSight(const AllocaInst &Array) {
  SmallVector<const Value *, 8> Pointers = {&Array};
  while (!Pointers.empty())
    for (const Use &Of : Pointers.pop_back_val()->uses()) {
      const auto *By = cast<Instruction>(Of.getUser());
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(By))
        Pointers.push_back(By);
      else if (!isa<LoadInst>(By) && !By->isLifetimeStartOrEnd() &&
               getLoadStorePointerOperand(By) != Of.get())
        return false;
    }
  return true;
}

/// The branches of one loop that may leave it.
class LoopBranches {
public:
  LoopBranches(Loop &L, const PostDominatorTree &After) : L(L) {
    findStops(After);
    for (BasicBlock *B : L.blocks())
      for (Instruction &I : *B)
        if (AllocaInst *Array = arrayOf(I)) {
          if (I.isLifetimeStartOrEnd())
            OfIteration.insert(Array);
          else
            Accesses[Array].push_back(&I);
        }
    findInvariant();
  }

  bool any() const {
    return any_of(Detours, [](const Detour &D) { return D.MayLeave; });
  }

  /// Moves all that may leave the loop to where it is entered.
  void hoist() {
    findMoved();
    keepAlive();
    BasicBlock *To = L.getLoopPreheader();
    for (unsigned I = 0; I != Stops.size(); ++I) {
      moveFrom(*Stops[I], *To);
      if (I != Detours.size() && Detours[I].MayLeave)
        To = moveDetour(*Stops[I], Detours[I], *To);
    }
  }

private:
  /// What lies between one stop and the next.
  struct Detour {
    SetVector<BasicBlock *> Blocks;
    BasicBlock *End = nullptr;
    bool MayLeave = false;
  };

  Loop &L;
  SmallVector<BasicBlock *, 8> Stops;
  SmallVector<Detour, 8> Detours; ///< Detours[I] starts at Stops[I].
  SmallPtrSet<Instruction *, 32> Invariant;
  SmallPtrSet<const Instruction *, 32> Moved;
  /// Of arrays in local memory.
  MapVector<AllocaInst *, SmallVector<Instruction *, 8>> Accesses;
  /// Those whose lives start or end in the loop: each iteration has its own.
  SmallPtrSet<const AllocaInst *, 4> OfIteration;

  /// The array in local memory that I accesses, or the life of which it marks.
  static AllocaInst *arrayOf(Instruction &I) {
    Value *Address = I.isLifetimeStartOrEnd() ? I.getOperand(0)
                                              : getLoadStorePointerOperand(&I);
    return Address ? dyn_cast<AllocaInst>(getUnderlyingObject(Address))
                   : nullptr;
  }

  /// The blocks between the last stop and End, of which all come to an end;
  /// none if there is another way in or out.
  std::optional<SetVector<BasicBlock *>> leadingTo(BasicBlock &End) const {
    SetVector<BasicBlock *> Found;
    auto Add = [&](BasicBlock &B) {
      for (BasicBlock *Next : successors(&B))
        if (Next != &End)
          Found.insert(Next);
    };
    Add(*Stops.back());
    for (unsigned I = 0; I != Found.size(); ++I) {
      if (!L.contains(Found[I]) || is_contained(Stops, Found[I]) ||
          !comesToAnEnd(*Found[I]))
        return std::nullopt;
      Add(*Found[I]);
    }
    bool IsOnlyWay = all_of(predecessors(&End), [&](BasicBlock *B) {
      return B == Stops.back() || Found.contains(B);
    });
    if (!IsOnlyWay)
      return std::nullopt;
    return Found;
  }

  void findStops(const PostDominatorTree &After) {
    BasicBlock *Next = L.getHeader();
    while (comesToAnEnd(*Next)) {
      Stops.push_back(Next);
      const DomTreeNode *Node = After.getNode(Next);
      Next = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
      if (!Next || !L.contains(Next) || is_contained(Stops, Next))
        return;
      auto Blocks = leadingTo(*Next);
      if (!Blocks)
        return;
      Detours.push_back({std::move(*Blocks), Next});
    }
  }

  bool isInvariant(const Value *V) const {
    const auto *I = dyn_cast<Instruction>(V);
    return !I || !L.contains(I) || Invariant.contains(I);
  }

  /// Whether each iteration has an Array of its own, and does the same to it.
  bool isFilledAlike(AllocaInst &Array) const {
    auto IsInvariant = [this](const Instruction *I) { return isInvariant(I); };
    return OfIteration.contains(&Array) && isInPlainSight(Array) &&
           all_of(Accesses.lookup(&Array), IsInvariant);
  }

  /// Whether I may be done once for all iterations, if all does that is held to
  /// be invariant by now.
  bool mayBeInvariant(Instruction &I) const {
    if (!all_of(I.operands(), [this](const Use &O) { return isInvariant(O); }))
      return false;
    if (AllocaInst *Array = arrayOf(I))
      return isFilledAlike(*Array);
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return readsConstant(*Load);
    const auto *Call = dyn_cast<CallBase>(&I);
    if (Call && Call->isConvergent())
      return false;
    return !I.mayReadOrWriteMemory() && !I.mayThrow() && !isa<AllocaInst>(I);
  }

  /// Whether D leads the same way in all iterations, and does nothing else.
  bool mayLeave(const BasicBlock &From, const Detour &D) const {
    auto IsInvariant = [this](const Instruction &I) { return isInvariant(&I); };
    return isInvariant(From.getTerminator()) &&
           all_of(D.End->phis(), IsInvariant) &&
           all_of(D.Blocks,
                  [&](const BasicBlock *B) { return all_of(*B, IsInvariant); });
  }

  void findInvariant() {
    for (BasicBlock *B : Stops)
      for (Instruction &I : *B)
        if (!(B == L.getHeader() && isa<PHINode>(I)) && !arrayOf(I))
          Invariant.insert(&I);
    for (Detour &D : Detours) {
      D.MayLeave = !D.Blocks.empty() && !D.End->phis().empty();
      for (PHINode &Phi : D.End->phis())
        Invariant.insert(&Phi);
      for (BasicBlock *B : D.Blocks)
        for (Instruction &I : *B)
          Invariant.insert(&I);
    }
    bool Changed = true;
    auto Drop = [&](Instruction &I) { Changed |= Invariant.erase(&I); };
    while (std::exchange(Changed, false)) {
      SmallVector<Instruction *, 8> Variant;
      for (Instruction *I : Invariant)
        if (!mayBeInvariant(*I))
          Variant.push_back(I);
      for (Instruction *I : Variant)
        Drop(*I);
      for (auto [From, D] : zip(Stops, Detours)) {
        if (D.MayLeave && mayLeave(*From, D))
          continue;
        D.MayLeave = false;
        for (BasicBlock *B : D.Blocks)
          for (Instruction &I : *B)
            Drop(I);
        for (PHINode &Phi : D.End->phis())
          Drop(Phi);
      }
    }
  }

  bool isReadByMoved(const Instruction &I) const {
    return any_of(I.users(), [this](const User *U) {
      return Moved.contains(cast<Instruction>(U));
    });
  }

  bool readsMoved(const Instruction &I) const {
    return any_of(I.operands(), [this](const Use &O) {
      const auto *From = dyn_cast<Instruction>(O);
      return From && Moved.contains(From);
    });
  }

  /// Of what stops compute, takes what detours that leave depend on and what
  /// depends on them; LLVM has decided on all else.
  void findMoved() {
    for (auto [From, D] : zip(Stops, Detours)) {
      if (!D.MayLeave)
        continue;
      Moved.insert(From->getTerminator());
      for (BasicBlock *B : D.Blocks)
        for (Instruction &I : *B)
          Moved.insert(&I);
      for (PHINode &Phi : D.End->phis())
        Moved.insert(&Phi);
    }
    for (BasicBlock *B : Stops)
      for (Instruction &I : *B)
        if (Invariant.contains(&I) && !I.isTerminator() && readsMoved(I))
          Moved.insert(&I);
    for (BasicBlock *B : reverse(Stops))
      for (Instruction &I : reverse(*B))
        if (Invariant.contains(&I) && !I.isTerminator() && isReadByMoved(I))
          Moved.insert(&I);
  }

  /// Has arrays that are accessed ahead of the loop live all through F: marks
  /// of other copies of the code, as of iterations that were peeled, would have
  /// them be dead there.
  void keepAlive() {
    for (const auto &[Array, At] : Accesses)
      if (any_of(At, [this](Instruction *I) { return Moved.contains(I); }))
        for (User *By : make_early_inc_range(Array->users()))
          if (auto *I = cast<Instruction>(By); I->isLifetimeStartOrEnd())
            I->eraseFromParent();
  }

  /// Moves what a stop has computed to the end of To.
  void moveFrom(BasicBlock &Stop, BasicBlock &To) {
    for (Instruction &I : make_early_inc_range(Stop))
      if (Moved.contains(&I) && !I.isTerminator() && !isa<PHINode>(I))
        I.moveBefore(To.getTerminator()->getIterator());
  }

  /// Moves D, which starts at the end of From, behind To: the block where the
  /// detour ends, which is behind it and leads to the loop.
  BasicBlock *moveDetour(BasicBlock &From, const Detour &D, BasicBlock &To) {
    BasicBlock *Header = L.getHeader();
    BasicBlock *Joined = SplitBlock(&To, To.getTerminator()->getIterator());
    Joined->moveBefore(Header);
    for (PHINode &Phi : make_early_inc_range(D.End->phis()))
      Phi.moveBefore(Joined->getTerminator()->getIterator());
    // All ways of the detour now start at To and end at Joined.
    To.getTerminator()->eraseFromParent();
    From.getTerminator()->moveBefore(To, To.end());
    To.getTerminator()->replaceSuccessorWith(D.End, Joined);
    Joined->replacePhiUsesWith(&From, &To);
    for (BasicBlock *B : D.Blocks) {
      B->moveBefore(Joined);
      B->getTerminator()->replaceSuccessorWith(D.End, Joined);
      B->replacePhiUsesWith(&From, &To);
    }
    BranchInst::Create(D.End, &From);
    return Joined;
  }
};

/// Has one loop of F lose branches, the innermost first: whether one does.
bool hoistFromLoop(Function &F) {
  DominatorTree Dominators(F);
  const PostDominatorTree After(F);
  LoopInfo Loops(Dominators);
  SmallVector<Loop *, 4> All = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(All)) {
    LoopBranches Of(*L, After);
    if (!Of.any())
      continue;
    if (!L->getLoopPreheader())
      InsertPreheaderForLoop(L, &Dominators, &Loops, /*MSSAU=*/nullptr,
                             /*PreserveLCSSA=*/false);
    if (!L->getLoopPreheader())
      continue;
    Of.hoist();
    return true;
  }
  return false;
}

} // namespace

bool hasInvariantBranches(Function &F) {
  DominatorTree Dominators(F);
  const PostDominatorTree After(F);
  LoopInfo Loops(Dominators);
  return any_of(Loops.getLoopsInPreorder(),
                [&](Loop *L) { return LoopBranches(*L, After).any(); });
}

bool hoistInvariantBranches(Function &F, FunctionAnalyses &Analyses) {
  if (!hoistFromLoop(F))
    return false;
  while (hoistFromLoop(F)) {
  }
  simplifyAgain(F, Analyses, /*UnrollsMore=*/false);
  return true;
}

} // namespace regdem
