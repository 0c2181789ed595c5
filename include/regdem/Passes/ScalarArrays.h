//===- ScalarArrays.h - arrays out of local memory, as a pass ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// opt's regdem-scalar-arrays: the rewrite by itself, for tests and for whoever
// wants to look at it. It does not ask whether it pays.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_PASSES_SCALARARRAYS_H
#define REGDEM_PASSES_SCALARARRAYS_H

#include "llvm/IR/PassManager.h"

namespace regdem {

class ScalarArraysPass : public llvm::PassInfoMixin<ScalarArraysPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
  static bool isRequired() { return true; }
};

} // namespace regdem

#endif // REGDEM_PASSES_SCALARARRAYS_H
