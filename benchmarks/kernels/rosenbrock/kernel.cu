//===- kernel.cu - stiff kinetics by a Rosenbrock method ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plant-physiology problem of Schaefer (HIRES; Hairer and Wanner, "Solving
// Ordinary Differential Equations II", IV.10), rates of its own for each cell,
// by the two-stage, L-stable Rosenbrock method (Verwer et al., 1999). Each step
// factorises the 8x8 matrix 1 - gamma h J in registers and solves twice.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// Rates \p K: the seven constants of the problem.
__device__ __forceinline__ void derivative(const double (&Y)[Species],
                                           const double (&K)[7],
                                           double (&D)[Species]) {
  double Bind = K[4] * Y[5] * Y[7];
  D[0] = -K[0] * Y[0] + K[1] * Y[1] + K[2] * Y[2] + 0.0007;
  D[1] = K[0] * Y[0] - (K[1] + K[3]) * Y[1];
  D[2] = -(K[2] + K[0]) * Y[2] + K[1] * Y[3] + 0.035 * Y[4];
  D[3] = K[3] * Y[1] + K[0] * Y[2] - (K[1] + 0.69) * Y[3];
  D[4] = -1.745 * Y[4] + K[1] * (Y[5] + Y[6]);
  D[5] = -Bind + K[5] * Y[3] + K[0] * Y[4] - K[1] * Y[5] + K[5] * Y[6];
  D[6] = Bind - K[6] * Y[6];
  D[7] = -Bind + K[6] * Y[6];
}

/// 1 - \p Scale J.
__device__ __forceinline__ void matrix(const double (&Y)[Species],
                                       const double (&K)[7], double Scale,
                                       double (&A)[Species][Species]) {
#pragma unroll
  for (int I = 0; I < Species; ++I)
#pragma unroll
    for (int J = 0; J < Species; ++J)
      A[I][J] = 0;
  A[0][0] = 1 + Scale * K[0];
  A[0][1] = -Scale * K[1];
  A[0][2] = -Scale * K[2];
  A[1][0] = -Scale * K[0];
  A[1][1] = 1 + Scale * (K[1] + K[3]);
  A[2][2] = 1 + Scale * (K[2] + K[0]);
  A[2][3] = -Scale * K[1];
  A[2][4] = -Scale * 0.035;
  A[3][1] = -Scale * K[3];
  A[3][2] = -Scale * K[0];
  A[3][3] = 1 + Scale * (K[1] + 0.69);
  A[4][4] = 1 + Scale * 1.745;
  A[4][5] = A[4][6] = -Scale * K[1];
  double By5 = Scale * K[4] * Y[7], By7 = Scale * K[4] * Y[5];
  A[5][3] = -Scale * K[5];
  A[5][4] = -Scale * K[0];
  A[5][5] = 1 + By5 + Scale * K[1];
  A[5][6] = -Scale * K[5];
  A[5][7] = By7;
  A[6][5] = -By5;
  A[6][6] = 1 + Scale * K[6];
  A[6][7] = -By7;
  A[7][5] = By5;
  A[7][6] = -Scale * K[6];
  A[7][7] = 1 + By7;
}

/// In place, without pivoting; the diagonal of U as its reciprocal.
__device__ __forceinline__ void factorise(double (&A)[Species][Species]) {
#pragma unroll
  for (int K = 0; K < Species; ++K) {
    A[K][K] = 1 / A[K][K];
#pragma unroll
    for (int I = K + 1; I < Species; ++I) {
      A[I][K] *= A[K][K];
#pragma unroll
      for (int J = K + 1; J < Species; ++J)
        A[I][J] -= A[I][K] * A[K][J];
    }
  }
}

__device__ __forceinline__ void solve(const double (&A)[Species][Species],
                                      double (&B)[Species]) {
#pragma unroll
  for (int I = 0; I < Species; ++I)
#pragma unroll
    for (int J = 0; J < I; ++J)
      B[I] -= A[I][J] * B[J];
#pragma unroll
  for (int I = Species - 1; I >= 0; --I) {
#pragma unroll
    for (int J = I + 1; J < Species; ++J)
      B[I] -= A[I][J] * B[J];
    B[I] *= A[I][I];
  }
}

BENCH_KERNEL(BlockSize)
rosenbrock(const double *__restrict__ Initial, const double *__restrict__ Rates,
           double *__restrict__ Final, int Cells, double Step) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Cells)
    return;
  const double Gamma = 1.7071067811865475; // 1 + 1 / root of 2
  double Y[Species], K[7];
#pragma unroll
  for (int I = 0; I < Species; ++I)
    Y[I] = Initial[I * Cells + T];
#pragma unroll
  for (int I = 0; I < 7; ++I)
    K[I] = Rates[I * Cells + T];

#pragma unroll 1
  for (int N = 0; N < Steps; ++N) {
    double A[Species][Species], K1[Species], K2[Species], Stage[Species];
    matrix(Y, K, Gamma * Step, A);
    factorise(A);
    derivative(Y, K, K1);
    solve(A, K1);
#pragma unroll
    for (int I = 0; I < Species; ++I)
      Stage[I] = Y[I] + Step * K1[I];
    derivative(Stage, K, K2);
#pragma unroll
    for (int I = 0; I < Species; ++I)
      K2[I] -= 2 * K1[I];
    solve(A, K2);
#pragma unroll
    for (int I = 0; I < Species; ++I)
      Y[I] += 1.5 * Step * K1[I] + 0.5 * Step * K2[I];
  }
#pragma unroll
  for (int I = 0; I < Species; ++I)
    Final[I * Cells + T] = Y[I];
}

BENCH_EXPORT(rosenbrock)
