//===- kernel.cu - 3D wave equation, finite differences -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// u(t+1) = 2 u(t) - u(t-1) + v (d2/dx2 + d2/dy2 + d2/dz2) u(t), with v the
// squared velocity times the squared time step: second order in time, order 8,
// 10 or 12 in space. Each thread owns a column (x, y) and marches along z with
// the 2 * Radius + 1 values around the current plane in a queue of registers;
// neighbours in the plane are read through L1.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// Coefficient of the neighbours at distance \p K in the central difference
/// for the second derivative (Fornberg 1988, table 1).
template <int K> __device__ __forceinline__ constexpr float coefficient() {
#if ORDER == 8
  constexpr float C[] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315,
                         -1.0f / 560};
#elif ORDER == 10
  constexpr float C[] = {-5269.0f / 1800, 5.0f / 3,     -5.0f / 21,
                         5.0f / 126,      -5.0f / 1008, 1.0f / 3150};
#elif ORDER == 12
  constexpr float C[] = {-5369.0f / 1800, 12.0f / 7,   -15.0f / 56,
                         10.0f / 189,     -1.0f / 112, 2.0f / 1925,
                         -1.0f / 16632};
#else
#error "ORDER must be 8, 10 or 12"
#endif
  return C[K];
}

/// Sum over the distances K..Radius of the six neighbours of a point.
template <int K>
__device__ __forceinline__ float neighbours(const float *__restrict__ Center,
                                            int Pitch, const float *Queue) {
  if constexpr (K > Radius) {
    return 0.0f;
  } else {
    float Sum = Queue[Radius - K] + Queue[Radius + K] + Center[-K] + Center[K] +
                Center[-K * Pitch] + Center[K * Pitch];
    return coefficient<K>() * Sum + neighbours<K + 1>(Center, Pitch, Queue);
  }
}

BENCH_KERNEL(BlockX *BlockY)
wave3d(const float *__restrict__ Previous, const float *__restrict__ Current,
       const float *__restrict__ Velocity, float *__restrict__ Next, int Pitch,
       int Rows) {
  int X = PadX + blockIdx.x * BlockX + threadIdx.x;
  int Y = Radius + blockIdx.y * BlockY + threadIdx.y;
  int Z = Radius + blockIdx.z * SlabDepth;
  int Plane = Pitch * Rows;
  int Index = Z * Plane + Y * Pitch + X;

  float Queue[2 * Radius + 1];
#pragma unroll
  for (int K = 1; K < 2 * Radius + 1; ++K)
    Queue[K] = Current[Index + (K - Radius - 1) * Plane];

#pragma unroll 1
  for (int Step = 0; Step < SlabDepth; ++Step, Index += Plane) {
#pragma unroll
    for (int K = 0; K < 2 * Radius; ++K)
      Queue[K] = Queue[K + 1];
    Queue[2 * Radius] = Current[Index + Radius * Plane];

    float Laplacian = 3.0f * coefficient<0>() * Queue[Radius] +
                      neighbours<1>(Current + Index, Pitch, Queue);
    Next[Index] =
        2.0f * Queue[Radius] - Previous[Index] + Velocity[Index] * Laplacian;
  }
}

BENCH_EXPORT(wave3d)
