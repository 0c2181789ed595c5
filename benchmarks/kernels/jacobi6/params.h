//===- params.h - batched eigenproblems: kernel and host --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_JACOBI6_PARAMS_H
#define BENCHMARKS_JACOBI6_PARAMS_H

enum {
  Size = 6,
  Entries = Size * (Size + 1) / 2, ///< of the lower triangle
  Sweeps = 6,
  BlockSize = 128
};

#endif // BENCHMARKS_JACOBI6_PARAMS_H
