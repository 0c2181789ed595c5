//===- CommandLine.cpp - what regdem-opt is asked to do -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "CodeGenerator.h"
#include "Diagnostics.h"
#include "regdem/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

namespace {

constexpr StringLiteral Overview =
    "RegDem on the command line\n"
    "\n"
    "Runs the code generator that clang runs for CUDA device code, with "
    "RegDem\n"
    "in it, on one module, and writes PTX, machine code, or what RegDem "
    "sees.\n";

/// Printed after the options.
const cl::extrahelp Manual(R"(
INPUT
  LLVM IR for nvptx64, or for no target, as text or bitcode, or MIR; told
  apart by content.
  Kernels are compiled for the target-cpu that they state unless --mcpu is
  given. MIR must be machine code after the machine scheduler, as written by
  --emit=mir --stop=before or by llc -stop-after=machine-scheduler; RegDem and
  what follows it are run. MIR that RegDem has already changed is accepted
  with -regdem-mode=off only.
  With --sass: a cubin as ptxas writes it.

OUTPUT
  PTX unless --emit, --print, --explain or --sass ask for something else. Nothing is
  written unless all of it can be. Remarks go to stderr with
  -pass-remarks=regdem, -pass-remarks-missed=regdem and
  -pass-remarks-analysis=regdem.

EXIT CODES
  0  the output was written
  1  the input cannot be read or compiled, or the output cannot be written:
     a line on stderr says why
  2  wrong usage

EXAMPLES
  clang++ -x cuda --cuda-gpu-arch=sm_90 --cuda-device-only -O3 -S -emit-llvm \
      kernel.cu -o kernel.ll
  regdem-opt --explain kernel.ll
  regdem-opt -regdem-mode=demote -regdem-max-regs=40 kernel.ll -o kernel.ptx
  regdem-opt --emit=mir --stop=before kernel.ll | regdem-opt --print=plan -
  regdem-opt --sass kernel.cubin
)");

cl::OptionCategory Category("regdem-opt options");

cl::opt<std::string> InputOpt(cl::Positional, cl::cat(Category), cl::init("-"),
                              cl::value_desc("FILE"),
                              cl::desc("[input file, - for standard input]"));
cl::opt<std::string>
    OutputOpt("o", cl::cat(Category), cl::init("-"), cl::value_desc("FILE"),
              cl::desc("Output file (default: -, standard output)"));
cl::opt<Artifact> EmitOpt(
    "emit", cl::cat(Category), cl::init(Artifact::PTX),
    cl::desc("Code to write"),
    cl::values(clEnumValN(Artifact::PTX, "ptx", "what ptxas reads (default)"),
               clEnumValN(Artifact::MIR, "mir",
                          "machine code at RegDem's step")));
enum class Side { Before, After };
cl::opt<Side> StopOpt("stop", cl::cat(Category), cl::init(Side::After),
                      cl::desc("Where --emit=mir stops"),
                      cl::values(clEnumValN(Side::Before, "before",
                                            "ahead of RegDem's step"),
                                 clEnumValN(Side::After, "after",
                                            "behind RegDem's step (default)")));
cl::list<Analysis> PrintOpt(
    "print", cl::cat(Category), cl::CommaSeparated,
    cl::desc("Print analyses of each kernel instead of code"),
    cl::values(clEnumValN(Analysis::Arrays, "arrays",
                          "arrays in local memory; ahead of all others"),
               clEnumValN(Analysis::Facts, "facts",
                          "block size, shared memory, calls"),
               clEnumValN(Analysis::Pressure, "pressure",
                          "registers in use, in words, by block"),
               clEnumValN(Analysis::Candidates, "candidates",
                          "values that may leave their registers"),
               clEnumValN(Analysis::Plan, "plan",
                          "the decision with its stores and reloads"),
               clEnumValN(Analysis::Spills, "spills",
                          "values that ptxas then spills; goes alone")));
cl::opt<bool> ExplainOpt(
    "explain", cl::cat(Category),
    cl::desc("Print one table per kernel: registers, occupancy, what\n"
             "demotion could reach, what RegDem would do and why"));
cl::opt<bool>
    SassOpt("sass", cl::cat(Category),
            cl::desc("Print the blocks of a kernel's machine code: what\n"
                     "they do and how often, as the cost model sees it"));
cl::opt<std::string>
    KernelOpt("kernel", cl::cat(Category), cl::value_desc("NAME"),
              cl::desc("The kernel that --sass prints, by its mangled name,\n"
                       "where the file has several"));
cl::opt<char> LevelOpt("O", cl::cat(Category), cl::Prefix, cl::init('3'),
                       cl::value_desc("0-3"),
                       cl::desc("Optimization level of the code generator "
                                "(default: 3; RegDem\nstays out of 0)"));
cl::opt<std::string>
    CPUOpt("mcpu", cl::cat(Category), cl::value_desc("sm_NN"),
           cl::desc("GPU to compile for, instead of what the kernels state"));
cl::opt<std::string> TripleOpt(
    "mtriple", cl::cat(Category), cl::value_desc("TRIPLE"),
    cl::desc("Target instead of the one that the input states; where\n"
             "none does, nvptx64-nvidia-cuda"));
cl::opt<std::string>
    FeaturesOpt("mattr", cl::cat(Category), cl::value_desc("+ptxNN"),
                cl::desc("Target features that go with --mcpu"));

void printVersion(raw_ostream &OS) {
  OS << "regdem-opt " << REGDEM_VERSION << " (LLVM " << LLVM_VERSION_STRING
     << ")\n";
}

/// The category that RegDem's own options are in.
cl::OptionCategory *demotionCategory() {
  return cl::getRegisteredOptions().lookup("regdem-mode")->Categories.front();
}

/// The combination of options that makes no sense; none where all do.
std::optional<std::string> findMisuse() {
  for (StringRef Limit :
       {"start-before", "start-after", "stop-before", "stop-after"})
    if (cl::getRegisteredOptions().lookup(Limit)->getNumOccurrences())
      return ("-" + Limit + " is not for regdem-opt: use --stop").str();
  unsigned Outputs = (EmitOpt.getNumOccurrences() ? 1 : 0) +
                     (PrintOpt.empty() ? 0 : 1) + (ExplainOpt ? 1 : 0) +
                     (SassOpt ? 1 : 0);
  if (Outputs > 1)
    return "--emit, --print, --explain and --sass exclude each other";
  if (PrintOpt.size() > 1 && is_contained(PrintOpt, Analysis::Spills))
    return "--print=spills goes alone";
  if (StopOpt.getNumOccurrences() && EmitOpt != Artifact::MIR)
    return "--stop goes with --emit=mir only";
  if (KernelOpt.getNumOccurrences() && !SassOpt)
    return "--kernel goes with --sass only";
  if (FeaturesOpt.getNumOccurrences() && CPUOpt.empty())
    return "--mattr goes with --mcpu only";
  if (!CPUOpt.empty())
    if (auto Problem = findTargetProblem(CPUOpt, FeaturesOpt))
      return Problem;
  std::string Fault;
  std::string Pattern = commandLineOptions().Kernels;
  if (!Pattern.empty() && !Regex(Pattern).isValid(Fault))
    return "-regdem-kernels takes a regular expression: " + Fault;
  if (LevelOpt < '0' || LevelOpt > '3')
    return "-O takes a number from 0 to 3";
  bool AtRegDem = EmitOpt == Artifact::MIR || !PrintOpt.empty() || ExplainOpt;
  if (LevelOpt == '0' && AtRegDem)
    return "-O0 has no step for RegDem: it goes with --emit=ptx only";
  return std::nullopt;
}

} // namespace

std::optional<Request> parseCommandLine(int Argc, char **Argv) {
  cl::SetVersionPrinter(printVersion);
  cl::HideUnrelatedOptions({&Category, demotionCategory()});
  std::string Problem;
  raw_string_ostream Errors(Problem);
  if (!cl::ParseCommandLineOptions(Argc, Argv, Overview, &Errors)) {
    // A value that its option rejects has already been reported by LLVM.
    StringRef First = StringRef(Problem).ltrim().split('\n').first;
    First.consume_front("regdem-opt: ");
    if (!First.empty())
      reportError(First);
    return std::nullopt;
  }
  if (auto Misuse = findMisuse()) {
    reportError(*Misuse);
    return std::nullopt;
  }
  Request R;
  R.Input = InputOpt;
  R.Output = OutputOpt;
  R.What = !PrintOpt.empty() ? Artifact::Print
           : ExplainOpt      ? Artifact::Explain
           : SassOpt         ? Artifact::Sass
                             : EmitOpt.getValue();
  R.Kernel = KernelOpt;
  R.StopBefore = StopOpt == Side::Before;
  R.Analyses.assign(PrintOpt.begin(), PrintOpt.end());
  R.Level = *CodeGenOpt::getLevel(LevelOpt - '0');
  R.CPU = CPUOpt;
  R.Features = FeaturesOpt;
  R.Triple = TripleOpt;
  return R;
}

} // namespace regdem
