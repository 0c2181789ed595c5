//===- kernel.cu - nearest neighbours by brute force ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sixteen points nearest to a query in four dimensions, one query a thread:
// a sorted list of distances and indices in registers, into which a point that
// is near enough is inserted.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
knn16(const float4 *__restrict__ Queries, const float4 *__restrict__ Points,
      float *__restrict__ Distances, int *__restrict__ Indices, int QueryCount,
      int PointCount) {
  __shared__ float4 Tile[BlockSize];
  int T = blockIdx.x * BlockSize + threadIdx.x;
  float4 Q = Queries[T];
  float Near[Kept];
  int Index[Kept];
#pragma unroll
  for (int K = 0; K < Kept; ++K) {
    Near[K] = 1e30f;
    Index[K] = -1;
  }
  for (int Base = 0; Base < PointCount; Base += BlockSize) {
    Tile[threadIdx.x] = Points[Base + threadIdx.x];
    __syncthreads();
    for (int J = 0; J < BlockSize; ++J) {
      float4 P = Tile[J];
      float X = P.x - Q.x, Y = P.y - Q.y, Z = P.z - Q.z, W = P.w - Q.w;
      float D = X * X + Y * Y + Z * Z + W * W;
      int I = Base + J;
      if (D < Near[Kept - 1]) {
#pragma unroll
        for (int K = 0; K < Kept; ++K) {
          bool Before = D < Near[K];
          float OldD = Near[K];
          int OldI = Index[K];
          Near[K] = Before ? D : OldD;
          Index[K] = Before ? I : OldI;
          D = Before ? OldD : D;
          I = Before ? OldI : I;
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int K = 0; K < Kept; ++K) {
    Distances[K * QueryCount + T] = Near[K];
    Indices[K * QueryCount + T] = Index[K];
  }
}

BENCH_EXPORT(knn16)
