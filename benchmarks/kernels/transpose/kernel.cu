//===- kernel.cu - transpose a matrix -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile a block goes through shared memory, so that reads and writes are both
// of whole lines; rows of the tile have a word more, which keeps columns free
// of bank conflicts. A control: it needs few registers.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
transpose(const float *__restrict__ From, float *__restrict__ To, int Width,
          int Height) {
  __shared__ float Part[Tile][Tile + 1];
  int X = threadIdx.x % Tile, Y = threadIdx.x / Tile;
  int Column = blockIdx.x * Tile, Row = blockIdx.y * Tile;
  for (int I = 0; I < Tile; I += RowsAtATime)
    Part[Y + I][X] = From[(Row + Y + I) * Width + Column + X];
  __syncthreads();
  for (int I = 0; I < Tile; I += RowsAtATime)
    To[(Column + Y + I) * Height + Row + X] = Part[X][Y + I];
}

BENCH_EXPORT(transpose)
