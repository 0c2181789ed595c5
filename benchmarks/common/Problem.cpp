//===- Problem.cpp - one random instance of a benchmark -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include <mutex>

using namespace bench;

void Problem::verify(size_t Count, size_t Samples, double MaxRelativeError,
                     std::function<void(size_t, Checker &)> Check) {
  CheckCount = Count;
  CheckSamples = std::min(Count, Samples);
  Tolerance = MaxRelativeError;
  CheckElement = std::move(Check);
}

Checker Problem::check() const {
  Checker Total(Tolerance);
  std::mutex Lock;
  size_t Start = CheckCount ? random(~0ull).bits(0) % CheckCount : 0;
  parallelFor(CheckSamples, [&](size_t Begin, size_t End) {
    Checker Local(Tolerance);
    for (size_t S = Begin; S < End; ++S)
      CheckElement((Start + S * CheckCount / CheckSamples) % CheckCount, Local);
    std::lock_guard<std::mutex> Guard(Lock);
    Total.merge(Local);
  });
  return Total;
}
