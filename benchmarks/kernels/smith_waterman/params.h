//===- params.h - local alignment: kernel and host --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SMITH_WATERMAN_PARAMS_H
#define BENCHMARKS_SMITH_WATERMAN_PARAMS_H

enum {
  QueryLength = 32,
  Match = 3,
  Mismatch = -2,
  GapOpen = 5, ///< cost of a gap's first letter
  GapExtend = 1,
  BlockSize = 128
};

#endif // BENCHMARKS_SMITH_WATERMAN_PARAMS_H
