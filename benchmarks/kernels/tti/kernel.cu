//===- kernel.cu - wave equation in an anisotropic medium -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// u(t+1) = 2 u(t) - u(t-1) + sum over i <= j of c_ij d2 u / dx_i dx_j, with
// coefficients c from two angles and two velocities at each point, as in
// tilted transversely isotropic media: second derivatives of order 8, mixed
// ones of order 4. One point a thread.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// Along one axis, at distance K (Fornberg 1988, table 1).
__device__ __forceinline__ constexpr float second(int K) {
  constexpr float C[] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315,
                         -1.0f / 560};
  return C[K];
}

/// Of the first derivative, at distance K > 0.
__device__ __forceinline__ constexpr float first(int K) {
  return K == 1 ? 2.0f / 3 : -1.0f / 12;
}

__device__ __forceinline__ float along(const float *__restrict__ U,
                                       int Stride) {
  float Sum = second(0) * U[0];
#pragma unroll
  for (int K = 1; K <= Radius; ++K)
    Sum += second(K) * (U[K * Stride] + U[-K * Stride]);
  return Sum;
}

__device__ __forceinline__ float mixed(const float *__restrict__ U, int A,
                                       int B) {
  float Sum = 0;
#pragma unroll
  for (int I = 1; I <= MixedRadius; ++I)
#pragma unroll
    for (int J = 1; J <= MixedRadius; ++J)
      Sum += first(I) * first(J) *
             (U[I * A + J * B] - U[I * A - J * B] - U[-I * A + J * B] +
              U[-I * A - J * B]);
  return Sum;
}

BENCH_KERNEL(BlockX *BlockY)
tti(const float *__restrict__ Previous, const float *__restrict__ Current,
    const float *__restrict__ Dip, const float *__restrict__ Azimuth,
    const float *__restrict__ Along, const float *__restrict__ Across,
    float *__restrict__ Next, int Pitch, int Rows) {
  int X = PadX + blockIdx.x * BlockX + threadIdx.x;
  int Y = Radius + blockIdx.y * BlockY + threadIdx.y;
  int Z = Radius + blockIdx.z;
  int Plane = Pitch * Rows, Index = Z * Plane + Y * Pitch + X;
  const float *U = Current + Index;

  float SinDip = sinf(Dip[Index]), CosDip = cosf(Dip[Index]);
  float SinAzimuth = sinf(Azimuth[Index]), CosAzimuth = cosf(Azimuth[Index]);
  float NX = SinDip * CosAzimuth, NY = SinDip * SinAzimuth, NZ = CosDip;

  float XX = along(U, 1), YY = along(U, Pitch), ZZ = along(U, Plane);
  float XY = mixed(U, 1, Pitch), YZ = mixed(U, Pitch, Plane);
  float XZ = mixed(U, 1, Plane);
  float Axis = NX * NX * XX + NY * NY * YY + NZ * NZ * ZZ +
               2 * (NX * NY * XY + NY * NZ * YZ + NX * NZ * XZ);
  float Rest = XX + YY + ZZ - Axis;
  Next[Index] =
      2 * U[0] - Previous[Index] + Along[Index] * Axis + Across[Index] * Rest;
}

BENCH_EXPORT(tti)
