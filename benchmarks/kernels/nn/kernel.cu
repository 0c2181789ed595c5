//===- kernel.cu - nearest neighbour in a kd-tree -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Iterative depth-first search with a stack per thread. The tree is in heap
// order; coordinate d of node i is at d * Nodes + i. A subtree waits on the
// stack with the squared distance of its half-space from the query.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
nn(const float *__restrict__ Tree, const float *__restrict__ Queries,
   float *__restrict__ Nearest, int Nodes, int QueryCount) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= QueryCount)
    return;
  float Query[Dimensions];
#pragma unroll
  for (int D = 0; D < Dimensions; ++D)
    Query[D] = Queries[D * QueryCount + T];

  int Stack[StackSize], Depths[StackSize];
  float Bound[StackSize];
  int Top = 0;
  float Best = 1e30f;
  Stack[0] = 0;
  Depths[0] = 0;
  Bound[0] = 0.0f;
  while (Top >= 0) {
    int Node = Stack[Top], Depth = Depths[Top];
    float Waiting = Bound[Top--];
    if (Waiting >= Best)
      continue;
    while (Node < Nodes) {
      float Distance2 = 0.0f, Split = 0.0f;
#pragma unroll
      for (int D = 0; D < Dimensions; ++D) {
        float Difference = Query[D] - Tree[D * Nodes + Node];
        Distance2 += Difference * Difference;
        Split = D == Depth ? Difference : Split;
      }
      Best = fminf(Best, Distance2);
      int Near = 2 * Node + (Split < 0.0f ? 1 : 2);
      int Far = 4 * Node + 3 - Near;
      Depth = Depth + 1 == Dimensions ? 0 : Depth + 1;
      if (Split * Split < Best && Far < Nodes) {
        Stack[++Top] = Far;
        Depths[Top] = Depth;
        Bound[Top] = Split * Split;
      }
      Node = Near;
    }
  }
  Nearest[T] = Best;
}

BENCH_EXPORT(nn)
