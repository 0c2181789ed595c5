//===- RelaxedSwaps.cpp - atomicCAS() as CUDA defines it ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Transform/RelaxedSwaps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem {

static constexpr StringLiteral Mark = "regdem.cuda.swap";

/// What atomicCAS() of clang's and CUDA's headers comes down to, for int,
/// unsigned, unsigned long long and unsigned short.
static constexpr StringLiteral SwapsOfHeader[] = {
    "_ZL12__iAtomicCASPiii", "_ZL12__uAtomicCASPjjj", "_ZL14__ullAtomicCASPyyy",
    "_ZL13__usAtomicCASPttt"};

static bool isStrict(const Instruction &I) {
  const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I);
  return Swap && Swap->hasMetadata(Mark) &&
         Swap->getSuccessOrdering() != AtomicOrdering::Monotonic;
}

void markSwapsOfCUDA(Module &M) {
  for (StringRef Name : SwapsOfHeader)
    if (Function *F = M.getFunction(Name))
      for (Instruction &I : instructions(F))
        if (isa<AtomicCmpXchgInst>(I))
          I.setMetadata(Mark, MDNode::get(M.getContext(), {}));
}

bool hasStrictSwaps(const Function &Kernel) {
  return any_of(instructions(Kernel), isStrict);
}

bool relaxSwaps(Function &Kernel) {
  bool Changed = false;
  for (Instruction &I : instructions(Kernel)) {
    if (!isStrict(I))
      continue;
    auto &Swap = cast<AtomicCmpXchgInst>(I);
    Swap.setSuccessOrdering(AtomicOrdering::Monotonic);
    Swap.setFailureOrdering(AtomicOrdering::Monotonic);
    Swap.setSyncScopeID(Kernel.getContext().getOrInsertSyncScopeID("device"));
    Changed = true;
  }
  return Changed;
}

} // namespace regdem
