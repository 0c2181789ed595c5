//===- host.cpp - Lennard-Jones forces: input and reference ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Side = P.quick() ? 12 : 64; // atoms on a disturbed cubic lattice
  const int Atoms = Side * Side * Side;
  const double CutOff = 2.2, LJ1 = 1.5, LJ2 = 2.0;
  std::vector<Array<double> *> Position, Force;
  for (int D = 0; D < 3; ++D)
    Position.push_back(&P.input<double>(Atoms));
  auto &List = P.input<int32_t>(size_t(Neighbours) * Atoms);
  for (int D = 0; D < 3; ++D)
    Force.push_back(&P.output<double>(Atoms));
  Random Shift = P.random(0);
  for (int I = 0; I < Atoms; ++I) {
    const int Cell[3] = {I % Side, I / Side % Side, I / Side / Side};
    for (int D = 0; D < 3; ++D)
      (*Position[D])[I] = Cell[D] + Shift.uniform(I * 3ull + D, -0.15, 0.15);
    // The 5^3 - 1 cells around; beyond the border they wrap around and are
    // then too far away to count.
    int Found = 0;
    for (int N = 0; N < 125; ++N) {
      if (N == 62)
        continue;
      int CX = (Cell[0] + N % 5 - 2 + Side) % Side;
      int CY = (Cell[1] + N / 5 % 5 - 2 + Side) % Side;
      int CZ = (Cell[2] + N / 25 - 2 + Side) % Side;
      List[size_t(Found++) * Atoms + I] = (CZ * Side + CY) * Side + CX;
    }
  }

  P.launch("md", {ceilDiv(Atoms, BlockSize)}, {BlockSize}, *Position[0],
           *Position[1], *Position[2], List, *Force[0], *Force[1], *Force[2],
           Atoms, CutOff * CutOff, LJ1, LJ2);

  P.verify(Atoms, 20000, 1e-12, [=, &List](size_t I, Checker &C) {
    long double Sum[3] = {}, Size = 0;
    for (int N = 0; N < Neighbours; ++N) {
      size_t J = List[size_t(N) * Atoms + I];
      long double Delta[3], R2 = 0;
      for (int D = 0; D < 3; ++D) {
        Delta[D] = (long double)(*Position[D])[I] - (*Position[D])[J];
        R2 += Delta[D] * Delta[D];
      }
      if (R2 >= (long double)CutOff * CutOff)
        continue;
      long double Force = LJ1 / std::pow(R2, 7.0L) - LJ2 / std::pow(R2, 4.0L);
      Size += std::fabs(Force);
      for (int D = 0; D < 3; ++D)
        Sum[D] += Delta[D] * Force;
    }
    for (int D = 0; D < 3; ++D)
      C.close((*Force[D])[I], double(Sum[D]), double(Size));
  });
}
