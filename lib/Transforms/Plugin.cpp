//===- Plugin.cpp - entry point for clang, opt and llc --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Builder/SettleModule.h"
#include "regdem/Host/Dispatch.h"
#include "regdem/Passes/Pass.h"

#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/Config/llvm-config.h"
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

/// Puts the host side's pass after all optimizations, and makes it known by
/// name.
static void registerDispatch(PassBuilder &Builder) {
  Builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &Passes, OptimizationLevel, ThinOrFullLTOPhase) {
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
            regdem::warnOfDeferredCodeGeneration(Builder);
            registerDispatch(Builder);
            regdem::registerScalarArrays(Builder);
          },
          [](Module &M, TargetMachine &TM, CodeGenFileType Type,
             raw_pwrite_stream &OS) {
            std::optional<std::string> PTX = regdem::settleModule(M, TM);
            if (!PTX || Type != CodeGenFileType::AssemblyFile)
              return false; // The default pipeline generates the code.
            OS << *PTX;
            return true;
          }};
}
