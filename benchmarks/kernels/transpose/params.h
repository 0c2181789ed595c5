//===- params.h - a transposed matrix: kernel and host ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_TRANSPOSE_PARAMS_H
#define BENCHMARKS_TRANSPOSE_PARAMS_H

enum { BlockSize = 256, Tile = 32, RowsAtATime = BlockSize / Tile };

#endif // BENCHMARKS_TRANSPOSE_PARAMS_H
