//===- params.h - cubic pieces by value: kernel and host --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SEGMENTS_PARAMS_H
#define BENCHMARKS_SEGMENTS_PARAMS_H

enum { Pieces = 8, BlockSize = 128 };

struct Curve {
  float Scale;
  float Start[Pieces];
  float Factor[Pieces][4];
};

#endif // BENCHMARKS_SEGMENTS_PARAMS_H
