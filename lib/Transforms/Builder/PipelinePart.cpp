//===- PipelinePart.cpp - a part of code generation -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelinePart.h"

#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/PassRegistry.h"
#include <cassert>

using namespace llvm;

namespace regdem {

static AnalysisID borderID() {
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  initializeCodeGenPrepareLegacyPassPass(Registry);
  const PassInfo *Info = Registry.getPassInfo(StringRef("codegenprepare"));
  assert(Info && "LLVM knows the pass by another name");
  return Info->getTypeInfo();
}

PipelinePart::PipelinePart(Kind Kept, legacy::PassManagerBase &To)
    : Kept(Kept), To(To), Border(borderID()) {}

void PipelinePart::add(Pass *P) {
  bool IsOnIR = !IsBehindBorder;
  if (P->getPassID() == Border)
    IsBehindBorder = true;
  if (P->getAsImmutablePass() || IsOnIR == (Kept == OnIR))
    To.add(P);
  else
    delete P; // As a pass manager does that has the same analysis already.
}

} // namespace regdem
