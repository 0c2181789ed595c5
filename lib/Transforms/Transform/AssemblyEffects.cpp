//===- AssemblyEffects.cpp - what assembly does with memory ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/AssemblyEffects.h"

#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace regdem {

/// What Text does with memory that other threads may write, or with what
/// changes by itself, as the clock does: it keeps its place as if it wrote.
static MemoryEffects effectsOf(StringRef Text) {
  static const Regex Writes(
      "(^|[^A-Za-z0-9_.%$])(atom|red|st|sust|sured|stmatrix|wmma\\.store|cp|"
      "mbarrier|bar|barrier|fence|membar|tcgen05|wgmma)\\.");
  static const Regex Reads(
      "(^|[^A-Za-z0-9_.%$])(ld|ldu|ldmatrix|suld|wmma\\.load|multimem)\\.");
  if (Writes.match(Text) || readsClock(Text))
    return MemoryEffects::unknown();
  return Reads.match(Text) ? MemoryEffects::readOnly() : MemoryEffects::none();
}

/// What Call, if it is of assembly that says nothing of it, does with memory;
/// it says so now, and keeps its place among others.
static MemoryEffects stateEffects(CallBase &Call) {
  const auto *Is = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Is || Is->hasSideEffects())
    return MemoryEffects::none();
  MemoryEffects Effects = effectsOf(Is->getAsmString());
  if (Effects.doesNotAccessMemory())
    return Effects;
  Call.setCalledOperand(InlineAsm::get(
      Is->getFunctionType(), Is->getAsmString(), Is->getConstraintString(),
      /*hasSideEffects=*/true, Is->isAlignStack(), Is->getDialect(),
      Is->canThrow()));
  Call.setMemoryEffects(Call.getMemoryEffects() | Effects);
  return Effects;
}

bool stateAssemblyEffects(Function &F) {
  const auto Functions = withCalledFunctions(F);
  MemoryEffects New = MemoryEffects::none();
  for (Function *G : Functions)
    for (Instruction &I : instructions(*G))
      if (auto *Call = dyn_cast<CallBase>(&I))
        New |= stateEffects(*Call);
  if (New.doesNotAccessMemory())
    return false;
  for (Function *G : Functions) {
    G->setMemoryEffects(G->getMemoryEffects() | New);
    for (User *U : G->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Call->setMemoryEffects(Call->getMemoryEffects() | New);
  }
  return true;
}

} // namespace regdem
