//===- kernel.cu - forces between particles of neighbouring boxes ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Potential and force of exp(-2 a^2 r^2) between all particles of a box and of
// its 27 neighbours, as in codes for pressure-induced phase changes (after
// "Rodinia: A Benchmark Suite for Heterogeneous Computing", 2009). A block
// works on a box; the particles of one neighbour at a time are in shared
// memory. Components of a particle: v, x, y, z.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
lavamd(const Vector4 *__restrict__ Positions,
       const double *__restrict__ Charges, const int *__restrict__ Lists,
       Vector4 *__restrict__ Forces) {
  __shared__ Vector4 Tile[Particles];
  __shared__ double TileCharges[Particles];
  int Box = blockIdx.x, T = threadIdx.x;
  Vector4 Own = {0, 0, 0, 0};
  if (T < Particles)
    Own = Positions[Box * Particles + T];
  double FV = 0, FX = 0, FY = 0, FZ = 0;

  for (int N = 0; N < Neighbours; ++N) {
    int Other = Lists[Box * Neighbours + N];
    if (T < Particles) {
      Tile[T] = Positions[Other * Particles + T];
      TileCharges[T] = Charges[Other * Particles + T];
    }
    __syncthreads();
    if (T < Particles)
      for (int J = 0; J < Particles; ++J) {
        Vector4 P = Tile[J];
        double Square = Own.V + P.V - (Own.X * P.X + Own.Y * P.Y + Own.Z * P.Z);
        double V = exp(-2 * Decay * Decay * Square);
        double S = 2 * (2 * Decay * Decay) * V * TileCharges[J];
        FV += TileCharges[J] * V;
        FX += S * (Own.X - P.X);
        FY += S * (Own.Y - P.Y);
        FZ += S * (Own.Z - P.Z);
      }
    __syncthreads();
  }
  if (T < Particles)
    Forces[Box * Particles + T] = {FV, FX, FY, FZ};
}

BENCH_EXPORT(lavamd)
