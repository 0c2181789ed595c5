//===- host.cpp - particles in boxes: input and reference -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Side = P.quick() ? 2 : 16, Boxes = Side * Side * Side;
  auto &Positions = P.input<Vector4>(size_t(Boxes) * Particles);
  auto &Charges = P.uniform<double>(size_t(Boxes) * Particles, 1, 0.1, 1);
  auto &Lists = P.input<int32_t>(size_t(Boxes) * Neighbours);
  auto &Forces = P.output<Vector4>(size_t(Boxes) * Particles);
  Random R = P.random(0);
  for (size_t I = 0; I < Positions.size(); ++I)
    Positions[I] = {R.uniform(4 * I, 0.1, 1), R.uniform(4 * I + 1, 0.1, 1),
                    R.uniform(4 * I + 2, 0.1, 1), R.uniform(4 * I + 3, 0.1, 1)};
  for (int Box = 0; Box < Boxes; ++Box)
    for (int N = 0; N < Neighbours; ++N) {
      int X = (Box % Side + N % 3 + Side - 1) % Side;
      int Y = (Box / Side % Side + N / 3 % 3 + Side - 1) % Side;
      int Z = (Box / Side / Side + N / 9 + Side - 1) % Side;
      Lists[size_t(Box) * Neighbours + N] = (Z * Side + Y) * Side + X;
    }

  P.launch("lavamd", {unsigned(Boxes)}, {BlockSize}, Positions, Charges, Lists,
           Forces);

  P.verify(size_t(Boxes) * Particles, 2000, 1e-12, [&](size_t I, Checker &C) {
    const Vector4 &A = Positions[I];
    Vector4 Sum = {};
    for (int N = 0; N < Neighbours; ++N) {
      size_t Box = Lists[I / Particles * Neighbours + N];
      for (int J = 0; J < Particles; ++J) {
        const Vector4 &B = Positions[Box * Particles + J];
        double Q = Charges[Box * Particles + J];
        double V =
            std::exp(-0.5 * (A.V + B.V - A.X * B.X - A.Y * B.Y - A.Z * B.Z));
        Sum.V += Q * V;
        Sum.X += Q * V * (A.X - B.X);
        Sum.Y += Q * V * (A.Y - B.Y);
        Sum.Z += Q * V * (A.Z - B.Z);
      }
    }
    C.close(Forces[I].V, Sum.V, 1.0);
    C.close(Forces[I].X, Sum.X, 100.0);
    C.close(Forces[I].Y, Sum.Y, 100.0);
    C.close(Forces[I].Z, Sum.Z, 100.0);
  });
}
