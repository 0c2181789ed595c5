//===- params.h - Winograd convolution: kernel and host ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_WINOGRAD_PARAMS_H
#define BENCHMARKS_WINOGRAD_PARAMS_H

enum {
  Output = 4, ///< rows and columns of a tile's output
  Filter = 3,
  Window = Output + Filter - 1,
  Channels = 32,
  Filters = 16,
  BlockSize = 128
};

#endif // BENCHMARKS_WINOGRAD_PARAMS_H
