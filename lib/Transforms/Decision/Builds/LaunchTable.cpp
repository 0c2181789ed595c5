//===- LaunchTable.cpp - which build a launch takes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/LaunchTable.h"

#include "regdem/Options.h"

using namespace llvm;

namespace regdem {

std::string launchBuildName(StringRef Kernel, unsigned Build, StringRef Tag) {
  return (Kernel + LaunchBuildSuffix + Twine(Build) + Tag).str();
}

static json::Value toJSON(const BlockTimes &T) {
  return json::Object{
      {"blocks_per_sm", T.Blocks}, {"alone", T.Alone}, {"full", T.Full}};
}

json::Value toJSON(ArrayRef<LaunchRow> Rows) {
  json::Array List;
  for (const LaunchRow &R : Rows)
    List.push_back(json::Object{{"from_threads", R.FromThreads},
                                {"threads", R.Threads},
                                {"build", R.Build},
                                {"cycles", toJSON(R.Own)},
                                {"stock_cycles", toJSON(R.Stock)},
                                {"most_dynamic_smem", R.MostDynamic},
                                {"thread_bytes", R.ThreadBytes},
                                {"any_launch", R.AnyLaunch},
                                {"only_build", R.OnlyBuild},
                                {"may_wait", R.MayWait},
                                {"expected_gain", percent(R.Gain)}});
  return List;
}

/// Sets N to Key's number; false where it is missing or not in Allowed.
static bool mapNumber(json::ObjectMapper &O, StringLiteral Key,
                      NumberRange Allowed, unsigned &N) {
  int64_t Read = 0; // An unsigned one would drop bits.
  if (!O.map(Key, Read) || Read < Allowed.Low || Read > Allowed.High)
    return false;
  N = static_cast<unsigned>(Read);
  return true;
}

static bool fromJSON(const json::Value &Value, BlockTimes &T, json::Path P) {
  constexpr unsigned MostBlocks = 64; // Per SM; no GPU has more than 32.
  json::ObjectMapper O(Value, P);
  return O && mapNumber(O, "blocks_per_sm", {1, MostBlocks}, T.Blocks) &&
         mapNumber(O, "alone", {1, MostCycles}, T.Alone) &&
         mapNumber(O, "full", {T.Alone, MostCycles}, T.Full);
}

static bool fromJSON(const json::Value &Value, LaunchRow &R, json::Path P) {
  constexpr unsigned MostBytes = 1 << 20; // No block has more of shared memory.
  json::ObjectMapper O(Value, P);
  if (!O || !mapNumber(O, "from_threads", BlockSizeRange, R.FromThreads) ||
      !mapNumber(O, "threads", {R.FromThreads, BlockSizeRange.High},
                 R.Threads) ||
      !mapNumber(O, "build", {1, MostLaunchBuilds}, R.Build) ||
      !mapNumber(O, "most_dynamic_smem", {0, MostBytes}, R.MostDynamic) ||
      !mapNumber(O, "thread_bytes", {0, MostBytes}, R.ThreadBytes) ||
      !O.map("any_launch", R.AnyLaunch) || !O.map("only_build", R.OnlyBuild) ||
      !O.map("may_wait", R.MayWait) || !O.map("cycles", R.Own) ||
      !O.map("stock_cycles", R.Stock) ||
      !O.mapOptional("expected_gain", R.Gain))
    return false;
  R.Gain /= 100;
  return true;
}

std::vector<LaunchRow> launchRowsFromJSON(const json::Value &Value) {
  std::vector<LaunchRow> Rows;
  json::Path::Root Root;
  if (!fromJSON(Value, Rows, Root))
    Rows.clear();
  return Rows;
}

} // namespace regdem
