//===- AssemblyReads.cpp - what assembly reads of memory ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/AssemblyReads.h"

#include "regdem/Analysis/CalledFunctions.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace regdem {

/// Whether an instruction of Text reads memory that a thread may write.
static bool readsMemory(StringRef Text) {
  return Regex("(^|[^A-Za-z0-9_.%$])(ld|ldu|ldmatrix|suld|wmma\\.load|multimem)"
               "\\.")
      .match(Text);
}

/// Whether Call, of assembly, is changed into one that reads memory and keeps
/// its place among others.
static bool stateReads(CallBase &Call) {
  const auto *Is = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Is || Is->hasSideEffects() || !readsMemory(Is->getAsmString()))
    return false;
  Call.setCalledOperand(InlineAsm::get(
      Is->getFunctionType(), Is->getAsmString(), Is->getConstraintString(),
      /*hasSideEffects=*/true, Is->isAlignStack(), Is->getDialect(),
      Is->canThrow()));
  Call.setMemoryEffects(Call.getMemoryEffects() | MemoryEffects::readOnly());
  return true;
}

bool stateAssemblyReads(Function &F) {
  const auto Functions = withCalledFunctions(F);
  bool Changed = false;
  for (Function *G : Functions)
    for (Instruction &I : instructions(*G))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Changed |= stateReads(*Call);
  if (!Changed)
    return false;
  for (Function *G : Functions) {
    G->setMemoryEffects(G->getMemoryEffects() | MemoryEffects::readOnly());
    for (User *U : G->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Call->setMemoryEffects(Call->getMemoryEffects() |
                               MemoryEffects::readOnly());
  }
  return true;
}

} // namespace regdem
