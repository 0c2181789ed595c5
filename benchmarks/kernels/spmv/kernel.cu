//===- kernel.cu - sparse matrix times vector -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row a thread, entries stored by columns of equally long rows (ELLPACK), so
// that neighbouring threads read neighbouring words; what they gather is
// nearby. A control: it needs few registers.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
spmv(const int *__restrict__ Columns, const float *__restrict__ Values,
     const float *__restrict__ X, float *__restrict__ Y, int Rows) {
  int Row = blockIdx.x * BlockSize + threadIdx.x;
  if (Row >= Rows)
    return;
  float Sum = 0;
  for (int I = 0; I < Entries; ++I)
    Sum += Values[I * Rows + Row] * X[Columns[I * Rows + Row]];
  Y[Row] = Sum;
}

BENCH_EXPORT(spmv)
