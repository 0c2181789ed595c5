//===- kernel.cu - counts of 16 bits --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often each of sixteen kinds occurs in a column, one column a thread:
// counts of 16 bits that data index.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
bins16(const unsigned *__restrict__ In, unsigned short *__restrict__ Out,
       int Count, int Rows) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short Seen[Kinds];
  for (int K = 0; K < Kinds; ++K)
    Seen[K] = 0;
  for (int Row = 0; Row < Rows; ++Row) {
    unsigned Word = In[Row * Count + T];
    for (int Digit = 0; Digit < 4; ++Digit)
      ++Seen[Word >> (8 * Digit) & (Kinds - 1)];
  }
  for (int K = 0; K < Kinds; ++K)
    Out[K * Count + T] = Seen[K];
}

BENCH_EXPORT(bins16)
