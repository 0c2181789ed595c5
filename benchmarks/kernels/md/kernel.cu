//===- kernel.cu - Lennard-Jones forces -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forces of the Lennard-Jones potential in double precision with neighbour
// lists, neighbour n of atom i at n * Atoms + i. Lists reach beyond the
// cut-off, as they do in a simulation that rebuilds them rarely.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
md(const double *__restrict__ X, const double *__restrict__ Y,
   const double *__restrict__ Z, const int *__restrict__ List,
   double *__restrict__ ForceX, double *__restrict__ ForceY,
   double *__restrict__ ForceZ, int Atoms, double CutOff2, double LJ1,
   double LJ2) {
  int I = blockIdx.x * BlockSize + threadIdx.x;
  if (I >= Atoms)
    return;
  double PX = X[I], PY = Y[I], PZ = Z[I];
  double FX = 0, FY = 0, FZ = 0;
  for (int N = 0; N < Neighbours; ++N) {
    int J = List[N * Atoms + I];
    double DX = PX - X[J], DY = PY - Y[J], DZ = PZ - Z[J];
    double R2 = DX * DX + DY * DY + DZ * DZ;
    if (R2 < CutOff2) {
      double Inverse2 = 1.0 / R2;
      double Inverse6 = Inverse2 * Inverse2 * Inverse2;
      double Force = Inverse2 * Inverse6 * (LJ1 * Inverse6 - LJ2);
      FX += DX * Force;
      FY += DY * Force;
      FZ += DZ * Force;
    }
  }
  ForceX[I] = FX;
  ForceY[I] = FY;
  ForceZ[I] = FZ;
}

BENCH_EXPORT(md)
