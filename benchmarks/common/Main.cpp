//===- Main.cpp - entry point of every benchmark program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints one JSON object per build and line. Id.cpp names the benchmark.
//
//===----------------------------------------------------------------------===//

#include "common/Runner.h"
#include <cstdio>
#include <cstdlib>

using namespace bench;

namespace bench {
extern const char *const BenchmarkId; // of Id.cpp
}

void bench::fatal(const std::string &Message) {
  std::fprintf(stderr, "error: %s\n", Message.c_str());
  std::exit(2);
}

static std::string quoted(const std::string &Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result + '"';
}

/// Infinity has no spelling in JSON; it stands for a NaN in the output.
static std::string number(double Value) {
  if (!std::isfinite(Value))
    return "null";
  char Text[32];
  std::snprintf(Text, sizeof(Text), "%.6g", Value);
  return Text;
}

static double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  size_t Half = Values.size() / 2;
  return Values.size() % 2 ? Values[Half]
                           : (Values[Half - 1] + Values[Half]) / 2;
}

static void print(const Device &D, const Options &O, const Variant &V,
                  const Measurement &M) {
  std::string Times, Statistics;
  for (double T : M.TimesMs)
    Times += (Times.empty() ? "" : ", ") + number(T);
  if (!M.TimesMs.empty()) {
    auto [Low, High] = std::minmax_element(M.TimesMs.begin(), M.TimesMs.end());
    Statistics = ", \"time_ms_median\": " + number(median(M.TimesMs)) +
                 ", \"time_ms_min\": " + number(*Low) +
                 ", \"time_ms_max\": " + number(*High) + ", \"times_ms\": [" +
                 Times + "]";
  }
  std::printf(
      "{\"kernel\": %s, \"family\": %s, \"variant\": %s, \"device\": %s, "
      "\"driver\": %d, \"correct\": %s, \"bit_equal\": %s, \"checked\": %zu, "
      "\"wrong\": %zu, \"max_error\": %s, \"tolerance\": %s, \"seeds\": %u, "
      "\"quick\": %s, \"registers\": %d, \"local_bytes\": %d, "
      "\"static_smem\": %d, \"blocks_per_sm\": %d%s}\n",
      quoted(BenchmarkId).c_str(), quoted(V.Family).c_str(),
      quoted(V.Name).c_str(), quoted(D.name()).c_str(), D.driverVersion(),
      M.correct() ? "true" : "false", M.BitEqual ? "true" : "false",
      M.Reference.Checked, M.Reference.Wrong,
      number(M.Reference.MaxError).c_str(), number(M.Tolerance).c_str(),
      O.Seeds, O.Quick ? "true" : "false", M.Attributes.Registers,
      M.Attributes.LocalBytes, M.Attributes.StaticShared,
      M.Attributes.BlocksPerSM, Statistics.c_str());
}

int main(int Count, char **Values) {
  Options O = parseOptions(Count, Values);
  std::unique_ptr<Device> D = openDevice();
  std::vector<Measurement> Results = measure(*D, O);
  bool AllCorrect = true;
  for (size_t V = 0; V < Results.size(); ++V) {
    print(*D, O, O.Variants[V], Results[V]);
    AllCorrect &= Results[V].correct();
  }
  return AllCorrect ? 0 : 1;
}
