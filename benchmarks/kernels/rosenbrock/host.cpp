//===- host.cpp - Rosenbrock method: input and reference ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;
using Real = long double;
using Vector = std::array<Real, Species>;
using Matrix = std::array<Vector, Species>;

static Vector derivative(const Vector &Y, const Real *K) {
  const Real Bind = K[4] * Y[5] * Y[7];
  return {-K[0] * Y[0] + K[1] * Y[1] + K[2] * Y[2] + Real(0.0007),
          K[0] * Y[0] - (K[1] + K[3]) * Y[1],
          -(K[2] + K[0]) * Y[2] + K[1] * Y[3] + Real(0.035) * Y[4],
          K[3] * Y[1] + K[0] * Y[2] - (K[1] + Real(0.69)) * Y[3],
          Real(-1.745) * Y[4] + K[1] * (Y[5] + Y[6]),
          -Bind + K[5] * (Y[3] + Y[6]) + K[0] * Y[4] - K[1] * Y[5],
          Bind - K[6] * Y[6],
          -Bind + K[6] * Y[6]};
}

/// 1 - Scale J; J by central differences, which are exact here: no term has
/// a degree above two.
static Matrix matrix(const Vector &Y, const Real *K, Real Scale) {
  Matrix A = {};
  for (int J = 0; J < Species; ++J) {
    Vector Above = Y, Below = Y;
    Above[J] += 1;
    Below[J] -= 1;
    Vector High = derivative(Above, K), Low = derivative(Below, K);
    for (int I = 0; I < Species; ++I)
      A[I][J] = (I == J) - Scale * (High[I] - Low[I]) / 2;
  }
  return A;
}

/// Gaussian elimination with pivoting.
static Vector solve(Matrix A, Vector B) {
  for (int K = 0; K < Species; ++K) {
    int Pivot = K;
    for (int I = K + 1; I < Species; ++I)
      if (std::fabs(A[I][K]) > std::fabs(A[Pivot][K]))
        Pivot = I;
    std::swap(A[K], A[Pivot]);
    std::swap(B[K], B[Pivot]);
    for (int I = K + 1; I < Species; ++I) {
      Real Factor = A[I][K] / A[K][K];
      for (int J = K; J < Species; ++J)
        A[I][J] -= Factor * A[K][J];
      B[I] -= Factor * B[K];
    }
  }
  for (int I = Species - 1; I >= 0; --I) {
    for (int J = I + 1; J < Species; ++J)
      B[I] -= A[I][J] * B[J];
    B[I] /= A[I][I];
  }
  return B;
}

void bench::describe(Problem &P) {
  const int Cells = P.quick() ? 512 : 1 << 18;
  auto &Initial = P.uniform<double>(size_t(Species) * Cells, 0, 0, 1);
  auto &Rates = P.uniform<double>(size_t(7) * Cells, 1, 0.8, 1.2);
  auto &Final = P.output<double>(size_t(Species) * Cells);
  static const double Constants[7] = {1.71, 0.43, 8.32, 8.75, 280, 0.69, 1.81};
  for (int I = 0; I < 7; ++I)
    for (int T = 0; T < Cells; ++T)
      Rates[size_t(I) * Cells + T] *= Constants[I];
  const double Step = 0.01;

  P.launch("rosenbrock", {ceilDiv(Cells, BlockSize)}, {BlockSize}, Initial,
           Rates, Final, Cells, Step);

  P.verify(Cells, 2000, 1e-10,
           [=, &Initial, &Rates, &Final](size_t T, Checker &C) {
             Vector Y;
             Real K[7];
             for (int I = 0; I < Species; ++I)
               Y[I] = Initial[size_t(I) * Cells + T];
             for (int I = 0; I < 7; ++I)
               K[I] = Rates[size_t(I) * Cells + T];
             const Real H = Step, Gamma = 1 + std::sqrt(Real(0.5));
             for (int N = 0; N < Steps; ++N) {
               Matrix A = matrix(Y, K, Gamma * H);
               Vector K1 = solve(A, derivative(Y, K)), Stage;
               for (int I = 0; I < Species; ++I)
                 Stage[I] = Y[I] + H * K1[I];
               Vector Right = derivative(Stage, K);
               for (int I = 0; I < Species; ++I)
                 Right[I] -= 2 * K1[I];
               Vector K2 = solve(A, Right);
               for (int I = 0; I < Species; ++I)
                 Y[I] += H * (3 * K1[I] + K2[I]) / 2;
             }
             for (int I = 0; I < Species; ++I)
               C.close(Final[size_t(I) * Cells + T], double(Y[I]), 0.1);
           });
}
