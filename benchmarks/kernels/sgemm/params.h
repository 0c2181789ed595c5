//===- params.h - matrix product: kernel and host ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SGEMM_PARAMS_H
#define BENCHMARKS_SGEMM_PARAMS_H

// TILE (rows and columns of C per thread) comes from the command line.
enum {
  Tile = TILE,
  BlockTile = 128, ///< rows and columns of C per block
  Depth = 8,       ///< columns of A staged at once
  Side = BlockTile / Tile,
  BlockSize = Side * Side
};

#endif // BENCHMARKS_SGEMM_PARAMS_H
