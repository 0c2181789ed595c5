//===- Checker.h - comparison with the CPU reference ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects errors; does not decide what a benchmark's tolerance should be.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_CHECKER_H
#define BENCHMARKS_COMMON_CHECKER_H

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bench {

class Checker {
public:
  explicit Checker(double Tolerance) : Tolerance(Tolerance) {}

  /// Relative error against max(|Want|, Scale). \p Scale is the magnitude
  /// below which an absolute error is what counts; NaN is always wrong.
  void close(double Got, double Want, double Scale) {
    double Error = std::fabs(Got - Want) / std::max(std::fabs(Want), Scale);
    record(Error, Error <= Tolerance);
  }

  template <class T> void equal(const T &Got, const T &Want) {
    record(Got == Want ? 0.0 : 1.0, Got == Want);
  }

  void merge(const Checker &Other) {
    Checked += Other.Checked;
    Wrong += Other.Wrong;
    MaxError = std::max(MaxError, Other.MaxError);
  }

  bool passed() const { return Checked > 0 && Wrong == 0; }

  size_t Checked = 0;
  size_t Wrong = 0;
  double MaxError = 0;

private:
  void record(double Error, bool Right) {
    ++Checked;
    Wrong += !Right;
    MaxError = std::max(MaxError, std::isnan(Error) ? HUGE_VAL : Error);
  }

  double Tolerance;
};

} // namespace bench

#endif // BENCHMARKS_COMMON_CHECKER_H
