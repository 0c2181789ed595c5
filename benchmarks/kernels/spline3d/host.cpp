//===- host.cpp - tricubic splines: input and reference -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

/// The cubic B-spline of support (-2, 2), or a derivative of it, by the
/// definition with truncated powers.
static double spline(double X, int Derivative) {
  static const double Binomial[5] = {1, -4, 6, -4, 1};
  double Sum = 0;
  for (int K = 0; K < 5; ++K) {
    double D = std::max(X + 2 - K, 0.0);
    Sum += Binomial[K] * (Derivative == 0   ? D * D * D / 6
                          : Derivative == 1 ? D * D / 2
                                            : D);
  }
  return Sum;
}

void bench::describe(Problem &P) {
  const int Points = P.quick() ? 1024 : 1 << 19;
  const int Side = P.quick() ? 16 : 128; // 8 MB of coefficients
  auto &Coefficients = P.uniform<float>(size_t(Side) * Side * Side, 0, -1, 1);
  auto &Positions = P.uniform<float>(size_t(3) * Points, 1, 0, 1);
  auto &Results = P.output<float>(size_t(Values) * Points);

  P.launch("spline3d", {ceilDiv(Points, BlockSize)}, {BlockSize}, Coefficients,
           Positions, Results, Points, Side);

  P.verify(Points, 5000, 1e-4,
           [=, &Coefficients, &Positions, &Results](size_t T, Checker &C) {
             static const int Derivatives[Values][3] = {
                 {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0},
                 {1, 1, 0}, {1, 0, 1}, {0, 2, 0}, {0, 1, 1}, {0, 0, 2}};
             double At[3];
             int Cell[3];
             for (int A = 0; A < 3; ++A) {
               // Rounded as the kernel rounds it: the cell depends on it.
               At[A] = Positions[size_t(A) * Points + T] * float(Side);
               Cell[A] = std::min(int(At[A]), Side - 1);
             }
             for (int V = 0; V < Values; ++V) {
               double Sum = 0;
               for (int I = 0; I < 64; ++I) {
                 const int Step[3] = {I / 16, I / 4 % 4, I % 4};
                 double Weight = 1;
                 size_t Index = 0;
                 for (int A = 0; A < 3; ++A) {
                   double Place = Cell[A] + Step[A] - 1;
                   Weight *= spline(At[A] - Place, Derivatives[V][A]);
                   Index = Index * Side + (Cell[A] + Step[A]) % Side;
                 }
                 Sum += Weight * Coefficients[Index];
               }
               C.close(Results[size_t(V) * Points + T], Sum, 2.0);
             }
           });
}
