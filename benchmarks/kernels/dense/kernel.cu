//===- kernel.cu - batched LU and Cholesky solves -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One dense linear system a thread, kept in registers: factorisation without
// pivoting (the matrices are diagonally dominant or positive definite), then
// forward and backward substitution. Entry e of system t is at
// e * Systems + t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

#if CHOLESKY
/// A = L L^T; the diagonal of L is stored as its reciprocal.
__device__ __forceinline__ void solve(float (&A)[Size][Size],
                                      float (&B)[Size]) {
#pragma unroll
  for (int J = 0; J < Size; ++J) {
#pragma unroll
    for (int K = 0; K < J; ++K)
      A[J][J] -= A[J][K] * A[J][K];
    A[J][J] = rsqrtf(A[J][J]);
#pragma unroll
    for (int I = J + 1; I < Size; ++I) {
#pragma unroll
      for (int K = 0; K < J; ++K)
        A[I][J] -= A[I][K] * A[J][K];
      A[I][J] *= A[J][J];
    }
  }
#pragma unroll
  for (int I = 0; I < Size; ++I) {
#pragma unroll
    for (int K = 0; K < I; ++K)
      B[I] -= A[I][K] * B[K];
    B[I] *= A[I][I];
  }
#pragma unroll
  for (int I = Size - 1; I >= 0; --I) {
#pragma unroll
    for (int K = I + 1; K < Size; ++K)
      B[I] -= A[K][I] * B[K];
    B[I] *= A[I][I];
  }
}
#else
/// A = L U, L with a unit diagonal; the diagonal of U as its reciprocal.
__device__ __forceinline__ void solve(float (&A)[Size][Size],
                                      float (&B)[Size]) {
#pragma unroll
  for (int K = 0; K < Size; ++K) {
    A[K][K] = 1.0f / A[K][K];
#pragma unroll
    for (int I = K + 1; I < Size; ++I) {
      A[I][K] *= A[K][K];
#pragma unroll
      for (int J = K + 1; J < Size; ++J)
        A[I][J] -= A[I][K] * A[K][J];
    }
  }
#pragma unroll
  for (int I = 0; I < Size; ++I)
#pragma unroll
    for (int K = 0; K < I; ++K)
      B[I] -= A[I][K] * B[K];
#pragma unroll
  for (int I = Size - 1; I >= 0; --I) {
#pragma unroll
    for (int K = I + 1; K < Size; ++K)
      B[I] -= A[I][K] * B[K];
    B[I] *= A[I][I];
  }
}
#endif

BENCH_KERNEL(BlockSize)
dense(const float *__restrict__ Matrices, const float *__restrict__ Rhs,
      float *__restrict__ Solutions, int Systems) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Systems)
    return;
  float A[Size][Size], B[Size];
#pragma unroll
  for (int I = 0; I < Size; ++I) {
#pragma unroll
    for (int J = 0; J < (CHOLESKY ? I + 1 : Size); ++J)
      A[I][J] = Matrices[ENTRY(I, J) * Systems + T];
    B[I] = Rhs[I * Systems + T];
  }
  solve(A, B);
#pragma unroll
  for (int I = 0; I < Size; ++I)
    Solutions[I * Systems + T] = B[I];
}

BENCH_EXPORT(dense)
