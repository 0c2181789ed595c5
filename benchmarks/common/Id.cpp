//===- Id.cpp - name of a benchmark program -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled once for each program, which takes no time, unlike what uses it.
//
//===----------------------------------------------------------------------===//

namespace bench {
extern const char *const BenchmarkId;
const char *const BenchmarkId = BENCH_ID;
} // namespace bench
