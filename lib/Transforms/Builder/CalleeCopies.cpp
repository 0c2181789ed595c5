//===- CalleeCopies.cpp - functions for a kernel's builds -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalleeCopies.h"

#include "KernelIsolation.h"
#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "regdem/Decision/Builds/Outcome.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

CalleeCopies copyCallees(const Function &Kernel) {
  CalleeCopies Copies;
  for (Function *F : calledFunctions(Kernel)) {
    Function *Copy = copyBehind(*F);
    Copy->setName(kernelOfBuild(F->getName()) + LaunchBuildSuffix);
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copy->setVisibility(GlobalValue::DefaultVisibility);
    Copy->setComdat(nullptr);
    Copies[F] = Copy;
  }
  for (auto [F, Copy] : Copies)
    callCopies(*Copy, Copies);
  return Copies;
}

void callCopies(Function &F, const CalleeCopies &Copies) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Copy = Copies.lookup(Call->getCalledFunction()))
        Call->setCalledFunction(Copy);
}

void eraseUnused(const CalleeCopies &Copies) {
  SmallVector<Function *> Left;
  for (auto [F, Copy] : Copies)
    Left.push_back(Copy);
  // Those that others call come off last.
  for (size_t Before = 0; Before != Left.size();) {
    Before = Left.size();
    erase_if(Left, [](Function *Copy) {
      bool IsUnused = Copy->use_empty();
      if (IsUnused)
        Copy->eraseFromParent();
      return IsUnused;
    });
  }
}

static bool mayHaveJumpTable(const Function *F) {
  return !omitsJumpTables(*F) &&
         any_of(instructions(F),
                [](const Instruction &I) { return isa<SwitchInst>(I); });
}

void omitTables(Module &M) {
  for (Function *Kernel : to_vector(make_pointer_range(M))) {
    if (!isKernel(*Kernel))
      continue;
    std::optional<Outcome> Settled = readSettled(*Kernel);
    if (Settled && !keepsTables(*Settled, Settled->stock()))
      omitJumpTables(*Kernel);
    if (!omitsJumpTables(*Kernel) ||
        none_of(calledFunctions(*Kernel), mayHaveJumpTable))
      continue;
    CalleeCopies Copies = copyCallees(*Kernel);
    callCopies(*Kernel, Copies);
    for (auto [F, Copy] : Copies)
      omitJumpTables(*Copy);
  }
}

} // namespace regdem
