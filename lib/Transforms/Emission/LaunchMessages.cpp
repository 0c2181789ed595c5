//===- LaunchMessages.cpp - launches in words -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchMessages.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/KernelNames.h"
#include "regdem/Emission/Messages.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

static std::string describeRow(const LaunchRow &R) {
  std::string Grid =
      R.FillBlocks ? formatv(" of {0} or more per SM", R.FillBlocks).str() : "";
  return formatv("blocks of {0} threads{1} take build {2} (expected gain "
                 "{3:F1} %)",
                 R.Threads, Grid, R.Build, 100 * R.Gain);
}

std::string describeLaunches(const Outcome &O) {
  if (O.Launches.empty())
    return "no build of it is expected to gain at a usual block size";
  std::string Text = "the host code chooses at launch: ";
  for (const LaunchRow &R : O.Launches) {
    if (&R != O.Launches.data())
      Text += ", ";
    Text += describeRow(R);
  }
  return Text + "; all others take this one";
}

std::string describeNoLaunchBuilds(StringRef Kernel) {
  return formatv(
      "'{0}': no builds are chosen at launch: ptxas decides which of "
      "its products are fused into sums, so that results might "
      "depend on the build; -ffp-contract=on leaves ptxas no choice",
      shownName(Kernel));
}

} // namespace regdem
