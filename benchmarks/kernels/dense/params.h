//===- params.h - batched factorisations: kernel and host -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_DENSE_PARAMS_H
#define BENCHMARKS_DENSE_PARAMS_H

// SIZE (matrix rows) comes from the command line, and CHOLESKY (0: LU).
enum {
  Size = SIZE,
  Entries = CHOLESKY ? SIZE * (SIZE + 1) / 2 : SIZE * SIZE, ///< stored
  BlockSize = 128
};

/// Entry (I, J) among those stored: rows of the lower triangle for Cholesky.
#define ENTRY(I, J) (CHOLESKY ? (I) * ((I) + 1) / 2 + (J) : (I) * Size + (J))

#endif // BENCHMARKS_DENSE_PARAMS_H
