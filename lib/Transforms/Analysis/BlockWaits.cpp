//===- BlockWaits.cpp - blocks that wait for each other -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/BlockWaits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regdem {

namespace {

/// Instructions of a loop on which depends whether a thread leaves it.
class ExitSlice {
public:
  explicit ExitSlice(const Loop &L) : L(L) {}

  /// Whether one of them may have been told by another thread.
  bool readsMemory() {
    SmallVector<BasicBlock *, 4> Exiting;
    L.getExitingBlocks(Exiting);
    if (Exiting.empty())
      return true; // It is left by a trap, or by nothing that shows.
    for (const BasicBlock *B : Exiting)
      add(*B->getTerminator());
    for (size_t I = 0; I != Slice.size(); ++I) {
      const Instruction &At = *Slice[I];
      bool IsFixed = At.hasMetadata(LLVMContext::MD_invariant_load);
      // What assembly says of memory is not asked.
      bool IsCall = isa<CallBase>(At) && !isa<IntrinsicInst>(At);
      if (IsCall || (At.mayReadFromMemory() && !IsFixed))
        return true;
      for (const Use &Operand : At.operands())
        if (const auto *Def = dyn_cast<Instruction>(Operand))
          add(*Def);
      if (isa<PHINode>(At) && !isCounter(At))
        addBranches();
    }
    return false;
  }

private:
  const Loop &L;
  SetVector<const Instruction *> Slice;

  void add(const Instruction &I) {
    if (L.contains(&I))
      Slice.insert(&I);
  }

  /// Whether the value of Phi, in L, is not up to a branch in L.
  bool isCounter(const Instruction &Phi) const {
    return Phi.getParent() == L.getHeader() && L.getLoopLatch();
  }

  void addBranches() {
    for (const BasicBlock *B : L.blocks())
      add(*B->getTerminator());
  }
};

} // namespace

bool mayWaitForBlocks(const Function &F, const LoopInfo &Loops) {
  bool HasAsmLoop = any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const auto *Text =
        Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    return Text && StringRef(Text->getAsmString()).contains("bra");
  });
  return HasAsmLoop || any_of(Loops.getLoopsInPreorder(), [](const Loop *L) {
           return ExitSlice(*L).readsMemory();
         });
}

} // namespace regdem
