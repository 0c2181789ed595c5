//===- kernel.cu - nearest neighbour in a vantage-point tree --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Iterative depth-first search with a stack per thread (Yianilos, "Data
// structures and algorithms for nearest neighbor search in general metric
// spaces", 1993). The left subtree of a node holds the points within its
// radius. A subtree waits on the stack with a lower bound of its distance.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
vp(const float *__restrict__ Tree, const float *__restrict__ Radii,
   const float *__restrict__ Queries, float *__restrict__ Nearest, int Nodes,
   int QueryCount) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= QueryCount)
    return;
  float Query[Dimensions];
#pragma unroll
  for (int D = 0; D < Dimensions; ++D)
    Query[D] = Queries[D * QueryCount + T];

  int Stack[StackSize];
  float Bound[StackSize];
  int Top = 0;
  float Best = 1e30f;
  Stack[0] = 0;
  Bound[0] = 0.0f;
  while (Top >= 0) {
    int Node = Stack[Top];
    float Waiting = Bound[Top--];
    if (Waiting >= Best)
      continue;
    while (Node < Nodes) {
      float Distance2 = 0.0f;
#pragma unroll
      for (int D = 0; D < Dimensions; ++D) {
        float Difference = Query[D] - Tree[D * Nodes + Node];
        Distance2 += Difference * Difference;
      }
      float Distance = sqrtf(Distance2);
      Best = fminf(Best, Distance);
      float Outside = Distance - Radii[Node]; // negative: inside
      int Near = 2 * Node + (Outside < 0.0f ? 1 : 2);
      int Far = 4 * Node + 3 - Near;
      float FarBound = fabsf(Outside);
      if (FarBound < Best && Far < Nodes) {
        Stack[++Top] = Far;
        Bound[Top] = FarBound;
      }
      Node = Near;
    }
  }
  Nearest[T] = Best;
}

BENCH_EXPORT(vp)
