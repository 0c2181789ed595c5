//===- CandidateBuilder.cpp - compile one kernel in several ways ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateBuilder.h"

#include "regdem/Decision/Decide.h"
#include "regdem/Emission/KernelAttributes.h"
#include "regdem/Emission/TrialAttributes.h"
#include "regdem/Options.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

/// Removes from M what Kernel does not need: other kernels, and functions that
/// are then unused.
static void isolate(Module &M, Function &Kernel) {
  for (Function &F : M)
    if (isKernel(F) && &F != &Kernel)
      F.deleteBody();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : make_early_inc_range(M))
      if (&F != &Kernel && F.use_empty()) {
        F.eraseFromParent();
        Changed = true;
      }
  }
}

/// Whether M refers to variables that only a linker can find.
static bool needsLinker(const Module &M) {
  for (const GlobalVariable &G : M.globals())
    if (G.isDeclaration() && !G.use_empty() &&
        G.getAddressSpace() != AddressSpace::Shared)
      return true;
  return false;
}

CandidateBuilder::CandidateBuilder(const Module &M, const Function &Kernel,
                                   const TargetMachine &TM,
                                   const Ptxas &Assembler)
    : TM(TM), Assembler(Assembler), KernelName(Kernel.getName().str()) {
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  Relocatable = needsLinker(M);
  Options O = cantFail(optionsFor(Kernel, commandLineOptions()));
  KernelFacts Facts = collectKernelFacts(Kernel, O);
  HasCalls = Facts.HasCalls;
  Arch = Facts.Arch;
  ArchName = Kernel.getFnAttribute("target-cpu").getValueAsString().str();
  Threads = Facts.Threads;
  DynamicShared = O.DynamicSmem.value_or(0);
  TimeLimitSeconds = O.PtxasSeconds;
}

Expected<std::string> CandidateBuilder::compile(Variant &Wanted) const {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), "candidate"),
      Context);
  if (!M)
    return M.takeError();
  Function &Kernel = *(*M)->getFunction(KernelName);
  isolate(**M, Kernel);
  if (Wanted.MaxRegs)
    setRegisterCap(Kernel, Wanted.MaxRegs);
  Settled Trial;
  Trial.Target = Wanted.Target;
  Trial.How = Wanted.How;
  Trial.SmemSpilling = Wanted.SmemSpilling;
  Trial.LeaveAlone = Wanted.What == Decision::Stock;
  writeSettled(Kernel, Trial);
  markTrial(Kernel);

  std::unique_ptr<TargetMachine> Machine(TM.getTarget().createTargetMachine(
      TM.getTargetTriple(), TM.getTargetCPU(), TM.getTargetFeatureString(),
      TM.Options, TM.getRelocationModel(), TM.getCodeModel(),
      TM.getOptLevel()));
  SmallString<0> PTX;
  raw_svector_ostream OS(PTX);
  legacy::PassManager PM;
  if (Machine->addPassesToEmitFile(PM, OS, nullptr,
                                   CodeGenFileType::AssemblyFile))
    return createStringError("the target cannot print assembly");
  PM.run(**M);
  readTrialResult(Kernel, Wanted);
  return std::string(PTX);
}

std::optional<std::vector<Variant>>
CandidateBuilder::build(ArrayRef<Variant> Wanted) {
  Problem.clear();
  std::vector<Variant> Built(Wanted.begin(), Wanted.end());
  std::vector<std::optional<Expected<std::string>>> Texts(Wanted.size());
  {
    DefaultThreadPool Pool(hardware_concurrency());
    for (size_t I = 0; I != Wanted.size(); ++I)
      Pool.async([&, I] { Texts[I].emplace(compile(Built[I])); });
  }
  std::vector<Ptxas::Job> Jobs;
  for (std::optional<Expected<std::string>> &Text : Texts) {
    if (*Text)
      Jobs.push_back({std::move(**Text), Relocatable});
    else
      Problem = toString(Text->takeError());
  }
  if (!Problem.empty())
    return std::nullopt;
  if (HasCalls && !Relocatable)
    for (size_t I = 0, E = Jobs.size(); I != E; ++I)
      Jobs.push_back({Jobs[I].PTX, /*Relocatable=*/true});
  Expected<std::vector<PtxasFigures>> Figures =
      Assembler.assemble(Jobs, ArchName, TimeLimitSeconds);
  if (!Figures) {
    Problem = toString(Figures.takeError());
    return std::nullopt;
  }
  for (size_t I = 0; I != Built.size(); ++I) {
    Variant &V = Built[I];
    V.Regs = (*Figures)[I].Regs;
    V.SpillStoreBytes = (*Figures)[I].SpillStoreBytes;
    V.SpillLoadBytes = (*Figures)[I].SpillLoadBytes;
    V.StaticShared = (*Figures)[I].StaticShared;
    const SMLimits &Limits = *lookupSMLimits(Arch);
    V.BlocksPerSM = computeOccupancy(Limits, {V.Regs, Threads, V.StaticShared,
                                              DynamicShared})
                        .BlocksPerSM;
    V.SpillFootprint = V.SpillStoreBytes * Threads * V.BlocksPerSM;
    V.L1Bytes = l1Bytes(Limits, V.StaticShared + DynamicShared, V.BlocksPerSM);
  }
  return Built;
}

} // namespace regdem
