//===- LinkedCode.cpp - code that becomes part of programs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleEdits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;

namespace regdem {

/// Removes from Code what it says of the machine that RegDem was built for: the
/// module that it is linked into has its own.
static void forgetTarget(Module &Code, const Module &For) {
  Code.setTargetTriple(For.getTargetTriple());
  Code.setDataLayout(For.getDataLayout());
  for (const char *Name : {"llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *Node = Code.getNamedMetadata(Name))
      Node->eraseFromParent();
  for (Function &F : Code)
    for (const char *Name : {"target-cpu", "tune-cpu", "target-features"})
      F.removeFnAttr(Name);
}

void linkCode(Module &M, ArrayRef<ArrayRef<unsigned char>> Parts) {
  for (ArrayRef<unsigned char> Bitcode : Parts) {
    std::unique_ptr<Module> Code = cantFail(parseBitcodeFile(
        MemoryBufferRef(toStringRef(Bitcode), "regdem"), M.getContext()));
    forgetTarget(*Code, M);
    bool Failed = Linker::linkModules(M, std::move(Code));
    assert(!Failed && "nothing of it has a name that programs use");
    (void)Failed;
  }
  for (GlobalObject &G : M.global_objects())
    if (!G.isDeclaration() && G.getName().starts_with("__regdem_"))
      G.setLinkage(GlobalValue::InternalLinkage);
}

} // namespace regdem
