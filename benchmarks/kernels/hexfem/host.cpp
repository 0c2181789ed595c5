//===- host.cpp - hexahedral elements: input and reference ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

namespace {
using Matrix = std::array<std::array<double, 3>, 3>;

/// Inverse by elimination with pivoting; the determinant too.
Matrix inverse(Matrix A, double &Determinant) {
  Matrix B = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Determinant = 1;
  for (int K = 0; K < 3; ++K) {
    int Pivot = K;
    for (int I = K + 1; I < 3; ++I)
      if (std::fabs(A[I][K]) > std::fabs(A[Pivot][K]))
        Pivot = I;
    if (Pivot != K) {
      std::swap(A[K], A[Pivot]);
      std::swap(B[K], B[Pivot]);
      Determinant = -Determinant;
    }
    Determinant *= A[K][K];
    for (int J = 0; J < 3; ++J)
      B[K][J] /= A[K][K];
    for (int J = 2; J >= K; --J)
      A[K][J] /= A[K][K];
    for (int I = 0; I < 3; ++I) {
      double Factor = A[I][K];
      for (int J = 0; J < 3 && I != K; ++J) {
        B[I][J] -= Factor * B[K][J];
        A[I][J] -= Factor * A[K][J];
      }
    }
  }
  return B;
}
} // namespace

void bench::describe(Problem &P) {
  const int Side = P.quick() ? 8 : 72, Elements = Side * Side * Side;
  const int Row = Side + 1;
  auto &Coordinates =
      P.uniform<double>(size_t(3) * Row * Row * Row, 0, -0.15, 0.15);
  auto &Displacements =
      P.uniform<double>(size_t(3) * Row * Row * Row, 1, -1, 1);
  auto &Connectivity = P.input<int32_t>(size_t(Nodes) * Elements);
  auto &Lambdas = P.uniform<double>(Elements, 2, 1, 2);
  auto &Mus = P.uniform<double>(Elements, 3, 1, 2);
  auto &Forces = P.output<double>(size_t(3) * Nodes * Elements);
  for (int I = 0; I < Row * Row * Row; ++I) {
    Coordinates[size_t(3) * I] += I % Row;
    Coordinates[size_t(3) * I + 1] += I / Row % Row;
    Coordinates[size_t(3) * I + 2] += I / Row / Row;
  }
  for (int E = 0; E < Elements; ++E)
    for (int N = 0; N < Nodes; ++N) {
      int X = E % Side + N % 2, Y = E / Side % Side + N / 2 % 2;
      int Z = E / Side / Side + N / 4;
      Connectivity[size_t(N) * Elements + E] = (Z * Row + Y) * Row + X;
    }

  P.launch("hexfem", {ceilDiv(Elements, BlockSize)}, {BlockSize}, Coordinates,
           Displacements, Connectivity, Lambdas, Mus, Forces, Elements);

  P.verify(Elements, 5000, 1e-11,
           [=, &Coordinates, &Displacements, &Connectivity, &Lambdas, &Mus,
            &Forces](size_t E, Checker &C) {
             double Want[Nodes][3] = {};
             for (int Point = 0; Point < Points; ++Point) {
               double Local[Nodes][3], Global[Nodes][3] = {}, Volume;
               Matrix J = {}, G = {};
               for (int N = 0; N < Nodes; ++N)
                 for (int A = 0; A < 3; ++A) {
                   Local[N][A] = 1;
                   for (int B = 0; B < 3; ++B) {
                     double Sign = N >> B & 1 ? 0.5 : -0.5;
                     double At = Point >> B & 1 ? GaussPoint : -GaussPoint;
                     Local[N][A] *= A == B ? Sign : 0.5 + Sign * At;
                   }
                   for (int B = 0; B < 3; ++B) {
                     size_t Node = Connectivity[size_t(N) * Elements + E];
                     J[B][A] += Coordinates[3 * Node + B] * Local[N][A];
                   }
                 }
               Matrix Back = inverse(J, Volume);
               for (int N = 0; N < Nodes; ++N) {
                 size_t Node = Connectivity[size_t(N) * Elements + E];
                 for (int A = 0; A < 3; ++A)
                   for (int B = 0; B < 3; ++B)
                     Global[N][A] += Local[N][B] * Back[B][A];
                 for (int A = 0; A < 3; ++A)
                   for (int B = 0; B < 3; ++B)
                     G[A][B] += Displacements[3 * Node + A] * Global[N][B];
               }
               double Trace = G[0][0] + G[1][1] + G[2][2];
               for (int N = 0; N < Nodes; ++N)
                 for (int A = 0; A < 3; ++A)
                   for (int B = 0; B < 3; ++B) {
                     double Stress = Mus[E] * (G[A][B] + G[B][A]) +
                                     (A == B ? Lambdas[E] * Trace : 0);
                     Want[N][A] += Volume * Stress * Global[N][B];
                   }
             }
             for (int N = 0; N < Nodes; ++N)
               for (int A = 0; A < 3; ++A)
                 C.close(Forces[size_t(3 * N + A) * Elements + E], Want[N][A],
                         1.0);
           });
}
