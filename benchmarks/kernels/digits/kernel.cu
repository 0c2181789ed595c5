//===- kernel.cu - counts behind a guard ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts of ten kinds by a guarded index, which grows with each that is seen:
// a short table of 64-bit numbers.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
digits(const int *__restrict__ In, unsigned long long *__restrict__ Out,
       int Count, int Steps) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long Seen[Kinds];
  for (int K = 0; K < Kinds; ++K)
    Seen[K] = K;
  for (int S = 0; S < Steps; ++S) {
    int K = In[S * Count + T];
    if (K >= 0 && K < Kinds)
      Seen[K] = Seen[K] * 3 + S;
  }
  for (int K = 0; K < Kinds; ++K)
    Out[size_t(K) * Count + T] = Seen[K];
}

BENCH_EXPORT(digits)
