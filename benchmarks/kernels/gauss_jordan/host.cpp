//===- host.cpp - Gauss-Jordan: input and reference -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

/// Gaussian elimination with partial pivoting and back substitution.
static void solve(double (&A)[Size][Size], double (&B)[Size]) {
  for (int K = 0; K < Size; ++K) {
    int Pivot = K;
    for (int I = K + 1; I < Size; ++I)
      if (std::fabs(A[I][K]) > std::fabs(A[Pivot][K]))
        Pivot = I;
    std::swap(A[K], A[Pivot]);
    std::swap(B[K], B[Pivot]);
    for (int I = K + 1; I < Size; ++I) {
      double Factor = A[I][K] / A[K][K];
      for (int J = K; J < Size; ++J)
        A[I][J] -= Factor * A[K][J];
      B[I] -= Factor * B[K];
    }
  }
  for (int I = Size; I-- > 0;) {
    for (int J = I + 1; J < Size; ++J)
      B[I] -= A[I][J] * B[J];
    B[I] /= A[I][I];
  }
}

void bench::describe(Problem &P) {
  const int Systems = P.quick() ? 4096 : 1 << 20;
  auto &Matrices = P.uniform<float>(size_t(Systems) * Size * Size, 0, -1, 1);
  auto &Rhs = P.uniform<float>(size_t(Systems) * Size, 1, -1, 1);
  auto &Solutions = P.output<float>(size_t(Systems) * Size);
  for (int I = 0; I < Size; ++I) // |a_ii| in [8, 10] > 7 >= row sum
    for (int T = 0; T < Systems; ++T) {
      float &Diagonal = Matrices[size_t(I * Size + I) * Systems + T];
      Diagonal = (Diagonal < 0 ? -9.0f : 9.0f) + Diagonal;
    }

  P.launch("gauss_jordan", {ceilDiv(Systems, BlockSize)}, {BlockSize}, Matrices,
           Rhs, Solutions, Systems);

  P.verify(Systems, 20000, 1e-5, [&, Systems](size_t T, Checker &C) {
    double A[Size][Size], B[Size];
    for (int I = 0; I < Size; ++I) {
      B[I] = Rhs[size_t(I) * Systems + T];
      for (int J = 0; J < Size; ++J)
        A[I][J] = Matrices[size_t(I * Size + J) * Systems + T];
    }
    solve(A, B);
    for (int I = 0; I < Size; ++I)
      C.close(Solutions[size_t(I) * Systems + T], B[I], 0.1);
  });
}
