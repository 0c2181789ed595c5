//===- kernel.cu - point correlation in a kd-tree -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two-point correlation: how many points lie within a radius of each query.
// Iterative depth-first search with a stack per thread; layout as in nn.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
pc(const float *__restrict__ Tree, const float *__restrict__ Queries,
   int *__restrict__ Correlated, int Nodes, int QueryCount, float Radius) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= QueryCount)
    return;
  float Query[Dimensions];
#pragma unroll
  for (int D = 0; D < Dimensions; ++D)
    Query[D] = Queries[D * QueryCount + T];

  int Stack[StackSize], Depths[StackSize];
  int Top = 0, Count = 0;
  Stack[0] = 0;
  Depths[0] = 0;
  while (Top >= 0) {
    int Node = Stack[Top], Depth = Depths[Top--];
    while (Node < Nodes) {
      float Distance2 = 0.0f, Split = 0.0f;
#pragma unroll
      for (int D = 0; D < Dimensions; ++D) {
        float Difference = Query[D] - Tree[D * Nodes + Node];
        Distance2 += Difference * Difference;
        Split = D == Depth ? Difference : Split;
      }
      if (Distance2 <= Radius * Radius)
        ++Count;
      int Left = 2 * Node + 1;
      Depth = Depth + 1 == Dimensions ? 0 : Depth + 1;
      if (Split > Radius) {
        Node = Left + 1;
      } else {
        Node = Left;
        if (Split >= -Radius && Left + 1 < Nodes) {
          Stack[++Top] = Left + 1;
          Depths[Top] = Depth;
        }
      }
    }
  }
  Correlated[T] = Count;
}

BENCH_EXPORT(pc)
