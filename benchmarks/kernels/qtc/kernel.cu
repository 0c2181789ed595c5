//===- kernel.cu - quality-threshold clustering ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The candidate step of QT clustering (Heyer, Kruglyak and Yooseph, 1999): a
// block grows the cluster of one seed point. In each step it adds the point
// whose greatest distance to the members is smallest, the lowest in the list
// first, as long as the cluster's diameter stays within the threshold.
// Candidates are the points within the threshold of the seed. Distances are
// squared; coordinates are small integers, so that all arithmetic is exact.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

constexpr float Never = 1e30f; ///< distance of a point that is a member

BENCH_KERNEL(BlockSize)
qtc(const float *__restrict__ X, const float *__restrict__ Y,
    const int *__restrict__ Candidates, const int *__restrict__ Degree,
    float Threshold, int *__restrict__ Cardinality,
    float *__restrict__ Diameter) {
  __shared__ float Farthest[MaxDegree]; // to the members so far
  __shared__ float BestDistance[BlockSize];
  __shared__ int BestIndex[BlockSize];
  int Seed = blockIdx.x, T = threadIdx.x;
  int Count = Degree[Seed];
  const int *List = Candidates + Seed * MaxDegree;

  for (int I = T; I < Count; I += BlockSize)
    Farthest[I] = 0.0f;

  float MemberX = X[Seed], MemberY = Y[Seed], Largest = 0.0f;
  int Members = 1;
  while (true) {
    float Best = Never;
    int Index = -1;
    for (int I = T; I < Count; I += BlockSize) {
      float Distance = Farthest[I];
      if (Distance == Never)
        continue;
      int Point = List[I];
      float DX = X[Point] - MemberX, DY = Y[Point] - MemberY;
      Distance = fmaxf(Distance, DX * DX + DY * DY);
      Farthest[I] = Distance;
      if (Distance < Best) {
        Best = Distance;
        Index = I;
      }
    }
    BestDistance[T] = Best;
    BestIndex[T] = Index;
    __syncthreads();
#pragma unroll
    for (int Half = BlockSize / 2; Half > 0; Half /= 2) {
      if (T < Half) {
        float Other = BestDistance[T + Half];
        if (Other < BestDistance[T] ||
            (Other == BestDistance[T] && BestIndex[T + Half] < BestIndex[T])) {
          BestDistance[T] = Other;
          BestIndex[T] = BestIndex[T + Half];
        }
      }
      __syncthreads();
    }
    Best = BestDistance[0];
    Index = BestIndex[0];
    __syncthreads();
    if (Best > Threshold)
      break;
    Largest = fmaxf(Largest, Best);
    ++Members;
    MemberX = X[List[Index]];
    MemberY = Y[List[Index]];
    if (T == Index % BlockSize)
      Farthest[Index] = Never;
  }

  if (T == 0) {
    Cardinality[Seed] = Members;
    Diameter[Seed] = Largest;
  }
}

BENCH_EXPORT(qtc)
