//===- Runner.h - checks and times the builds of one kernel -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_RUNNER_H
#define BENCHMARKS_COMMON_RUNNER_H

#include "common/Device.h"
#include "common/Options.h"

namespace bench {

struct Measurement {
  KernelAttributes Attributes; ///< of the first kernel launched
  bool BitEqual = true;        ///< to the first build of the family
  Checker Reference{0};        ///< against the CPU reference
  double Tolerance = 0;
  std::vector<double> TimesMs; ///< one entry per repetition

  bool correct() const { return BitEqual && Reference.passed(); }
};

/// Measures every variant of \p O; the result has the same order.
std::vector<Measurement> measure(Device &D, const Options &O);

} // namespace bench

#endif // BENCHMARKS_COMMON_RUNNER_H
