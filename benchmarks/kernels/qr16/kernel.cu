//===- kernel.cu - batched QR solves --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One dense 16x16 system a thread, solved by Householder reflections (Golub
// and Van Loan, "Matrix Computations", 5.2) and back substitution; more values
// than a thread can have registers. Entry e of system t is at
// e * Systems + t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
qr16(const float *__restrict__ Matrices, const float *__restrict__ Rhs,
     float *__restrict__ Solutions, int Systems) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Systems)
    return;
  float A[Size][Size + 1]; // the last column is the right-hand side
#pragma unroll
  for (int I = 0; I < Size; ++I) {
#pragma unroll
    for (int J = 0; J < Size; ++J)
      A[I][J] = Matrices[(I * Size + J) * Systems + T];
    A[I][Size] = Rhs[I * Systems + T];
  }

  float Inverse[Size]; // of R's diagonal
#pragma unroll
  for (int K = 0; K < Size; ++K) {
    float Square = 0;
#pragma unroll
    for (int I = K; I < Size; ++I)
      Square += A[I][K] * A[I][K];
    float Norm = sqrtf(Square);
    float Diagonal = A[K][K] > 0 ? -Norm : Norm;
    // H = 1 - v v^T / (norm (norm + |a_kk|)), v = a - diagonal e_k
    float Scale = 1.0f / (Square - Diagonal * A[K][K]);
    A[K][K] -= Diagonal;
    Inverse[K] = 1.0f / Diagonal;
#pragma unroll
    for (int J = K + 1; J <= Size; ++J) {
      float Dot = 0;
#pragma unroll
      for (int I = K; I < Size; ++I)
        Dot += A[I][K] * A[I][J];
      Dot *= Scale;
#pragma unroll
      for (int I = K; I < Size; ++I)
        A[I][J] -= Dot * A[I][K];
    }
  }

#pragma unroll
  for (int I = Size - 1; I >= 0; --I) {
    float X = A[I][Size];
#pragma unroll
    for (int J = I + 1; J < Size; ++J)
      X -= A[I][J] * A[J][Size];
    A[I][Size] = X * Inverse[I];
    Solutions[I * Systems + T] = A[I][Size];
  }
}

BENCH_EXPORT(qr16)
