//===- CalledFunctions.cpp - what a kernel calls --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/CalledFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

/// Adds the functions with a body that F calls by name.
static void addCallees(const Function &F, CalledFunctions &Called) {
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && !Callee->isDeclaration())
        Called.insert(Callee);
}

CalledFunctions calledFunctions(const Function &Root) {
  CalledFunctions Called;
  addCallees(Root, Called);
  for (unsigned I = 0; I != Called.size(); ++I)
    addCallees(*Called[I], Called);
  return Called;
}

SmallVector<Function *, 4> withCalledFunctions(Function &Root) {
  SmallVector<Function *, 4> All = {&Root};
  for (Function *F : calledFunctions(Root))
    if (F != &Root)
      All.push_back(F);
  return All;
}

bool mayCallThemselves(const CalledFunctions &Called) {
  // Those that call nothing end, then those that call only these, and so on.
  SmallPtrSet<const Function *, 8> End;
  for (size_t Before = ~size_t(0); Before != End.size();) {
    Before = End.size();
    for (const Function *F : Called) {
      CalledFunctions Callees;
      addCallees(*F, Callees);
      if (all_of(Callees, [&](const Function *C) { return End.contains(C); }))
        End.insert(F);
    }
  }
  return End.size() != Called.size();
}

UsedVariables usedVariables(ArrayRef<const Function *> Functions,
                            const Module &M) {
  UsedVariables Found;
  SmallPtrSet<const Constant *, 16> Seen;
  SmallVector<const User *> Pending;
  auto Follow = [&](const User &Root) {
    for (Pending = {&Root}; !Pending.empty();)
      for (const Use &Operand : Pending.pop_back_val()->operands()) {
        if (const auto *G = dyn_cast<GlobalVariable>(Operand))
          Found.insert(G);
        else if (const auto *C = dyn_cast<Constant>(Operand);
                 C && !isa<Function>(C) && Seen.insert(C).second)
          Pending.push_back(C);
      }
  };
  for (const Function *F : Functions)
    for (const Instruction &I : instructions(*F))
      Follow(I);
  for (const GlobalVariable &G : M.globals())
    if (!G.getName().starts_with("llvm."))
      Follow(G);
  return Found;
}

} // namespace regdem
