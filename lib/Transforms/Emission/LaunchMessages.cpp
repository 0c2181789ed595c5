//===- LaunchMessages.cpp - launches in words -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchMessages.h"

#include "regdem/Decision/Builds/Outcome.h"
#include "regdem/Emission/KernelNames.h"
#include "regdem/Emission/Messages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace regdem {

/// "7", "7 to 12".
static std::string range(const std::string &Low, const std::string &High) {
  return Low == High ? Low : Low + " to " + High;
}

/// Rows, which are for one build and leave no block size out.
static std::string describeRows(ArrayRef<LaunchRow> Rows) {
  auto [LeastFill, MostFill] = std::minmax_element(
      Rows.begin(), Rows.end(), [](const LaunchRow &A, const LaunchRow &B) {
        return A.FillBlocks < B.FillBlocks;
      });
  auto [LeastGain, MostGain] = std::minmax_element(
      Rows.begin(), Rows.end(),
      [](const LaunchRow &A, const LaunchRow &B) { return A.Gain < B.Gain; });
  auto Percent = [](const LaunchRow &R) {
    return formatv("{0:F1}", 100 * R.Gain).str();
  };
  std::string Grid;
  if (MostFill->FillBlocks)
    Grid = " of " +
           range(utostr(LeastFill->FillBlocks), utostr(MostFill->FillBlocks)) +
           " or more per SM";
  return formatv(
      "blocks of {0} threads{1} take build {2} (expected gain "
      "{3} %)",
      range(utostr(Rows.front().FromThreads), utostr(Rows.back().Threads)),
      Grid, Rows.front().Build, range(Percent(*LeastGain), Percent(*MostGain)));
}

std::string describeLaunches(const Outcome &O) {
  if (O.Launches.empty())
    return "no build of it is expected to gain at a usual block size";
  std::string Text = "the host code chooses at launch: ";
  ArrayRef<LaunchRow> Left = O.Launches;
  while (!Left.empty()) {
    size_t Count = 1;
    while (Count != Left.size() && Left[Count].Build == Left.front().Build &&
           Left[Count].FromThreads == Left[Count - 1].Threads + 1)
      ++Count;
    if (Left.size() != O.Launches.size())
      Text += ", ";
    Text += describeRows(Left.take_front(Count));
    Left = Left.drop_front(Count);
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
