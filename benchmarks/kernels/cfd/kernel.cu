//===- kernel.cu - fluxes of the Euler equations --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// compute_flux of an unstructured-grid finite-volume solver for the three-
// dimensional Euler equations of compressible flow (after Corrigan, Camelli,
// Loehner and Wallin, "Running unstructured grid based CFD solvers on modern
// graphics hardware", 2009): per cell, the sum of the fluxes through its four
// faces with artificial viscosity, wall and far-field boundaries.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

constexpr float Gamma = 1.4f;
constexpr float Smoothing = 0.2f;

struct Vector {
  float X, Y, Z;
};

__device__ __forceinline__ float dot(Vector A, Vector B) {
  return A.X * B.X + A.Y * B.Y + A.Z * B.Z;
}

struct Cell {
  float Density, Energy, Pressure, Speed2, Sound;
  Vector Momentum, Velocity;
};

__device__ __forceinline__ Cell readCell(const float *__restrict__ V, int I,
                                         int Cells) {
  Cell C;
  C.Density = V[I];
  C.Momentum = {V[Cells + I], V[2 * Cells + I], V[3 * Cells + I]};
  C.Energy = V[4 * Cells + I];
  float Inverse = 1.0f / C.Density;
  C.Velocity = {C.Momentum.X * Inverse, C.Momentum.Y * Inverse,
                C.Momentum.Z * Inverse};
  C.Speed2 = dot(C.Velocity, C.Velocity);
  C.Pressure = (Gamma - 1) * (C.Energy - 0.5f * C.Density * C.Speed2);
  C.Sound = sqrtf(Gamma * C.Pressure * Inverse);
  return C;
}

struct FluxTensor {
  Vector Momentum[3], Energy;
};

__device__ __forceinline__ FluxTensor fluxTensor(const Cell &C) {
  FluxTensor F;
  const Vector &U = C.Velocity, &M = C.Momentum;
  F.Momentum[0] = {U.X * M.X + C.Pressure, U.X * M.Y, U.X * M.Z};
  F.Momentum[1] = {F.Momentum[0].Y, U.Y * M.Y + C.Pressure, U.Y * M.Z};
  F.Momentum[2] = {F.Momentum[0].Z, F.Momentum[1].Z, U.Z * M.Z + C.Pressure};
  float Enthalpy = C.Energy + C.Pressure;
  F.Energy = {U.X * Enthalpy, U.Y * Enthalpy, U.Z * Enthalpy};
  return F;
}

BENCH_KERNEL(BlockSize)
cfd(const int *__restrict__ Neighbour, const float *__restrict__ Normals,
    const float *__restrict__ State, float *__restrict__ Fluxes, int Cells) {
  int I = blockIdx.x * BlockSize + threadIdx.x;
  if (I >= Cells)
    return;

  Cell Own = readCell(State, I, Cells);
  FluxTensor OwnFlux = fluxTensor(Own);
  float Flux[Variables] = {0, 0, 0, 0, 0};

#pragma unroll
  for (int J = 0; J < Neighbours; ++J) {
    Vector N = {Normals[(J * 3 + 0) * Cells + I],
                Normals[(J * 3 + 1) * Cells + I],
                Normals[(J * 3 + 2) * Cells + I]};
    int Other = Neighbour[J * Cells + I];
    if (Other >= 0) {
      Cell C = readCell(State, Other, Cells);
      FluxTensor F = fluxTensor(C);
      float Factor =
          -sqrtf(dot(N, N)) * Smoothing * 0.5f *
          (sqrtf(Own.Speed2) + sqrtf(C.Speed2) + Own.Sound + C.Sound);
      Flux[0] += Factor * (Own.Density - C.Density);
      Flux[1] += Factor * (Own.Momentum.X - C.Momentum.X);
      Flux[2] += Factor * (Own.Momentum.Y - C.Momentum.Y);
      Flux[3] += Factor * (Own.Momentum.Z - C.Momentum.Z);
      Flux[4] += Factor * (Own.Energy - C.Energy);
      Vector Half = {0.5f * N.X, 0.5f * N.Y, 0.5f * N.Z};
      Flux[0] += dot(Half, C.Momentum) + dot(Half, Own.Momentum);
#pragma unroll
      for (int K = 0; K < 3; ++K)
        Flux[1 + K] +=
            dot(Half, F.Momentum[K]) + dot(Half, OwnFlux.Momentum[K]);
      Flux[4] += dot(Half, F.Energy) + dot(Half, OwnFlux.Energy);
    } else if (Other == Wing) {
      Flux[1] += N.X * Own.Pressure;
      Flux[2] += N.Y * Own.Pressure;
      Flux[3] += N.Z * Own.Pressure;
    } else { // far field: Mach 1.2 along x, density 1.4, pressure 1
      Vector Half = {0.5f * N.X, 0.5f * N.Y, 0.5f * N.Z};
      Flux[0] += Half.X * 1.68f + dot(Half, Own.Momentum);
      Flux[1] += Half.X * 3.016f + dot(Half, OwnFlux.Momentum[0]);
      Flux[2] += Half.Y + dot(Half, OwnFlux.Momentum[1]);
      Flux[3] += Half.Z + dot(Half, OwnFlux.Momentum[2]);
      Flux[4] += Half.X * 5.4096f + dot(Half, OwnFlux.Energy);
    }
  }

#pragma unroll
  for (int V = 0; V < Variables; ++V)
    Fluxes[V * Cells + I] = Flux[V];
}

BENCH_EXPORT(cfd)
