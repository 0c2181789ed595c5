//===- BranchJoining.cpp - two tests become one ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/BranchJoining.h"

#include "FunctionCopy.h"
#include "regdem/Transform/ArrayChecker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace regdem {

namespace {

/// Instructions of a side, and selects for what both give to others: a branch
/// at which threads part costs as much as some ten.
constexpr unsigned MostInstructionsOfTest = 4;

/// Whether all threads may run I: it cannot fault, and rounds nothing.
bool mayRunAnyway(const Instruction &I) {
  return !I.mayReadFromMemory() && !isa<CallBase>(I) &&
         (!isa<FPMathOperator>(I) || isa<FCmpInst>(I)) &&
         isSafeToSpeculativelyExecute(&I);
}

/// A branch and its sides.
struct Fork {
  BranchInst *At = nullptr;
  BasicBlock *Sides[2] = {};   ///< If its condition holds, and if not.
  BranchInst *Ends[2] = {};    ///< Of the sides.
  BasicBlock *Targets[2] = {}; ///< Of the first side's branch.
};

/// The end of Side, of From, if it is nothing but a test, else null.
BranchInst *endOfTest(BasicBlock &Side, const BasicBlock &From) {
  auto *End = dyn_cast<BranchInst>(Side.getTerminator());
  if (!End || !End->isConditional() || isa<PHINode>(Side.front()) ||
      Side.getUniquePredecessor() != &From || Side.hasAddressTaken())
    return nullptr;
  bool IsTest = Side.size() <= MostInstructionsOfTest + 1 &&
                all_of(drop_end(Side), mayRunAnyway);
  return IsTest ? End : nullptr;
}

/// What PHIs get of one side and not of the other.
unsigned countChoices(const Fork &At) {
  unsigned Choices = 0;
  for (BasicBlock *To : At.Targets)
    for (PHINode &Join : To->phis())
      Choices += Join.getIncomingValueForBlock(At.Sides[0]) !=
                 Join.getIncomingValueForBlock(At.Sides[1]);
  return Choices;
}

std::optional<Fork> forkOf(BasicBlock &Block) {
  auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || !Branch->isConditional())
    return std::nullopt;
  Fork Found;
  Found.At = Branch;
  for (unsigned N : {0u, 1u}) {
    Found.Sides[N] = Branch->getSuccessor(N);
    Found.Ends[N] = endOfTest(*Found.Sides[N], Block);
  }
  if (Found.Sides[0] == Found.Sides[1] || !Found.Ends[0] || !Found.Ends[1])
    return std::nullopt;
  for (unsigned N : {0u, 1u}) {
    BasicBlock *To = Found.Targets[N] = Found.Ends[0]->getSuccessor(N);
    if (To == &Block || is_contained(Found.Sides, To) ||
        !is_contained(Found.Ends[1]->successors(), To))
      return std::nullopt;
  }
  return Found.Targets[0] != Found.Targets[1] &&
                 countChoices(Found) <= MostInstructionsOfTest
             ? std::optional(Found)
             : std::nullopt;
}

/// The blocks at whose ends threads may part, the last first.
SmallVector<BasicBlock *, 8> partingBlocks(Function &F,
                                           FunctionAnalysisManager &FAM) {
  auto &Uniformity = FAM.getResult<UniformityInfoAnalysis>(F);
  SmallVector<BasicBlock *, 8> Found;
  for (BasicBlock &Block : reverse(F))
    if (Uniformity.hasDivergentTerminator(Block))
      Found.push_back(&Block);
  return Found;
}

void join(const Fork &Known) {
  BasicBlock *Block = Known.At->getParent();
  for (BasicBlock *Side : Known.Sides)
    for (Instruction &I : make_early_inc_range(drop_end(*Side)))
      I.moveBefore(Known.At->getIterator());
  IRBuilder<> At(Known.At);
  Value *Is = Known.At->getCondition();
  auto Choose = [&](Value *First, Value *Second) {
    return First == Second ? First : At.CreateSelect(Is, First, Second);
  };
  for (BasicBlock *To : Known.Targets)
    for (PHINode &Join : To->phis()) {
      Value *Both = Choose(Join.getIncomingValueForBlock(Known.Sides[0]),
                           Join.getIncomingValueForBlock(Known.Sides[1]));
      for (BasicBlock *Side : Known.Sides)
        Join.removeIncomingValue(Side, /*DeletePHIIfEmpty=*/false);
      Join.addIncoming(Both, Block);
    }
  Value *Second = Known.Ends[1]->getCondition();
  if (Known.Ends[1]->getSuccessor(0) != Known.Targets[0])
    Second = At.CreateNot(Second);
  At.CreateCondBr(Choose(Known.Ends[0]->getCondition(), Second),
                  Known.Targets[0], Known.Targets[1]);
  Known.At->eraseFromParent();
  for (BasicBlock *Side : Known.Sides)
    Side->eraseFromParent();
}

} // namespace

bool mayHaveJoinableBranches(Function &F) {
  return any_of(F, [](BasicBlock &Block) { return forkOf(Block).has_value(); });
}

bool hasJoinableBranches(Function &F, FunctionAnalysisManager &FAM) {
  return any_of(partingBlocks(F, FAM),
                [](BasicBlock *Block) { return forkOf(*Block).has_value(); });
}

Expected<bool> joinBranches(Function &F, FunctionAnalysisManager &FAM) {
  if (!hasJoinableBranches(F, FAM))
    return false;
  ValueToValueMapTy Map;
  Function *Original = copyOf(F, Map);
  // What is joined is a block with two targets: sides of others come first.
  DenseSet<BasicBlock *> Gone;
  for (BasicBlock *Block : partingBlocks(F, FAM))
    while (!Gone.contains(Block)) {
      std::optional<Fork> Known = forkOf(*Block);
      if (!Known)
        break;
      Gone.insert_range(Known->Sides);
      join(*Known);
    }
  Error Problem = checkArrays(*Original, F, /*Removed=*/{});
  bool IsSame = !Problem;
  Error Fault =
      handleErrors(std::move(Problem), [](const StringError &What) -> Error {
        if (What.convertToErrorCode() == std::errc::not_supported)
          return Error::success();
        return createStringError(What.getMessage());
      });
  if (!IsSame)
    takeBody(F, *Original);
  Original->eraseFromParent();
  FAM.invalidate(F, PreservedAnalyses::none());
  if (Fault)
    return Fault;
  return IsSame;
}

} // namespace regdem
