//===- kernel.cu - cubic pieces by value ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of eight cubic pieces, which the host passes by value: data say
// which piece, and a scale that the kernel writes makes a copy of it.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

__device__ __forceinline__ float valueOf(Curve C, float X) {
  int At = 0;
  for (int K = 1; K < Pieces; ++K)
    At += X >= C.Start[K];
  float D = X - C.Start[At];
  float Y = C.Factor[At][3];
  for (int K = 2; K >= 0; --K)
    Y = Y * D + C.Factor[At][K];
  return Y * C.Scale;
}

BENCH_KERNEL(BlockSize)
segments(Curve C, const float *__restrict__ In, float *__restrict__ Out,
         int Count, int Steps) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  C.Scale *= 0.5f;
  for (int S = 0; S < Steps; ++S)
    Out[S * Count + T] = valueOf(C, In[S * Count + T]);
}

BENCH_EXPORT(segments)
