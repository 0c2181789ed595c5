//===- AnalysisPrinter.cpp - the text of --print --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printers.h"

#include "CodeGenerator.h"
#include "regdem/Analysis/FunctionAnalyses.h"
#include "regdem/Analysis/KernelCode.h"
#include "regdem/Analysis/LocalArrays.h"
#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Options.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <iterator>

using namespace llvm;

namespace regdem {

static StringRef toString(Analysis What) {
  // In the order of Analysis.
  static constexpr StringLiteral Names[] = {"arrays",     "facts", "pressure",
                                            "candidates", "plan",  "spills"};
  static_assert(std::size(Names) ==
                static_cast<unsigned>(Analysis::Spills) + 1);
  return Names[static_cast<unsigned>(What)];
}

static void printPressure(raw_ostream &OS, const KernelGraph &Graph) {
  OS << "kernel: " << maxPressure(Graph) << " words\n";
  std::vector<unsigned> ByBlock = blockPressures(Graph);
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B)
    OS << "bb." << Graph.Blocks[B].Number << ": " << ByBlock[B] << " words\n";
}

static void printPlan(raw_ostream &OS, const InspectedKernel &K) {
  if (K.Opts.RunMode == Mode::Off) {
    OS << "decision: off\n";
    return;
  }
  const Outcome &O = K.Decided.Result;
  OS << "decision: " << toString(O.What) << "\n"
     << "reason: " << describeReason(O) << "\n";
  if (!K.Decided.Plan.empty())
    print(OS, K.Decided.Plan, K.Graph);
}

static void printTitle(raw_ostream &OS, Analysis What, StringRef Name) {
  OS << "=== " << toString(What) << " of " << Name << " ===\n";
}

Error printArrays(raw_ostream &OS, Module &M, TargetMachine &TM) {
  FunctionAnalyses Analyses(TM);
  for (Function &F : M) {
    if (F.isDeclaration() || (!isKernel(F) && !mayHaveLocalArrays(F)))
      continue;
    Expected<bool> Selected = isSelected(F, commandLineOptions());
    if (!Selected)
      return Selected.takeError();
    if (!*Selected)
      continue;
    printTitle(OS, Analysis::Arrays, F.getName());
    print(OS, findLocalArrays(F, Analyses.get()));
  }
  return Error::success();
}

void print(raw_ostream &OS, Analysis What, const InspectedKernel &K) {
  if (What == Analysis::Arrays || What == Analysis::Spills)
    return; // Are printed of the module.
  printTitle(OS, What, K.Facts.Name);
  if (What == Analysis::Facts)
    print(OS, K.Facts);
  else if (What == Analysis::Pressure)
    printPressure(OS, K.Graph);
  else if (What == Analysis::Candidates)
    printCandidates(OS, K.Graph);
  else
    printPlan(OS, K);
}

} // namespace regdem
