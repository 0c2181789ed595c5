//===- params.h - prefix sums: kernel and host ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SCAN_PARAMS_H
#define BENCHMARKS_SCAN_PARAMS_H

enum { BlockSize = 256, PerThread = 4, PerBlock = BlockSize * PerThread };

#endif // BENCHMARKS_SCAN_PARAMS_H
