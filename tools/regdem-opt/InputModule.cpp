//===- InputModule.cpp - the module to compile ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputModule.h"

#include "Diagnostics.h"
#include "regdem/Analysis/KernelFacts.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Options.h"
#include "regdem/Transform/Demoter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

namespace {

bool isBitcodeBuffer(StringRef Text) {
  return isBitcode(Text.bytes_begin(), Text.bytes_end());
}

/// Text from its first line on that is neither blank nor a comment of YAML.
StringRef skipComments(StringRef Text) {
  for (Text = Text.ltrim(); Text.starts_with("#");)
    Text = Text.split('\n').second.ltrim();
  return Text;
}

bool isMIR(StringRef Text) { return skipComments(Text).starts_with("---"); }

/// What is compiled for where neither the command line nor the input says it.
constexpr StringRef DefaultTriple = "nvptx64-nvidia-cuda";

/// The layout of nvptx64, whatever the text says, as llc has it. Other targets
/// keep theirs: they are rejected later.
std::optional<std::string> layoutFor(StringRef TheTriple, StringRef) {
  Triple T(TheTriple.empty() ? DefaultTriple : TheTriple);
  if (T.getArch() != Triple::nvptx64)
    return std::nullopt;
  return T.computeDataLayout();
}

/// Whether Path is that of source code, which clang has to compile first.
bool isSource(StringRef Path) {
  StringRef Extension = sys::path::extension(Path);
  return is_contained({".cu", ".cuh", ".cpp", ".cc", ".c"}, Extension);
}

/// Parses Buffer into In; false, with the error reported, where that fails.
bool parse(std::unique_ptr<MemoryBuffer> Buffer, LLVMContext &Context,
           InputModule &In) {
  if (!isBitcodeBuffer(Buffer->getBuffer()) && isMIR(Buffer->getBuffer())) {
    In.MIR = createMIRParser(std::move(Buffer), Context);
    if (In.MIR)
      In.M = In.MIR->parseIRModule(layoutFor);
    return In.M != nullptr; // The parser reports through Context.
  }
  SMDiagnostic Problem;
  In.M = parseIR(*Buffer, Problem, Context, ParserCallbacks(layoutFor));
  if (!In.M)
    reportError(describe(Problem));
  return In.M != nullptr;
}

/// The reason why M cannot be compiled; none where it can.
std::optional<std::string> findProblem(const Module &M) {
  const Triple &T = M.getTargetTriple();
  if (T.getArch() != Triple::nvptx64)
    return "target '" + T.str() + "': RegDem compiles for nvptx64";
  std::string Text;
  raw_string_ostream OS(Text);
  if (verifyModule(M, &OS))
    return "invalid IR: " + Text;
  if (commandLineOptions().RunMode != Mode::Off)
    for (const Function &F : M)
      if (isKernel(F) && findSpillRegion(F))
        return "RegDem has already changed '" + shownName(F.getName()) +
               "': add -regdem-mode=off to compile it as it is";
  return std::nullopt;
}

/// The same for the machine code of F.
std::optional<std::string> findProblem(const Function &F,
                                       const MachineFunction *MF) {
  if (!MF || MF->empty())
    return "no machine code for '" + shownName(F.getName()) +
           "': make it with llc -stop-after=machine-scheduler";
  if (!MF->getProperties().hasNoPHIs())
    return "'" + shownName(F.getName()) +
           "' is not past the machine scheduler: it has PHI instructions: "
           "make it with llc -stop-after=machine-scheduler";
  return std::nullopt;
}

} // namespace

std::optional<InputModule> readInput(StringRef Path, StringRef TheTriple,
                                     LLVMContext &Context) {
  StringRef Name = Path == "-" ? "<stdin>" : Path;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFileOrSTDIN(Path);
  if (!Buffer) {
    reportError("cannot read '" + Name + "': " + Buffer.getError().message());
    return std::nullopt;
  }
  if (isSource(Path)) {
    reportError("'" + Name +
                "' is source code: give what clang++ -O3 --cuda-device-only "
                "-S -emit-llvm writes for it");
    return std::nullopt;
  }
  if (skipComments((*Buffer)->getBuffer()).empty()) {
    reportError("'" + Name + "' is empty");
    return std::nullopt;
  }
  InputModule In;
  if (!parse(std::move(*Buffer), Context, In))
    return std::nullopt;
  if (!TheTriple.empty() || In.M->getTargetTriple().empty()) {
    In.M->setTargetTriple(
        Triple(TheTriple.empty() ? DefaultTriple : TheTriple));
    if (auto Layout = layoutFor(In.M->getTargetTriple().str(), ""))
      In.M->setDataLayout(*Layout);
  }
  // So that what is printed does not depend on where the input was.
  In.M->setModuleIdentifier(In.M->getSourceFileName());
  if (std::optional<std::string> Problem = findProblem(*In.M)) {
    reportError(Name + ": " + *Problem);
    return std::nullopt;
  }
  return In;
}

bool readMachineCode(InputModule &In, MachineModuleInfo &MMI) {
  if (In.MIR->parseMachineFunctions(*In.M, MMI)) // Verifies, too.
    return false;
  for (const Function &F : *In.M) {
    if (F.isDeclaration())
      continue;
    if (auto Problem = findProblem(F, MMI.getMachineFunction(F))) {
      reportError(*Problem);
      return false;
    }
  }
  return true;
}

} // namespace regdem
