//===- kernel.cu - matrix product with register tiles ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A B in single precision, row-major. A block computes 128 x 128 elements
// from slices of A and B in shared memory, a thread Tile x Tile of them in
// registers; with a tile of 16 the accumulators alone need 256 registers.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
sgemm(const float *__restrict__ A, const float *__restrict__ B,
      float *__restrict__ C, int N, int K) {
  __shared__ float SliceA[Depth][BlockTile + 4]; // padded against conflicts
  __shared__ float SliceB[Depth][BlockTile];
  int T = threadIdx.x, Column = T % Side, Row = T / Side;
  const float *BlockA = A + size_t(blockIdx.y) * BlockTile * K;
  const float *BlockB = B + size_t(blockIdx.x) * BlockTile;

  float Sum[Tile][Tile];
#pragma unroll
  for (int I = 0; I < Tile; ++I)
#pragma unroll
    for (int J = 0; J < Tile; ++J)
      Sum[I][J] = 0.0f;

#pragma unroll 1
  for (int First = 0; First < K; First += Depth) {
#pragma unroll
    for (int Part = 0; Part < Depth * BlockTile / BlockSize; ++Part) {
      int I = Part * BlockSize + T;
      SliceA[I % Depth][I / Depth] =
          BlockA[(I / Depth) * K + First + I % Depth];
      SliceB[I / BlockTile][I % BlockTile] =
          BlockB[size_t(First + I / BlockTile) * N + I % BlockTile];
    }
    __syncthreads();
#pragma unroll
    for (int D = 0; D < Depth; ++D) {
      float FromA[Tile], FromB[Tile];
#pragma unroll
      for (int I = 0; I < Tile; ++I) {
        FromA[I] = SliceA[D][Row + I * Side];
        FromB[I] = SliceB[D][Column + I * Side];
      }
#pragma unroll
      for (int I = 0; I < Tile; ++I)
#pragma unroll
        for (int J = 0; J < Tile; ++J)
          Sum[I][J] += FromA[I] * FromB[J];
    }
    __syncthreads();
  }

  float *BlockC =
      C + size_t(blockIdx.y) * BlockTile * N + size_t(blockIdx.x) * BlockTile;
#pragma unroll
  for (int I = 0; I < Tile; ++I)
#pragma unroll
    for (int J = 0; J < Tile; ++J)
      BlockC[size_t(Row + I * Side) * N + Column + J * Side] = Sum[I][J];
}

BENCH_EXPORT(sgemm)
