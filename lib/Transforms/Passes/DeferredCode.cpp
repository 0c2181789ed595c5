//===- DeferredCode.cpp - device code that the linker generates -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under -foffload-lto the compiler writes bitcode, and the linker, which loads
// no plugin, generates code from it. The compiler can only say so.
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace {

class WarnOfDeferredCode : public PassInfoMixin<WarnOfDeferredCode> {
public:
  static bool isRequired() { return true; } // At -O0, too.

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (M.getTargetTriple().isNVPTX() &&
        regdem::commandLineOptions().RunMode != regdem::Mode::Off &&
        any_of(M, regdem::isKernel))
      regdem::reportWarning(M.getContext(), regdem::describeDeferredCode());
    return PreservedAnalyses::all();
  }
};

} // namespace

void regdem::warnOfDeferredCodeGeneration(PassBuilder &Builder) {
  Builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase At) {
        if (At == ThinOrFullLTOPhase::ThinLTOPreLink ||
            At == ThinOrFullLTOPhase::FullLTOPreLink)
          Passes.addPass(WarnOfDeferredCode());
      });
}
