//===- kernel.cu - small inverses -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of a matrix of four rows by Gauss-Jordan elimination, one matrix
// a thread; data say which row is the pivot.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
inverse4(const float *__restrict__ In, float *__restrict__ Out, int Count) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float M[Rows][2 * Rows];
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Rows; ++J) {
      M[I][J] = In[(I * Rows + J) * Count + T];
      M[I][Rows + J] = I == J ? 1.f : 0.f;
    }
  for (int K = 0; K < Rows; ++K) {
    int Pivot = K;
    for (int I = K + 1; I < Rows; ++I)
      if (fabsf(M[I][K]) > fabsf(M[Pivot][K]))
        Pivot = I;
    for (int J = 0; J < 2 * Rows; ++J) {
      float Kept = M[Pivot][J];
      M[Pivot][J] = M[K][J];
      M[K][J] = Kept;
    }
    float Factor = 1.f / M[K][K];
    for (int J = 0; J < 2 * Rows; ++J)
      M[K][J] *= Factor;
    for (int I = 0; I < Rows; ++I) {
      float By = M[I][K];
      if (I != K)
        for (int J = 0; J < 2 * Rows; ++J)
          M[I][J] -= By * M[K][J];
    }
  }
  for (int I = 0; I < Rows; ++I)
    for (int J = 0; J < Rows; ++J)
      Out[(I * Rows + J) * Count + T] = M[I][Rows + J];
}

BENCH_EXPORT(inverse4)
