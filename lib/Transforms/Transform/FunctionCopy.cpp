//===- FunctionCopy.cpp - a function to try something on ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionCopy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace regdem {

Function *copyOf(Function &F) {
  ValueToValueMapTy Map;
  if (DISubprogram *Source = F.getSubprogram())
    Map.MD()[Source].reset(Source); // The copy's lines are those of F.
  Function *Copy = CloneFunction(&F, Map);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  return Copy;
}

void takeBody(Function &F, Function &Copy) {
  for (BasicBlock &Block : F)
    Block.dropAllReferences();
  while (!F.empty())
    F.begin()->eraseFromParent();
  F.splice(F.end(), &Copy);
  for (auto [Mine, Its] : zip_equal(F.args(), Copy.args()))
    Its.replaceAllUsesWith(&Mine);
}

} // namespace regdem
