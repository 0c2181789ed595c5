//===- Parallel.h - a loop over the host's cores ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Used for input generation and CPU references only, never while the GPU is
// being timed.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_COMMON_PARALLEL_H
#define BENCHMARKS_COMMON_PARALLEL_H

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace bench {

/// Calls Body(Begin, End) for disjoint ranges that cover [0, Count).
template <class Fn> void parallelFor(size_t Count, const Fn &Body) {
  size_t Workers =
      std::max(1u, std::min(16u, std::thread::hardware_concurrency()));
  Workers = std::max<size_t>(1, std::min(Workers, Count));
  if (Workers == 1)
    return Body(size_t(0), Count);
  std::vector<std::thread> Threads;
  for (size_t W = 0; W < Workers; ++W)
    Threads.emplace_back([&Body, Count, Workers, W] {
      Body(Count * W / Workers, Count * (W + 1) / Workers);
    });
  for (std::thread &T : Threads)
    T.join();
}

} // namespace bench

#endif // BENCHMARKS_COMMON_PARALLEL_H
