//===- Target.cpp - the GPU that code is generated for --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeGenerator.h"
#include "CommandLine.h"
#include "Diagnostics.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Emission/Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/InitializePasses.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;

namespace regdem {

namespace {

constexpr StringLiteral CPUAttr = "target-cpu";
constexpr StringLiteral FeaturesAttr = "target-features";

struct Processor {
  std::string CPU, Features;
};

const llvm::Target *lookupTarget(const Triple &TheTriple) {
  std::string Ignored;
  return TargetRegistry::lookupTarget(TheTriple, Ignored);
}

/// What the kernels of M state, or its other functions where it has none.
/// Reports an error where two kernels state different processors.
std::optional<Processor> statedProcessor(const Module &M) {
  auto CPUOf = [](const Function &F) {
    return F.getFnAttribute(CPUAttr).getValueAsString();
  };
  const Function *Kernel = nullptr, *Other = nullptr;
  for (const Function &F : M) {
    if (F.isDeclaration() || !F.hasFnAttribute(CPUAttr))
      continue;
    const Function *&First = isKernel(F) ? Kernel : Other;
    if (!First) {
      First = &F;
    } else if (isKernel(F) && CPUOf(F) != CPUOf(*Kernel)) {
      reportError("'" + shownName(Kernel->getName()) + "' is for " +
                  CPUOf(*Kernel) + ", '" + shownName(F.getName()) + "' for " +
                  CPUOf(F) + ": state --mcpu");
      return std::nullopt;
    }
  }
  const Function *From = Kernel ? Kernel : Other;
  if (!From)
    return Processor();
  return Processor{CPUOf(*From).str(),
                   From->getFnAttribute(FeaturesAttr).getValueAsString().str()};
}

void overrideProcessor(Module &M, const Processor &P) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    F.addFnAttr(CPUAttr, P.CPU);
    F.removeFnAttr(FeaturesAttr);
    if (!P.Features.empty())
      F.addFnAttr(FeaturesAttr, P.Features);
  }
}

/// The options that clang and llc use for PTX.
TargetOptions ptxOptions() {
  TargetOptions Options;
  Options.MCOptions.AsmVerbose = true;
  Options.MCOptions.PreserveAsmComments = true;
  return Options;
}

} // namespace

void initialize() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  initializeCore(Registry);
  initializeCodeGen(Registry);
}

std::optional<std::string> findTargetProblem(StringRef CPU,
                                             StringRef Features) {
  Triple TheTriple("nvptx64-nvidia-cuda");
  const llvm::Target *T = lookupTarget(TheTriple);
  if (!T)
    return "this LLVM was built without the NVPTX target";
  std::unique_ptr<MCSubtargetInfo> Known(
      T->createMCSubtargetInfo(TheTriple, "", ""));
  if (!CPU.empty() && !Known->isCPUStringValid(CPU))
    return ("'" + CPU + "' is no GPU that this LLVM knows").str();
  SubtargetFeatures Wanted(Features);
  for (const std::string &Feature : Wanted.getFeatures()) {
    StringRef Name = SubtargetFeatures::StripFlag(Feature);
    if (none_of(Known->getAllProcessorFeatures(),
                [&](const SubtargetFeatureKV &KV) { return KV.Key == Name; }))
      return ("'" + Name + "' is no target feature that this LLVM knows").str();
  }
  return std::nullopt;
}

std::unique_ptr<TargetMachine> createTargetMachine(Module &M,
                                                   const Request &R) {
  Processor P{R.CPU, R.Features};
  if (!P.CPU.empty()) {
    overrideProcessor(M, P);
  } else {
    std::optional<Processor> Stated = statedProcessor(M);
    if (!Stated)
      return nullptr;
    P = *Stated;
    if (auto Problem = findTargetProblem(P.CPU, P.Features)) {
      reportError(*Problem);
      return nullptr;
    }
  }
  return std::unique_ptr<TargetMachine>(
      lookupTarget(M.getTargetTriple())
          ->createTargetMachine(M.getTargetTriple(), P.CPU, P.Features,
                                ptxOptions(), /*RM=*/std::nullopt,
                                M.getCodeModel(), R.Level));
}

} // namespace regdem
