//===- kernel.cu - values at the nodes of an element ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of four fields at the eight nodes of an element, gathered into a
// matrix and summed by faces: counters and a table index it.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
fe_nodes(const double *__restrict__ At, const int *__restrict__ Node,
         double *__restrict__ Out, int Elements) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  double V[Nodes][Fields], Sum[Fields];
  for (int N = 0; N < Nodes; ++N) {
    int From = Node[N * Elements + T];
    for (int K = 0; K < Fields; ++K)
      V[N][K] = At[From * Fields + K];
  }
  for (int K = 0; K < Fields; ++K)
    Sum[K] = 0;
  for (int Face = 0; Face < Faces; ++Face) {
    int Axis = Face >> 1, Side = Face & 1;
    for (int N = 0; N < Nodes; ++N)
      if (((N >> Axis) & 1) == Side)
        for (int K = 0; K < Fields; ++K)
          Sum[K] += V[N][K] / (V[N ^ (1 << Axis)][(K + Face) & 3] + 4.0);
  }
  for (int K = 0; K < Fields; ++K)
    Out[K * Elements + T] = Sum[K];
}

BENCH_EXPORT(fe_nodes)
