//===- kernel.cu - lattice Boltzmann step, D3Q19 --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One time step of the lattice Boltzmann method with nineteen velocities
// (Qian, d'Humieres, Lallemand, 1992): pull the populations from the
// neighbours, add what the Smagorinsky model makes of their stress to the
// relaxation time (Hou et al., 1994), relax. Periodic; population q of site s
// is at q * Sites + s.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// Component \p Axis of velocity \p Q: rest, six along axes, twelve diagonal;
/// 2 k - 1 and 2 k are opposite.
__device__ __forceinline__ constexpr int velocity(int Q, int Axis) {
  constexpr signed char Table[Directions][3] = {
      {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
      {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
      {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
      {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
  return Table[Q][Axis];
}

__device__ __forceinline__ constexpr Real weight(int Q) {
  return Q == 0 ? Real(1) / 3 : Q < 7 ? Real(1) / 18 : Real(1) / 36;
}

BENCH_KERNEL(BlockSize)
lbm(const Real *__restrict__ From, Real *__restrict__ To, int NX, int NY,
    int NZ, Real Tau) {
  int Site = blockIdx.x * BlockSize + threadIdx.x;
  int Sites = NX * NY * NZ;
  int X = Site % NX, Y = Site / NX % NY, Z = Site / (NX * NY);

  Real F[Directions];
#pragma unroll
  for (int Q = 0; Q < Directions; ++Q) {
    int PX = X - velocity(Q, 0), PY = Y - velocity(Q, 1);
    int PZ = Z - velocity(Q, 2);
    PX = PX < 0 ? NX - 1 : PX == NX ? 0 : PX;
    PY = PY < 0 ? NY - 1 : PY == NY ? 0 : PY;
    PZ = PZ < 0 ? NZ - 1 : PZ == NZ ? 0 : PZ;
    F[Q] = From[Q * Sites + (PZ * NY + PY) * NX + PX];
  }

  Real Density = 0, U[3] = {0, 0, 0};
#pragma unroll
  for (int Q = 0; Q < Directions; ++Q) {
    Density += F[Q];
#pragma unroll
    for (int A = 0; A < 3; ++A)
      if (velocity(Q, A))
        U[A] += velocity(Q, A) > 0 ? F[Q] : -F[Q];
  }
  Real Inverse = 1 / Density;
#pragma unroll
  for (int A = 0; A < 3; ++A)
    U[A] *= Inverse;
  Real Square = Real(1.5) * (U[0] * U[0] + U[1] * U[1] + U[2] * U[2]);

  Real E[Directions], Stress[6] = {0, 0, 0, 0, 0, 0};
#pragma unroll
  for (int Q = 0; Q < Directions; ++Q) {
    Real Along = 0;
#pragma unroll
    for (int A = 0; A < 3; ++A)
      if (velocity(Q, A))
        Along += velocity(Q, A) > 0 ? U[A] : -U[A];
    E[Q] = weight(Q) * Density *
           (1 + 3 * Along + Real(4.5) * Along * Along - Square);
    Real Rest = F[Q] - E[Q];
#pragma unroll
    for (int A = 0, I = 0; A < 3; ++A)
#pragma unroll
      for (int B = A; B < 3; ++B, ++I)
        if (velocity(Q, A) && velocity(Q, B))
          Stress[I] += velocity(Q, A) == velocity(Q, B) ? Rest : -Rest;
  }
  Real Norm = Stress[0] * Stress[0] + Stress[3] * Stress[3] +
              Stress[5] * Stress[5] +
              2 * (Stress[1] * Stress[1] + Stress[2] * Stress[2] +
                   Stress[4] * Stress[4]);
  Real Turbulent =
      Real(0.5) *
      (Tau + sqrt(Tau * Tau + Smagorinsky * Inverse * sqrt(2 * Norm)));
  Real Omega = 1 / Turbulent;
#pragma unroll
  for (int Q = 0; Q < Directions; ++Q)
    To[Q * Sites + Site] = F[Q] + Omega * (E[Q] - F[Q]);
}

BENCH_EXPORT(lbm)
