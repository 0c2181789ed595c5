//===- AnalysisPrinter.cpp - the text of --print --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalysisPrinter.h"

#include "KernelInspector.h"
#include "regdem/Analysis/KernelCode.h"
#include "regdem/Analysis/LoadParallelism.h"
#include "regdem/Analysis/RegisterPressure.h"
#include "regdem/Emission/Messages.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem {

static StringRef toString(Analysis What) {
  switch (What) {
  case Analysis::Facts:
    return "facts";
  case Analysis::Pressure:
    return "pressure";
  case Analysis::Candidates:
    return "candidates";
  case Analysis::Plan:
    return "plan";
  }
  return "";
}

static void printPressure(raw_ostream &OS, const KernelGraph &Graph) {
  OS << "kernel: ";
  print(OS, maxPressure(Graph));
  OS << ", " << wordsInFlight(Graph) << " in flight\n";
  std::vector<RegisterPressure> ByBlock = blockPressures(Graph);
  for (BlockId B = 0; B != Graph.Blocks.size(); ++B) {
    OS << "bb." << Graph.Blocks[B].Number << ": ";
    print(OS, ByBlock[B]);
    OS << "\n";
  }
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

void print(raw_ostream &OS, Analysis What, const InspectedKernel &K) {
  OS << "=== " << toString(What) << " of " << K.Facts.Name << " ===\n";
  switch (What) {
  case Analysis::Facts:
    print(OS, K.Facts);
    break;
  case Analysis::Pressure:
    printPressure(OS, K.Graph);
    break;
  case Analysis::Candidates:
    printCandidates(OS, K.Graph);
    break;
  case Analysis::Plan:
    printPlan(OS, K);
    break;
  }
}

} // namespace regdem
