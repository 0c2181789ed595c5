//===- params.h - random gathers: shared by kernel and host -------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_GATHER40_PARAMS_H
#define BENCHMARKS_GATHER40_PARAMS_H

enum { Accumulators = 40, Gathers = 64, BlockSize = 256 };

#endif // BENCHMARKS_GATHER40_PARAMS_H
