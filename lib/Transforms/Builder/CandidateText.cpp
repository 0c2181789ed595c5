//===- CandidateText.cpp - the PTX of builds ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateText.h"

#include "PipelinePart.h"
#include "regdem/Analysis/CalledFunctions.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Options.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

namespace {

/// A candidate's module in a context of its own; where LaunchThreads is not 0,
/// for launches with so many threads a block.
class CandidateModule {
public:
  CandidateModule(const ModuleImage &From, StringRef KernelName,
                  unsigned LaunchThreads)
      : KernelName(KernelName) {
    Context.setDiagnosticHandlerCallBack(listen, this);
    Context.setDiscardValueNames(From.DiscardsNames);
    StringRef Bitcode(From.Bitcode.data(), From.Bitcode.size());
    auto Parsed =
        parseBitcodeFile(MemoryBufferRef(Bitcode, "candidate"), Context);
    if (!Parsed) {
      FirstError = toString(Parsed.takeError());
      return;
    }
    M = std::move(*Parsed);
    if (LaunchThreads)
      setLaunchSize(kernel(), {LaunchThreads, std::nullopt});
  }

  /// The first error so far.
  Error error() const {
    return FirstError.empty() ? Error::success()
                              : createStringError(FirstError);
  }
  /// Whether nothing but remarks has been said so far.
  bool isSilent() const { return IsSilent; }

  // There must be no error().
  Module &module() { return *M; }
  Function &kernel() { return *M->getFunction(KernelName); }

private:
  std::string KernelName;
  LLVMContext Context;
  bool IsSilent = true;
  std::string FirstError; ///< Empty: none.
  std::unique_ptr<Module> M;

  /// Takes what code generation says of the candidate. By default an error
  /// would end the compiler, and all else be said once more for each candidate;
  /// the final build says it, with the source's lines.
  static void listen(const DiagnosticInfo *Said, void *Candidate) {
    auto &C = *static_cast<CandidateModule *>(Candidate);
    // Remarks come here whether or not anybody asks for them.
    C.IsSilent &= Said->getSeverity() == DS_Remark;
    if (Said->getSeverity() == DS_Error && C.FirstError.empty()) {
      raw_string_ostream OS(C.FirstError);
      DiagnosticPrinterRawOStream Printer(OS);
      Said->print(Printer);
    }
  }
};

std::unique_ptr<TargetMachine> machineLike(const TargetMachine &TM) {
  return std::unique_ptr<TargetMachine>(TM.getTarget().createTargetMachine(
      TM.getTargetTriple(), TM.getTargetCPU(), TM.getTargetFeatureString(),
      TM.Options, TM.getRelocationModel(), TM.getCodeModel(),
      TM.getOptLevel()));
}

/// Adds code generation to PM, which prints a file of this Type to Out.
Error addCodeGeneration(TargetMachine &Machine, legacy::PassManagerBase &PM,
                        raw_pwrite_stream &Out, CodeGenFileType Type) {
  if (Machine.addPassesToEmitFile(PM, Out, /*DwoOut=*/nullptr, Type))
    return createStringError("the target cannot print assembly");
  return Error::success();
}

} // namespace

/// The part of O that shows in IR, before instructions are selected.
static Rewrite rewritesOfIR(Rewrite O) {
  return O & ~Rewrite::SkipMachineSink; // Of machine code.
}

/// Source after the passes that code generation runs on IR, but for those that
/// the kernel of this name is to leave out. Source itself where LLVM's options
/// do not let code generation be parted there. An error is the first that LLVM
/// reports.
static Expected<ModuleImage> prepareCandidate(const ModuleImage &Source,
                                              StringRef KernelName,
                                              const TargetMachine &TM,
                                              Rewrite OfIR,
                                              unsigned LaunchThreads) {
  CandidateModule C(Source, KernelName, LaunchThreads);
  if (Error E = C.error())
    return E;
  Outcome Settled;
  Settled.Rewrites = OfIR;
  ModuleImage Prepared;
  Prepared.IsPrepared = true;
  Prepared.DiscardsNames = Source.DiscardsNames;

  std::unique_ptr<TargetMachine> Machine = machineLike(TM);
  raw_null_ostream Nowhere;
  legacy::PassManager PM;
  PM.add(new PassState(C.kernel(), Settled, Prepared.Notes));
  PipelinePart Part(PipelinePart::OnIR, PM);
  if (Error E =
          addCodeGeneration(*Machine, Part, Nowhere, CodeGenFileType::Null))
    return E;
  if (!Part.hasBorder())
    return Source;
  PM.run(C.module());
  if (Error E = C.error())
    return E;
  raw_svector_ostream OS(Prepared.Bitcode);
  // Passes may go by the order of a value's uses.
  WriteBitcodeToFile(C.module(), OS, /*ShouldPreserveUseListOrder=*/true);
  return Prepared;
}

/// Compiles the kernel of this name as CompiledTexts::compile() says. From is
/// the source, or what prepareCandidate() has made of it without what Wanted
/// leaves out in IR. The text is the one that code generation prints for such a
/// kernel from the start.
static Expected<CandidateText>
compileCandidate(const ModuleImage &From, StringRef KernelName,
                 const TargetMachine &TM, const BuildRecipe &Wanted,
                 bool CapIsFree, unsigned LaunchThreads) {
  CandidateModule C(From, KernelName, LaunchThreads);
  if (Error E = C.error())
    return E;
  Function &Kernel = C.kernel();
  if (!Wanted.isStock()) // settleCallees() does the same at the end.
    for (Function *F : withCalledFunctions(Kernel))
      omitJumpTables(*F);
  Outcome Settled;
  Settled.recipe() = Wanted;
  Settled.LeaveAlone = Wanted.What == Decision::Stock;
  Settled.IsFree = CapIsFree;
  Settled.Why = Reason::PredictedFaster;
  if (!CapIsFree) { // The kernel states it then.
    Settled.MaxRegs = Settled.MinBlocks = 0;
    if (Wanted.MaxRegs)
      setRegisterCap(Kernel, Wanted.MaxRegs);
  }
  CandidateText Text;
  static_cast<TrialNotes &>(Text) = From.Notes;

  std::unique_ptr<TargetMachine> Machine = machineLike(TM);
  SmallString<0> PTX;
  raw_svector_ostream OS(PTX);
  legacy::PassManager PM;
  PM.add(new PassState(Kernel, std::move(Settled), Text));
  PipelinePart Part(PipelinePart::BehindIR, PM);
  auto &To =
      From.IsPrepared ? static_cast<legacy::PassManagerBase &>(Part) : PM;
  if (Error E =
          addCodeGeneration(*Machine, To, OS, CodeGenFileType::AssemblyFile))
    return E;
  PM.run(C.module());
  if (Error E = C.error())
    return E;
  Text.PTX = PTX.str();
  Text.IsSilent = C.isSilent();
  return Text;
}

Expected<const CandidateText &>
CompiledTexts::compile(const CandidateSource &From, const TargetMachine &TM,
                       const BuildRecipe &Wanted, unsigned LaunchThreads,
                       bool InOneGo) {
  auto CompileFrom = [&](const ModuleImage &Image) {
    return compileCandidate(Image, From.KernelName, TM, Wanted, From.CapIsFree,
                            LaunchThreads);
  };
  auto Compile = [&]() -> Expected<CandidateText> {
    TimeTraceScope Scope("RegDem generate PTX", [&] {
      return LaunchThreads ? (From.KernelName + ", blocks of " +
                              Twine(LaunchThreads) + " threads")
                                 .str()
                           : From.KernelName;
    });
    if (InOneGo)
      return CompileFrom(From.Image);
    Rewrite OfIR = rewritesOfIR(Wanted.Rewrites);
    // Of what is done to IR, only arrays depend on the size of blocks.
    unsigned Threads = has(OfIR, Rewrite::LowerArrays) ? LaunchThreads : 0;
    auto Image = Prepared.get({From.Digest, OfIR, Threads}, [&] {
      return prepareCandidate(From.Image, From.KernelName, TM, OfIR, Threads);
    });
    if (!Image)
      return Image.takeError();
    return CompileFrom(*Image);
  };
  return Texts.get({From.Digest, From.CapIsFree, Wanted, LaunchThreads},
                   Compile);
}

} // namespace regdem
