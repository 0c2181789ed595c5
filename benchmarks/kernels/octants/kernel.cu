//===- kernel.cu - nearest point of each octant ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nearest point in each octant around a query: data index the lists of
// distances and of points.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
octants(const int4 *__restrict__ Points, const int4 *__restrict__ Queries,
        int *__restrict__ Nearest, int QueryCount, int PointCount) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  int4 Q = Queries[T];
  int Distance[Octants], Index[Octants];
  for (int K = 0; K < Octants; ++K) {
    Distance[K] = 0x7fffffff;
    Index[K] = -1;
  }
  for (int I = 0; I < PointCount; ++I) {
    int4 P = Points[I];
    int X = P.x - Q.x, Y = P.y - Q.y, Z = P.z - Q.z;
    int Octant = (X > 0) | (Y > 0) << 1 | (Z > 0) << 2;
    int D = X * X + Y * Y + Z * Z;
    if (D < Distance[Octant]) {
      Distance[Octant] = D;
      Index[Octant] = I;
    }
  }
  for (int K = 0; K < Octants; ++K)
    Nearest[K * QueryCount + T] = Index[K];
}

BENCH_EXPORT(octants)
