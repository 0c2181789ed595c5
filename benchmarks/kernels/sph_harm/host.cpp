//===- host.cpp - power spectrum of neighbours: input and reference -------===//
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
  const int Atoms = P.quick() ? 1024 : 1 << 19;
  auto &Positions = P.input<Float4>(Atoms);
  auto &Lists = P.input<int32_t>(size_t(Neighbours) * Atoms);
  auto &Power = P.output<float>(size_t(Degree + 1) * Atoms);
  Random R = P.random(0), S = P.random(1);
  for (int I = 0; I < Atoms; ++I) // a chain, neighbours are near in memory
    Positions[I] = {float(I % 64) * 0.05f + float(R.uniform(4 * I, -1, 1)),
                    float(R.uniform(4 * I + 1, -1, 1)),
                    float(R.uniform(4 * I + 2, -1, 1)),
                    float(R.uniform(4 * I + 3, 0.5, 1.5))};
  for (int N = 0; N < Neighbours; ++N)
    for (int I = 0; I < Atoms; ++I) {
      size_t At = size_t(N) * Atoms + I;
      int Step = 1 + int(S.below(At, 300));
      Lists[At] = (I + Step) % Atoms;
    }

  P.launch("sph_harm", {ceilDiv(Atoms, BlockSize)}, {BlockSize}, Positions,
           Lists, Power, Atoms);

  // By the addition theorem p_l is the sum of w_i w_j P_l(cos angle_ij) over
  // all pairs of neighbours.
  P.verify(
      Atoms, 5000, 2e-4, [=, &Positions, &Lists, &Power](size_t T, Checker &C) {
        double D[Neighbours][3], Weight[Neighbours];
        for (int N = 0; N < Neighbours; ++N) {
          const Float4 &A = Positions[T];
          const Float4 &B = Positions[Lists[size_t(N) * Atoms + T]];
          D[N][0] = double(B.X) - A.X;
          D[N][1] = double(B.Y) - A.Y;
          D[N][2] = double(B.Z) - A.Z;
          double Square = 0;
          for (double V : D[N])
            Square += V * V;
          double Part = std::max(0.0, 1 - Square / (double(Cutoff) * Cutoff));
          Weight[N] = Part * Part * B.W;
          for (double &V : D[N])
            V /= std::sqrt(Square);
        }
        double Want[Degree + 1] = {};
        for (int I = 0; I < Neighbours; ++I)
          for (int J = 0; J < Neighbours; ++J) {
            double Cos = 0, Last = 0, Legendre = 1;
            for (int A = 0; A < 3; ++A)
              Cos += D[I][A] * D[J][A];
            for (int L = 0; L <= Degree; ++L) {
              Want[L] += Weight[I] * Weight[J] * Legendre;
              double Next = ((2 * L + 1) * Cos * Legendre - L * Last) / (L + 1);
              Last = Legendre;
              Legendre = Next;
            }
          }
        for (int L = 0; L <= Degree; ++L)
          C.close(Power[size_t(L) * Atoms + T], Want[L], 5.0);
      });
}
