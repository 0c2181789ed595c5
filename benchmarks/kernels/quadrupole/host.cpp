//===- host.cpp - gravity of multipoles: input and reference --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

struct Float4 {
  float X, Y, Z, W;
};

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 1024 : 1 << 21;
  const int CellCount = 256;
  auto &Bodies = P.input<Float4>(Count);
  auto &Cells = P.input<float>(size_t(CellFloats) * CellCount);
  auto &Results = P.output<Float4>(Count);
  Random R = P.random(0), S = P.random(1);
  for (int I = 0; I < Count; ++I)
    Bodies[I] = {float(R.uniform(3 * I, -1, 1)),
                 float(R.uniform(3 * I + 1, -1, 1)),
                 float(R.uniform(3 * I + 2, -1, 1)), 0};
  for (int I = 0; I < CellCount; ++I) {
    float Cell[CellFloats]; // outside of where the bodies are
    for (int F = 0; F < CellFloats; ++F)
      Cell[F] = float(S.uniform(size_t(I) * CellFloats + F, -0.2, 0.2));
    Cell[I % 3] = Cell[I % 3] < 0 ? Cell[I % 3] - 2 : Cell[I % 3] + 2;
    Cell[3] = std::fabs(Cell[3]) + 0.5f;
    Cell[9] = -Cell[4] - Cell[7]; // traceless
    for (int F = 0; F < CellFloats; ++F)
      Cells[size_t(F) * CellCount + I] = Cell[F];
  }

  P.launch("quadrupole", {unsigned(Count / BodiesPerThread / BlockSize)},
           {BlockSize}, Bodies, Cells, Results, Count, CellCount);

  P.verify(
      Count, 2000, 2e-5, [=, &Bodies, &Cells, &Results](size_t I, Checker &C) {
        double Sum[4] = {};
        for (int J = 0; J < CellCount; ++J) {
          auto At = [&](int F) {
            return double(Cells[size_t(F) * CellCount + J]);
          };
          const double D[3] = {At(0) - Bodies[I].X, At(1) - Bodies[I].Y,
                               At(2) - Bodies[I].Z};
          static const int Place[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
          double Square = double(Softening) * Softening, Form = 0, Q[3] = {};
          for (int A = 0; A < 3; ++A) {
            Square += D[A] * D[A];
            for (int B = 0; B < 3; ++B)
              Q[A] += At(Place[A][B]) * D[B];
            Form += Q[A] * D[A];
          }
          double Length = std::sqrt(Square);
          for (int A = 0; A < 3; ++A)
            Sum[A] += At(3) * D[A] / std::pow(Length, 3) -
                      Q[A] / std::pow(Length, 5) +
                      2.5 * Form * D[A] / std::pow(Length, 7);
          Sum[3] -= At(3) / Length + Form / 2 / std::pow(Length, 5);
        }
        C.close(Results[I].X, Sum[0], 20);
        C.close(Results[I].Y, Sum[1], 20);
        C.close(Results[I].Z, Sum[2], 20);
        C.close(Results[I].W, Sum[3], 20);
      });
}
