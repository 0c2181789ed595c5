//===- FunctionAnalyses.h - LLVM's analyses for one function ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code generator's own pass manager has no analyses to give to a function
// that is changed in several steps. This sets up the others, on demand: each is
// computed when it is first asked for.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ANALYSIS_FUNCTIONANALYSES_H
#define REGDEM_ANALYSIS_FUNCTIONANALYSES_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace regdem {

class FunctionAnalyses {
public:
  explicit FunctionAnalyses(llvm::TargetMachine &TM) : Builder(&TM) {
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Components);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  }
  FunctionAnalyses(const FunctionAnalyses &) = delete;
  FunctionAnalyses &operator=(const FunctionAnalyses &) = delete;

  llvm::FunctionAnalysisManager &get() { return Functions; }

  /// Makes pipelines of LLVM for the same target.
  llvm::PassBuilder &builder() { return Builder; }

private:
  llvm::PassBuilder Builder;
  // Each may be used by those after it when they are destroyed.
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager Components;
  llvm::ModuleAnalysisManager Modules;
};

} // namespace regdem

#endif // REGDEM_ANALYSIS_FUNCTIONANALYSES_H
