//===- Plugin.cpp - entry point for clang, opt and llc --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Source/LaunchReader.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Builder/SettleModule.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Host/Dispatch.h"
#include "regdem/Options.h"
#include "regdem/Passes/Pass.h"
#include "regdem/Transform/RelaxedSwaps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

using namespace llvm;

/// Called for each code generator that is set up, once the plugin is loaded.
static RegisterTargetPassConfigCallback
    Callback([](TargetMachine &TM, PassManagerBase &PM, TargetPassConfig *C) {
      regdem::addPasses(TM, PM, *C);
    });

namespace {

/// Warns where code generation for NVPTX is put off to the link. Under
/// -foffload-lto the compiler writes bitcode, and the linker, which loads no
/// plugin, generates code from it. The compiler can only say so.
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

/// Stands ahead of all inlining.
class MarkSwaps : public PassInfoMixin<MarkSwaps> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (M.getTargetTriple().isNVPTX())
      regdem::markSwapsOfCUDA(M);
    return PreservedAnalyses::all();
  }
};

} // namespace

/// Puts what there is for whole modules ahead of all optimizations and after
/// them, and makes the host side's pass known by name.
static void registerModulePasses(PassBuilder &Builder) {
  Builder.registerPipelineStartEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel) {
        Passes.addPass(MarkSwaps());
      });
  Builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase At) {
        if (At == ThinOrFullLTOPhase::ThinLTOPreLink ||
            At == ThinOrFullLTOPhase::FullLTOPreLink)
          Passes.addPass(WarnOfDeferredCode());
        Passes.addPass(regdem::DispatchPass());
      });
  Builder.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &Passes,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "regdem-dispatch")
          return false;
        Passes.addPass(regdem::DispatchPass());
        return true;
      });
}

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "RegDem", REGDEM_VERSION,
          [](PassBuilder &Builder) {
            registerModulePasses(Builder);
            regdem::registerScalarArrays(Builder);
          },
          [](Module &M, TargetMachine &TM, CodeGenFileType Type,
             raw_pwrite_stream &OS) {
            std::optional<std::string> PTX =
                regdem::settleModule(M, TM, regdem::launchesOfSource());
            if (!PTX || Type != CodeGenFileType::AssemblyFile)
              return false; // The default pipeline generates the code.
            OS << *PTX;
            return true;
          }};
}
