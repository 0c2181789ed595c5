//===- kernel.cu - forces of hexahedral elements --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix-free product of the stiffness of trilinear hexahedra with a
// displacement (Hughes, "The Finite Element Method", 3.5), isotropic linear
// elasticity, 2 x 2 x 2 Gauss points, double precision. One element a thread;
// coordinates and displacements are gathered from the nodes, the forces of
// element e are at (3 node + axis) * Elements + e.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// Sign of coordinate \p Axis of node \p N of the reference cube.
__device__ __forceinline__ constexpr double corner(int N, int Axis) {
  return (N >> Axis & 1) ? 1.0 : -1.0;
}

BENCH_KERNEL(BlockSize)
hexfem(const double *__restrict__ Coordinates,
       const double *__restrict__ Displacements,
       const int *__restrict__ Connectivity, const double *__restrict__ Lambdas,
       const double *__restrict__ Mus, double *__restrict__ Forces,
       int Elements) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Elements)
    return;
  double X[Nodes][3], U[Nodes][3], Force[Nodes][3];
#pragma unroll
  for (int N = 0; N < Nodes; ++N) {
    int Node = Connectivity[N * Elements + T];
#pragma unroll
    for (int A = 0; A < 3; ++A) {
      X[N][A] = Coordinates[3 * Node + A];
      U[N][A] = Displacements[3 * Node + A];
      Force[N][A] = 0;
    }
  }
  double Lambda = Lambdas[T], Mu = Mus[T];

#pragma unroll 1
  for (int Point = 0; Point < Points; ++Point) {
    double Xi[3];
#pragma unroll
    for (int A = 0; A < 3; ++A)
      Xi[A] = (Point >> A & 1) ? GaussPoint : -GaussPoint;
    double Shape[Nodes][3], J[3][3] = {}, H[3][3] = {};
#pragma unroll
    for (int N = 0; N < Nodes; ++N) {
      double F[3];
#pragma unroll
      for (int A = 0; A < 3; ++A)
        F[A] = 1 + corner(N, A) * Xi[A];
      Shape[N][0] = 0.125 * corner(N, 0) * F[1] * F[2];
      Shape[N][1] = 0.125 * corner(N, 1) * F[0] * F[2];
      Shape[N][2] = 0.125 * corner(N, 2) * F[0] * F[1];
#pragma unroll
      for (int A = 0; A < 3; ++A)
#pragma unroll
        for (int B = 0; B < 3; ++B) {
          J[A][B] += X[N][A] * Shape[N][B];
          H[A][B] += U[N][A] * Shape[N][B];
        }
    }
    double C[3][3]; // cofactors
#pragma unroll
    for (int A = 0; A < 3; ++A)
#pragma unroll
      for (int B = 0; B < 3; ++B)
        C[A][B] = J[(A + 1) % 3][(B + 1) % 3] * J[(A + 2) % 3][(B + 2) % 3] -
                  J[(A + 1) % 3][(B + 2) % 3] * J[(A + 2) % 3][(B + 1) % 3];
    double Volume = J[0][0] * C[0][0] + J[0][1] * C[0][1] + J[0][2] * C[0][2];
    double Inverse = 1 / Volume;
    double G[3][3]; // gradient of the displacement
#pragma unroll
    for (int A = 0; A < 3; ++A)
#pragma unroll
      for (int B = 0; B < 3; ++B)
        G[A][B] = (H[A][0] * C[B][0] + H[A][1] * C[B][1] + H[A][2] * C[B][2]) *
                  Inverse;
    double Trace = Lambda * (G[0][0] + G[1][1] + G[2][2]);
    double P[3][3]; // stress times cofactors: the volume cancels
#pragma unroll
    for (int A = 0; A < 3; ++A)
#pragma unroll
      for (int B = 0; B < 3; ++B) {
        P[A][B] = Trace * C[A][B];
#pragma unroll
        for (int K = 0; K < 3; ++K)
          P[A][B] += Mu * (G[A][K] + G[K][A]) * C[K][B];
      }
#pragma unroll
    for (int N = 0; N < Nodes; ++N)
#pragma unroll
      for (int A = 0; A < 3; ++A)
        Force[N][A] += P[A][0] * Shape[N][0] + P[A][1] * Shape[N][1] +
                       P[A][2] * Shape[N][2];
  }
#pragma unroll
  for (int N = 0; N < Nodes; ++N)
#pragma unroll
    for (int A = 0; A < 3; ++A)
      Forces[(3 * N + A) * Elements + T] = Force[N][A];
}

BENCH_EXPORT(hexfem)
