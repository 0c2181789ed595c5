//===- kernel.cu - one 8x8 Gauss-Jordan solve per thread ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread keeps an 8x8 matrix and its right-hand side, 72 values, in
// registers. Systems are stored element by element (element e of system t at
// e * Systems + t), so that all accesses coalesce. No pivoting: the matrices
// are diagonally dominant.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
gauss_jordan(const float *__restrict__ Matrices, const float *__restrict__ Rhs,
             float *__restrict__ Solutions, int Systems) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Systems)
    return;

  float A[Size][Size + 1];
#pragma unroll
  for (int I = 0; I < Size; ++I) {
#pragma unroll
    for (int J = 0; J < Size; ++J)
      A[I][J] = Matrices[(I * Size + J) * Systems + T];
    A[I][Size] = Rhs[I * Systems + T];
  }

#pragma unroll
  for (int K = 0; K < Size; ++K) {
    float Inverse = 1.0f / A[K][K];
#pragma unroll
    for (int J = K; J <= Size; ++J)
      A[K][J] *= Inverse;
#pragma unroll
    for (int I = 0; I < Size; ++I) {
      if (I == K)
        continue;
      float Factor = A[I][K];
#pragma unroll
      for (int J = K; J <= Size; ++J)
        A[I][J] -= Factor * A[K][J];
    }
  }

#pragma unroll
  for (int I = 0; I < Size; ++I)
    Solutions[I * Systems + T] = A[I][Size];
}

BENCH_EXPORT(gauss_jordan)
