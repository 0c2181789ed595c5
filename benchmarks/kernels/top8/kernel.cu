//===- kernel.cu - smallest of a column -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The eight smallest numbers of a column, one column a thread: insertion into
// a sorted array, of which data say how far.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
top8(const float *__restrict__ In, float *__restrict__ Out, int Columns,
     int Rows) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float Best[Kept];
  for (int K = 0; K < Kept; ++K)
    Best[K] = 1e30f;
  for (int Row = 0; Row < Rows; ++Row) {
    float V = In[Row * Columns + T];
    if (V < Best[Kept - 1]) {
      int K = Kept - 1;
      while (K > 0 && Best[K - 1] > V) {
        Best[K] = Best[K - 1];
        --K;
      }
      Best[K] = V;
    }
  }
  for (int K = 0; K < Kept; ++K)
    Out[K * Columns + T] = Best[K];
}

BENCH_EXPORT(top8)
