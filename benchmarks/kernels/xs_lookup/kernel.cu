//===- kernel.cu - Monte-Carlo neutron cross-section lookup ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner loop of Monte-Carlo neutron transport (after Tramm, Siegel, Islam
// and Schulz, "XSBench", 2014): for a particle of random energy in a random
// material, find the energy in the grid of each of the material's nuclides by
// bisection, interpolate five cross sections and add them up, weighted with
// the nuclide's density.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
xs_lookup(const double *__restrict__ Energies, const int *__restrict__ Material,
          const int *__restrict__ NuclideCount,
          const int *__restrict__ Nuclides,
          const double *__restrict__ Densities,
          const double *__restrict__ Grids, double *__restrict__ Macroscopic,
          int Lookups, int GridPoints) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Lookups)
    return;
  double Energy = Energies[T];
  int M = Material[T];
  double Sum[CrossSections] = {0, 0, 0, 0, 0};

  int Count = NuclideCount[M];
  for (int N = 0; N < Count; ++N) {
    int Nuclide = Nuclides[M * MaxNuclides + N];
    double Density = Densities[M * MaxNuclides + N];
    const double *Grid = Grids + size_t(Nuclide) * GridPoints * PointDoubles;
    int Low = 0, High = GridPoints - 1;
    while (High - Low > 1) {
      int Middle = (Low + High) / 2;
      if (Grid[Middle * PointDoubles] > Energy)
        High = Middle;
      else
        Low = Middle;
    }
    const double *Below = Grid + Low * PointDoubles;
    const double *Above = Below + PointDoubles;
    double Factor = (Above[0] - Energy) / (Above[0] - Below[0]);
#pragma unroll
    for (int X = 0; X < CrossSections; ++X)
      Sum[X] +=
          Density * (Above[1 + X] - Factor * (Above[1 + X] - Below[1 + X]));
  }

#pragma unroll
  for (int X = 0; X < CrossSections; ++X)
    Macroscopic[X * Lookups + T] = Sum[X];
}

BENCH_EXPORT(xs_lookup)
