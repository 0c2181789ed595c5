//===- KernelIsolation.cpp - a module of one kernel -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelIsolation.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
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

/// Those of M that Kernel calls or refers to, directly or through others, and
/// those that anything but code refers to.
static SmallPtrSet<const Function *, 16> usedFunctions(Module &M,
                                                       const Function &Kernel) {
  SmallPtrSet<const Function *, 16> Used = {&Kernel};
  auto IsUsed = [&Used](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    return !I || Used.contains(I->getFunction());
  };
  for (size_t Before = 0; Before != Used.size();) {
    Before = Used.size();
    for (Function &F : M) {
      F.removeDeadConstantUsers();
      if (any_of(F.users(), IsUsed))
        Used.insert(&F);
    }
  }
  return Used;
}

void removeUnused(Module &M, const Function &Kernel) {
  for (SmallVector<Function *> Unused;; Unused.clear()) {
    auto Used = usedFunctions(M, Kernel);
    for (Function &F : M)
      if (!Used.contains(&F))
        Unused.push_back(&F);
    if (Unused.empty())
      return;
    for (Function *F : Unused) // They may call each other.
      F->deleteBody();
    for (Function *F : Unused)
      F->eraseFromParent();
  }
}

/// Removes from M what Kernel does not need: other kernels, and functions that
/// are then unused.
static void isolate(Module &M, Function &Kernel) {
  removeKeepList(M);
  for (Function &F : M)
    if (isKernel(F) && &F != &Kernel)
      F.deleteBody();
  removeUnused(M, Kernel);
}

/// Puts the uses of V's copy into the order that V's own have.
static void orderUses(const Value &V, const ValueToValueMapTy &Copies) {
  DenseMap<const Use *, unsigned> Places;
  for (const Use &U : V.uses())
    if (auto *User = dyn_cast_or_null<Instruction>(Copies.lookup(U.getUser())))
      Places.try_emplace(&User->getOperandUse(U.getOperandNo()), Places.size());
  if (Value *Copy = Copies.lookup(&V))
    Copy->sortUseList([&](const Use &A, const Use &B) {
      return Places.lookup(&A) < Places.lookup(&B);
    });
}

/// Does so for all values of F. Passes that walk over uses, such as loop
/// strength reduction, would otherwise make other code of the copy.
static void orderUsesIn(const Function &F, const ValueToValueMapTy &Copies) {
  for (const Argument &A : F.args())
    orderUses(A, Copies);
  for (const BasicBlock &B : F)
    orderUses(B, Copies);
  for (const Instruction &I : instructions(F))
    orderUses(I, Copies);
}

Function *copyBehind(Function &F) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  orderUsesIn(F, Map);
  Copy->removeFromParent();
  F.getParent()->getFunctionList().insertAfter(F.getIterator(), Copy);
  return Copy;
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
  for (const Function &F : M)
    if (IsNeeded(&F))
      orderUsesIn(F, Map);
  isolate(*Clone, *Clone->getFunction(Kernel.getName()));
  return Clone;
}

} // namespace regdem
