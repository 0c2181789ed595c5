//===- host.cpp - cross-section lookup: input and reference ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Lookups = P.quick() ? 2048 : 1 << 19;
  const int NuclideTypes = P.quick() ? 40 : 96;
  const int GridPoints = P.quick() ? 128 : 16384; // 75 MB of grids
  auto &Energies = P.uniform<double>(Lookups, 0, 0, 1);
  auto &Material = P.input<int32_t>(Lookups);
  auto &NuclideCount = P.input<int32_t>(Materials);
  auto &Nuclides = P.input<int32_t>(Materials * MaxNuclides);
  auto &Densities = P.uniform<double>(Materials * MaxNuclides, 1, 0.1, 1);
  auto &Grids = P.uniform<double>(
      size_t(NuclideTypes) * GridPoints * PointDoubles, 2, 0, 1);
  auto &Macroscopic = P.output<double>(size_t(CrossSections) * Lookups);
  Random Pick = P.random(3), Mix = P.random(4);
  for (int N = 0; N < NuclideTypes; ++N) {
    std::vector<double> Points(GridPoints);
    double *Grid = &Grids[size_t(N) * GridPoints * PointDoubles];
    for (int I = 0; I < GridPoints; ++I)
      Points[I] = Grid[I * PointDoubles];
    std::sort(Points.begin(), Points.end());
    Points.front() = 0;
    Points.back() = 1;
    for (int I = 0; I < GridPoints; ++I)
      Grid[I * PointDoubles] = Points[I];
  }
  // The first material, the fuel, has the most nuclides and is hit most often.
  for (int M = 0; M < Materials; ++M) {
    NuclideCount[M] = M == 0 ? int(MaxNuclides) : 4 + int(Mix.below(M, 18));
    for (int I = 0; I < MaxNuclides; ++I)
      Nuclides[M * MaxNuclides + I] =
          int(Mix.below(1000 + M * MaxNuclides + I, NuclideTypes));
  }
  for (int I = 0; I < Lookups; ++I) {
    uint32_t Draw = Pick.below(I, 100);
    Material[I] = Draw < 14 ? 0 : int(1 + Draw % (Materials - 1));
  }

  P.launch("xs_lookup", {ceilDiv(Lookups, BlockSize)}, {BlockSize}, Energies,
           Material, NuclideCount, Nuclides, Densities, Grids, Macroscopic,
           Lookups, GridPoints);

  P.verify(
      Lookups, 5000, 1e-12,
      [=, &Energies, &Material, &NuclideCount, &Nuclides, &Densities, &Grids,
       &Macroscopic](size_t T, Checker &C) {
        const double E = Energies[T];
        long double Sum[CrossSections] = {};
        const int M = Material[T];
        for (int I = 0; I < NuclideCount[M]; ++I) {
          const double *Grid = &Grids[size_t(Nuclides[M * MaxNuclides + I]) *
                                      GridPoints * PointDoubles];
          int Below = 0;
          for (int G = 1; G + 1 < GridPoints && Grid[G * PointDoubles] <= E;
               ++G)
            Below = G;
          const double *B = Grid + Below * PointDoubles, *A = B + PointDoubles;
          long double Share =
              ((long double)E - B[0]) / ((long double)A[0] - B[0]);
          for (int X = 1; X <= CrossSections; ++X)
            Sum[X - 1] += Densities[M * MaxNuclides + I] *
                          (B[X] + Share * ((long double)A[X] - B[X]));
        }
        for (int X = 0; X < CrossSections; ++X)
          C.close(Macroscopic[size_t(X) * Lookups + T], double(Sum[X]), 1.0);
      });
}
