//===- CandidateText.cpp - the PTX of one variant -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CandidateText.h"

#include "regdem/Decision/Decide.h"
#include "regdem/Emission/KernelAttributes.h"
#include "regdem/Emission/TrialAttributes.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace regdem {

namespace {

/// Takes what code generation says of a candidate, and keeps its first error.
/// By default an error would end the compiler, and all else be said once more
/// for each candidate; the final build says it, with the source's lines.
class ErrorKeeper : public DiagnosticHandler {
public:
  explicit ErrorKeeper(std::string &FirstError) : FirstError(FirstError) {}

  bool handleDiagnostics(const DiagnosticInfo &Said) override {
    if (Said.getSeverity() == DS_Error && FirstError.empty()) {
      raw_string_ostream OS(FirstError);
      DiagnosticPrinterRawOStream Printer(OS);
      Said.print(Printer);
    }
    return true;
  }

private:
  std::string &FirstError;
};

} // namespace

Expected<CandidateText> compileCandidate(StringRef Bitcode,
                                         StringRef KernelName,
                                         const TargetMachine &TM,
                                         const Variant &Wanted,
                                         bool CapIsFree) {
  LLVMContext Context;
  std::string FirstError;
  Context.setDiagnosticHandler(std::make_unique<ErrorKeeper>(FirstError));
  Expected<std::unique_ptr<Module>> M =
      parseBitcodeFile(MemoryBufferRef(Bitcode, "candidate"), Context);
  if (!M)
    return M.takeError();
  Function &Kernel = *(*M)->getFunction(KernelName);
  Settled Trial;
  Trial.recipe() = Wanted.recipe();
  Trial.LeaveAlone = Wanted.What == Decision::Stock;
  if (CapIsFree)
    Trial.Free = FreeChoice{Wanted.What, Wanted.MaxRegs, Wanted.MinBlocks,
                            Reason::PredictedFaster, std::nullopt};
  else if (Wanted.MaxRegs)
    setRegisterCap(Kernel, Wanted.MaxRegs);
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
  if (!FirstError.empty())
    return createStringError(FirstError);
  CandidateText Result{std::string(PTX), Wanted, isMarkedDistantProduct(Kernel),
                       readIdlePasses(Kernel)};
  readTrialResult(Kernel, Result.Shown);
  return Result;
}

} // namespace regdem
