//===- KernelIsolation.cpp - a module of one kernel -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelIsolation.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace regdem {

/// Removes clang's list of the functions that -fgpu-rdc keeps: it would refer
/// to kernels that are not there.
static void removeKeepList(Module &M) {
  GlobalVariable *List = M.getGlobalVariable("__clang_gpu_used_external",
                                             /*AllowInternal=*/true);
  if (!List)
    return;
  removeFromUsedLists(
      M, [List](Constant *C) { return C->stripPointerCasts() == List; });
  List->removeDeadConstantUsers();
  if (List->use_empty())
    List->eraseFromParent();
}

/// Removes from M what Kernel does not need: other kernels, and functions that
/// are then unused.
static void isolate(Module &M, Function &Kernel) {
  removeKeepList(M);
  for (Function &F : M)
    if (isKernel(F) && &F != &Kernel)
      F.deleteBody();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : make_early_inc_range(M)) {
      F.removeDeadConstantUsers();
      if (&F != &Kernel && F.use_empty()) {
        F.eraseFromParent();
        Changed = true;
      }
    }
  }
}

bool needsLinker(const Module &M) {
  for (const GlobalVariable &G : M.globals())
    if (G.isDeclaration() && !G.use_empty() &&
        G.getAddressSpace() != AddressSpace::Shared)
      return true;
  return false;
}

std::unique_ptr<Module> isolateKernel(const Function &Kernel, const Module &M) {
  ValueToValueMapTy Map;
  auto IsNeeded = [&Kernel](const GlobalValue *G) {
    const auto *F = dyn_cast<Function>(G);
    return !F || F == &Kernel || !isKernel(*F);
  };
  std::unique_ptr<Module> Clone = CloneModule(M, Map, IsNeeded);
  isolate(*Clone, *Clone->getFunction(Kernel.getName()));
  return Clone;
}

} // namespace regdem
