//===- host.cpp - 3D wave equation: input and reference -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

/// Coefficient at distance \p K > 0 of the central difference of order 2R:
/// 2 (-1)^(K+1) (R!)^2 / (K^2 (R-K)! (R+K)!).
static double coefficient(int K) {
  double Ratio = 1; // (R!)^2 / ((R-K)! (R+K)!)
  for (int I = 0; I < K; ++I)
    Ratio *= double(Radius - I) / (Radius + I + 1);
  return (K % 2 ? 2 : -2) * Ratio / (double(K) * K);
}

void bench::describe(Problem &P) {
  const int NX = P.quick() ? 32 : 384;
  const int NY = P.quick() ? 16 : 384;
  const int NZ = P.quick() ? SlabDepth : 256;
  const int Pitch = NX + 2 * PadX, Rows = NY + 2 * Radius;
  const size_t Plane = size_t(Pitch) * Rows;
  const size_t Cells = Plane * (NZ + 2 * Radius);

  auto &Previous = P.uniform<float>(Cells, 0, -1, 1);
  auto &Current = P.uniform<float>(Cells, 1, -1, 1);
  auto &Velocity = P.uniform<float>(Cells, 2, 0.05, 0.15);
  auto &Next = P.output<float>(Cells);

  P.launch(
      "wave3d",
      {unsigned(NX / BlockX), unsigned(NY / BlockY), unsigned(NZ / SlabDepth)},
      {BlockX, BlockY}, Previous, Current, Velocity, Next, Pitch, Rows);

  P.verify(
      size_t(NX) * NY * NZ, 100000, 2e-6,
      [&, NX, NY, Pitch, Plane](size_t I, Checker &C) {
        size_t X = I % NX, Y = I / NX % NY, Z = I / NX / NY;
        size_t At = (Z + Radius) * Plane + (Y + Radius) * Pitch + X + PadX;
        double Laplacian = 0, Center = 0;
        for (int K = 1; K <= Radius; ++K) {
          double Sum = 0;
          for (size_t Stride : {size_t(1), size_t(Pitch), Plane})
            Sum += double(Current[At - K * Stride]) + Current[At + K * Stride];
          Laplacian += coefficient(K) * Sum;
          Center -= 2 * coefficient(K);
        }
        Laplacian += 3 * Center * Current[At];
        C.close(Next[At],
                2.0 * Current[At] - Previous[At] + Velocity[At] * Laplacian,
                1.0);
      });
}
