//===- kernel.cu - separable convolution, columns -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The column pass of a separable convolution with a radius of eight. A block
// stages a tile of 16 columns and its halo in shared memory; each thread
// computes eight pixels of one column.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

template <int Distance> __device__ __forceinline__ float weight() {
  constexpr float Value = Weights[Distance < 0 ? -Distance : Distance];
  return Value;
}

/// Sum over the distances D..Radius around \p Center.
template <int D>
__device__ __forceinline__ float convolve(const float *Center) {
  if constexpr (D > Radius)
    return 0.0f;
  else
    return weight<D>() * Center[D] + convolve<D + 1>(Center);
}

BENCH_KERNEL(BlockX *BlockY)
conv(const float *__restrict__ Input, float *__restrict__ Output, int Pitch,
     int Height) {
  __shared__ float Tile[BlockX][(ResultSteps + 2 * HaloSteps) * BlockY + 1];
  int X = blockIdx.x * BlockX + threadIdx.x;
  int FirstRow =
      (int(blockIdx.y) * ResultSteps - HaloSteps) * BlockY + int(threadIdx.y);

#pragma unroll
  for (int I = 0; I < ResultSteps + 2 * HaloSteps; ++I) {
    int Row = FirstRow + I * BlockY;
    Tile[threadIdx.x][threadIdx.y + I * BlockY] =
        Row >= 0 && Row < Height ? Input[Row * Pitch + X] : 0.0f;
  }
  __syncthreads();

#pragma unroll
  for (int I = HaloSteps; I < HaloSteps + ResultSteps; ++I)
    Output[(FirstRow + I * BlockY) * Pitch + X] =
        convolve<-Radius>(&Tile[threadIdx.x][threadIdx.y + I * BlockY]);
}

BENCH_EXPORT(conv)
