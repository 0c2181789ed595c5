//===- regdem-opt.cpp - RegDem on the command line ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a module, has the code generator run with RegDem in it, writes the
// result. The parts are in the other files; this one holds their order.
//
//===----------------------------------------------------------------------===//

#include "CodeGenerator.h"
#include "CommandLine.h"
#include "Diagnostics.h"
#include "InputModule.h"
#include "Printers.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Emission/SpillTables.h"
#include "regdem/MachineCode/Sass.h"
#include "regdem/Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace regdem;

/// Whether E is no error; reports it where it is one.
static bool succeeds(Error E) {
  if (!E)
    return true;
  reportError(toString(std::move(E)));
  return false;
}

/// Prints which values ptxas spills of the PTX that RegDem makes.
static bool printSpills(InputModule &In, TargetMachine &TM, raw_ostream &OS) {
  std::vector<std::string> Kernels;
  for (const Function &F : *In.M)
    if (!F.isDeclaration() && isKernel(F))
      Kernels.push_back(F.getName().str());
  SmallString<0> PTX;
  raw_svector_ostream Text(PTX);
  if (!emitPTX(In, TM, Text))
    return false;
  Options O = commandLineOptions();
  auto Assembler =
      needPtxas(O.Ptxas, "--print=spills needs ptxas, and none was found");
  if (!Assembler)
    return succeeds(Assembler.takeError());
  return succeeds(printSpillTables(OS, PTX, TM.getTargetCPU(), /*Flags=*/{},
                                   *Assembler, O.Limits, Kernels));
}

/// Writes what R asks for to OS; false, with an error reported, on failure.
static bool produce(const Request &R, InputModule &In, TargetMachine &TM,
                    raw_pwrite_stream &OS) {
  switch (R.What) {
  case Artifact::PTX:
    return emitPTX(In, TM, OS);
  case Artifact::MIR:
    return emitMIR(In, TM, R.StopBefore, OS);
  case Artifact::Print:
    if (is_contained(R.Analyses, Analysis::Spills))
      return printSpills(In, TM, OS);
    if (is_contained(R.Analyses, Analysis::Arrays) &&
        !succeeds(printArrays(OS, *In.M, TM)))
      return false;
    if (all_of(R.Analyses, [](Analysis A) { return A == Analysis::Arrays; }))
      return true;
    return inspectKernels(In, TM, [&](const InspectedKernel &K) {
      for (Analysis A : R.Analyses)
        print(OS, A, K);
    });
  case Artifact::Explain: {
    bool First = true;
    return inspectKernels(In, TM, [&](const InspectedKernel &K) {
      if (!First)
        OS << "\n";
      First = false;
      explain(OS, K);
    });
  }
  case Artifact::Sass:
    break; // Has no module.
  }
  return false;
}

/// Writes Text to Path ("-": standard output).
static bool writeOutput(StringRef Path, StringRef Text) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (!EC) {
    OS << Text;
    OS.flush();
    EC = OS.error();
    OS.clear_error();
  }
  if (EC)
    reportError("cannot write '" + Path + "': " + EC.message());
  return !EC;
}

static int compile(const Request &R) {
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<LineDiagnostics>());
  std::optional<InputModule> In = readInput(R.Input, R.Triple, Context);
  if (!In)
    return Failure;
  if (In->MIR && R.Level == CodeGenOptLevel::None) {
    reportError("-O0 has no step for RegDem, where MIR starts: it takes "
                "LLVM IR only");
    return Usage;
  }
  std::unique_ptr<TargetMachine> TM = createTargetMachine(*In->M, R);
  if (!TM)
    return Failure;
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  if (!produce(R, *In, *TM, OS) || !writeOutput(R.Output, Text))
    return Failure;
  return Success;
}

static int printSass(const Request &R) {
  Expected<SassKernel> K = readSass(R.Input, R.Kernel);
  if (!succeeds(K.takeError()))
    return Failure;
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  print(OS, *K);
  return writeOutput(R.Output, Text) ? Success : Failure;
}

int main(int Argc, char **Argv) {
  if (sys::Process::FixupStandardFileDescriptors())
    return Usage;
  reportFatalErrors();
  initialize();
  std::optional<Request> R = parseCommandLine(Argc, Argv);
  if (!R)
    return Usage;
  return R->What == Artifact::Sass ? printSass(*R) : compile(*R);
}
