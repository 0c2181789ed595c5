//===- kernel.cu - small systems of equations -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Five equations solved by elimination with row pivoting, one system a thread:
// which row is swapped with which depends on data.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
pivot5(const double *__restrict__ Matrix, const double *__restrict__ Right,
       double *__restrict__ Out, int Systems) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  double M[Rows][Rows + 1];
  for (int I = 0; I < Rows; ++I) {
    for (int J = 0; J < Rows; ++J)
      M[I][J] = Matrix[(I * Rows + J) * Systems + T];
    M[I][Rows] = Right[I * Systems + T];
  }
  for (int K = 0; K < Rows; ++K) {
    int Pivot = K;
    for (int I = K + 1; I < Rows; ++I)
      if (fabs(M[I][K]) > fabs(M[Pivot][K]))
        Pivot = I;
    for (int J = K; J <= Rows; ++J) {
      double Swapped = M[K][J];
      M[K][J] = M[Pivot][J];
      M[Pivot][J] = Swapped;
    }
    for (int I = K + 1; I < Rows; ++I) {
      double Factor = M[I][K] / M[K][K];
      for (int J = K + 1; J <= Rows; ++J)
        M[I][J] -= Factor * M[K][J];
    }
  }
  for (int I = Rows - 1; I >= 0; --I) {
    double X = M[I][Rows];
    for (int J = I + 1; J < Rows; ++J)
      X -= M[I][J] * M[J][Rows];
    M[I][Rows] = X / M[I][I];
    Out[I * Systems + T] = M[I][Rows];
  }
}

BENCH_EXPORT(pivot5)
