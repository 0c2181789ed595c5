//===- ScalarArrays.cpp - arrays out of local memory, as a pass -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Passes/ScalarArrays.h"

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Transform/ArrayRewriting.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace regdem {

PreservedAnalyses ScalarArraysPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  if (!isKernel(F) || !mayRewriteArrays(F, FAM))
    return PreservedAnalyses::all();
  rewriteArrays(F, FAM);
  return PreservedAnalyses::none();
}

} // namespace regdem
