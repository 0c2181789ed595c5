//===- kernel.cu - vectors by element -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors of four whose elements data pick: a vector that is looked at by
// element.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
lanes4(const float4 *__restrict__ In, const int *__restrict__ Lane,
       float4 *__restrict__ Out, int Count, int Steps) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float4 Sum = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int S = 0; S < Steps; ++S) {
    float4 V = In[S * Count + T];
    int K = Lane[S * Count + T];
    const float *From = &V.x;
    float *To = &Sum.x;
    To[K & 3] += From[(K >> 2) & 3];
  }
  Out[T] = Sum;
}

BENCH_EXPORT(lanes4)
