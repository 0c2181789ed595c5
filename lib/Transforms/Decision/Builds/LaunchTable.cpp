//===- LaunchTable.cpp - which build a launch takes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchTable.h"

using namespace llvm;

namespace regdem {

std::string launchBuildName(StringRef Kernel, unsigned Build, StringRef Tag) {
  return (Kernel + LaunchBuildSuffix + Twine(Build) + Tag).str();
}

static void fields(JSONFields &J, BlockTimes &T) {
  constexpr unsigned MostBlocks = 64; // Per SM; no GPU has more than 32.
  J.number("blocks_per_sm", T.Blocks, {1, MostBlocks});
  J.number("alone", T.Alone, {1, MostCycles});
  J.number("full", T.Full, {T.Alone, MostCycles});
}

void fields(JSONFields &J, LaunchRow &R) {
  constexpr unsigned MostBytes = 1 << 20; // No block has more of shared memory.
  J.number("from_threads", R.FromThreads, BlockSizeRange);
  J.number("threads", R.Threads, {R.FromThreads, BlockSizeRange.High});
  J.number("build", R.Build, {1, MostLaunchBuilds});
  J.value("cycles", R.Own);
  J.value("stock_cycles", R.Stock);
  J.number("most_dynamic_smem", R.MostDynamic, {0, MostBytes});
  J.number("thread_bytes", R.ThreadBytes, {0, MostBytes});
  J.value("any_launch", R.AnyLaunch);
  J.value("only_build", R.OnlyBuild);
  J.value("may_wait", R.MayWait);
  double Gain = percent(R.Gain);
  J.optional("expected_gain", Gain, true);
  R.Gain = Gain / 100;
}

} // namespace regdem
