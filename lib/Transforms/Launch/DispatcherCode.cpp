//===- DispatcherCode.cpp - the dispatcher as LLVM IR ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DispatcherCode.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;

namespace regdem {

// Compiled to bitcode when RegDem was built.
static constexpr unsigned char Dispatcher[] = {
#include "Dispatcher.inc"
};
static constexpr unsigned char LaunchLog[] = {
#include "LaunchLog.inc"
};
static constexpr unsigned char LaunchMeasure[] = {
#include "LaunchMeasure.inc"
};

static constexpr const char *EntryPoint = "__regdem_launch";

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

/// Links Bitcode into M.
static void link(Module &M, ArrayRef<unsigned char> Bitcode) {
  std::unique_ptr<Module> Code = cantFail(parseBitcodeFile(
      MemoryBufferRef(toStringRef(Bitcode), "dispatcher"), M.getContext()));
  forgetTarget(*Code, M);
  bool Failed = Linker::linkModules(M, std::move(Code));
  assert(!Failed && "nothing of it has a name that programs use");
  (void)Failed;
}

Function &linkDispatcher(Module &M) {
  link(M, Dispatcher);
  link(M, LaunchLog);
  link(M, LaunchMeasure);
  for (Function &F : M)
    if (!F.isDeclaration() && F.getName().starts_with("__regdem_"))
      F.setLinkage(GlobalValue::InternalLinkage);
  return *M.getFunction(EntryPoint);
}

} // namespace regdem
