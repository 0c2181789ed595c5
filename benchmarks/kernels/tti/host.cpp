//===- host.cpp - anisotropic wave equation: input and reference ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

/// Coefficient at distance \p K of the central difference of \p Derivative
/// (1 or 2) with 2 R + 1 points.
static double coefficient(int Derivative, int R, int K) {
  if (K == 0) {
    double Sum = 0;
    for (int I = 1; I <= R; ++I)
      Sum -= 2 * coefficient(Derivative, R, I);
    return Derivative == 2 ? Sum : 0;
  }
  if (K < 0)
    return (Derivative == 2 ? 1 : -1) * coefficient(Derivative, R, -K);
  double Ratio = 1; // (R!)^2 / ((R-K)! (R+K)!)
  for (int I = 0; I < K; ++I)
    Ratio *= double(R - I) / (R + I + 1);
  double First = (K % 2 ? 1 : -1) * Ratio / K;
  return Derivative == 1 ? First : 2 * First / K;
}

void bench::describe(Problem &P) {
  const int NX = P.quick() ? 32 : 192, NY = P.quick() ? 16 : 160;
  const int NZ = P.quick() ? 8 : 128;
  const int Pitch = NX + 2 * PadX, Rows = NY + 2 * Radius;
  const size_t Plane = size_t(Pitch) * Rows;
  const size_t Cells = Plane * (NZ + 2 * Radius);
  auto &Previous = P.uniform<float>(Cells, 0, -1, 1);
  auto &Current = P.uniform<float>(Cells, 1, -1, 1);
  auto &Dip = P.uniform<float>(Cells, 2, 0, 1.5);
  auto &Azimuth = P.uniform<float>(Cells, 3, -3, 3);
  auto &Along = P.uniform<float>(Cells, 4, 0.05, 0.1);
  auto &Across = P.uniform<float>(Cells, 5, 0.05, 0.15);
  auto &Next = P.output<float>(Cells);

  P.launch("tti", {unsigned(NX / BlockX), unsigned(NY / BlockY), unsigned(NZ)},
           {BlockX, BlockY}, Previous, Current, Dip, Azimuth, Along, Across,
           Next, Pitch, Rows);

  P.verify(size_t(NX) * NY * NZ, 20000, 5e-6,
           [=, &Previous, &Current, &Dip, &Azimuth, &Along, &Across,
            &Next](size_t I, Checker &C) {
             size_t X = I % NX, Y = I / NX % NY, Z = I / NX / NY;
             size_t At = (Z + Radius) * Plane + (Y + Radius) * Pitch + X + PadX;
             const long Strides[3] = {1, Pitch, long(Plane)};
             const double Normal[3] = {
                 std::sin(double(Dip[At])) * std::cos(double(Azimuth[At])),
                 std::sin(double(Dip[At])) * std::sin(double(Azimuth[At])),
                 std::cos(double(Dip[At]))};
             double Axis = 0, Trace = 0;
             for (int A = 0; A < 3; ++A)
               for (int B = 0; B < 3; ++B) {
                 double D = 0;
                 if (A == B)
                   for (int K = -Radius; K <= Radius; ++K)
                     D += coefficient(2, Radius, K) *
                          Current[At + K * Strides[A]];
                 else
                   for (int K = -MixedRadius; K <= MixedRadius; ++K)
                     for (int L = -MixedRadius; L <= MixedRadius; ++L)
                       D += coefficient(1, MixedRadius, K) *
                            coefficient(1, MixedRadius, L) *
                            Current[At + K * Strides[A] + L * Strides[B]];
                 Axis += Normal[A] * Normal[B] * D;
                 Trace += A == B ? D : 0;
               }
             C.close(Next[At],
                     2.0 * Current[At] - Previous[At] + Along[At] * Axis +
                         Across[At] * (Trace - Axis),
                     1.0);
           });
}
