//===- kernel.cu - tricubic B-splines -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Value, gradient and second derivatives of a periodic tricubic B-spline at
// random points, as quantum Monte Carlo needs them of orbitals: 64 gathered
// coefficients, ten sums. One point a thread.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// Weights of the four coefficients and their first two derivatives.
__device__ __forceinline__ void weights(float T, float (&W)[3][4]) {
  float S = 1 - T;
  W[0][0] = S * S * S * (1.0f / 6);
  W[0][1] = (T * T * (3 * T - 6) + 4) * (1.0f / 6);
  W[0][2] = (S * S * (3 * S - 6) + 4) * (1.0f / 6);
  W[0][3] = T * T * T * (1.0f / 6);
  W[1][0] = -0.5f * S * S;
  W[1][1] = T * (1.5f * T - 2);
  W[1][2] = S * (2 - 1.5f * S);
  W[1][3] = 0.5f * T * T;
  W[2][0] = S;
  W[2][1] = 3 * T - 2;
  W[2][2] = 3 * S - 2;
  W[2][3] = T;
}

BENCH_KERNEL(BlockSize)
spline3d(const float *__restrict__ Coefficients,
         const float *__restrict__ Positions, float *__restrict__ Results,
         int Points, int Side) {
  int P = blockIdx.x * BlockSize + threadIdx.x;
  if (P >= Points)
    return;
  float Weight[3][3][4];
  int Offset[3][4];
#pragma unroll
  for (int A = 0; A < 3; ++A) {
    float At = Positions[A * Points + P] * float(Side);
    int Cell = min(int(At), Side - 1);
    weights(At - float(Cell), Weight[A]);
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      int Index = Cell + I;
      Index = Index >= Side ? Index - Side : Index;
      Offset[A][I] = Index * (A == 0 ? Side * Side : A == 1 ? Side : 1);
    }
  }
  float Sum[Values] = {};
#pragma unroll
  for (int I = 0; I < 4; ++I)
#pragma unroll
    for (int J = 0; J < 4; ++J) {
      const float *Row = Coefficients + Offset[0][I] + Offset[1][J];
      float Line[3] = {0, 0, 0};
#pragma unroll
      for (int K = 0; K < 4; ++K) {
        float C = Row[Offset[2][K]];
#pragma unroll
        for (int D = 0; D < 3; ++D)
          Line[D] += Weight[2][D][K] * C;
      }
      float (&X)[3][4] = Weight[0], (&Y)[3][4] = Weight[1];
      Sum[0] += X[0][I] * Y[0][J] * Line[0];
      Sum[1] += X[1][I] * Y[0][J] * Line[0];
      Sum[2] += X[0][I] * Y[1][J] * Line[0];
      Sum[3] += X[0][I] * Y[0][J] * Line[1];
      Sum[4] += X[2][I] * Y[0][J] * Line[0];
      Sum[5] += X[1][I] * Y[1][J] * Line[0];
      Sum[6] += X[1][I] * Y[0][J] * Line[1];
      Sum[7] += X[0][I] * Y[2][J] * Line[0];
      Sum[8] += X[0][I] * Y[1][J] * Line[1];
      Sum[9] += X[0][I] * Y[0][J] * Line[2];
    }
#pragma unroll
  for (int I = 0; I < Values; ++I)
    Results[I * Points + P] = Sum[I];
}

BENCH_EXPORT(spline3d)
