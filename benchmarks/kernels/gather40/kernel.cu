//===- kernel.cu - random gathers into 40 accumulators --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread reads random elements of a large table and feeds them to 40
// exponential averages of different decay. The loads do not depend on each
// other and do not coalesce: the number of L1 lines that are free for
// outstanding misses decides the time, so shared memory has a price here.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
gather40(const unsigned *__restrict__ Seeds, const float *__restrict__ Table,
         float *__restrict__ Result, int IndexBits) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  unsigned Index = Seeds[T];
  float Average[Accumulators];
#pragma unroll
  for (int I = 0; I < Accumulators; ++I)
    Average[I] = 0.0f;

#pragma unroll 2
  for (int Step = 0; Step < Gathers; ++Step) {
    Index = Index * 1664525u + 1013904223u;
    float Value = Table[Index >> (32 - IndexBits)];
#pragma unroll
    for (int I = 0; I < Accumulators; ++I)
      Average[I] = Average[I] * (0.5f + 0.01f * I) + Value;
  }

  float Sum = 0.0f;
#pragma unroll
  for (int I = 0; I < Accumulators; ++I)
    Sum = Sum * 0.9f + Average[I];
  Result[T] = Sum;
}

BENCH_EXPORT(gather40)
