// Registers never limit this kernel, and on full SMs, which wait for memory,
// nothing is faster. A block alone on an SM gains where loops load for several
// iterations at once, so that launches of few blocks take such a build.
// REQUIRES: clang-cuda
// RUN: %launches -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
//
// REMARK-DAG: remark: 'runningSums(double4 const*, double4*, int)' has other builds beside it: the host code chooses at launch: blocks of 225 to 256 threads take build 1 in grids that gain by it
// REMARK-DAG: remark: 'runningSums(double4 const*, double4*, int)$regdem1' built, with loops unrolled
// CHECK:      launch _Z11runningSumsPK7double4PS_i$regdem1{{.*}} grid 64
// CHECK-NEXT: launch _Z11runningSumsPK7double4PS_i grid 100000
__global__ void runningSums(const double4 *__restrict In,
                            double4 *__restrict Out, int Tiles) {
  __shared__ double Sums[2][256];
  double Before = 0;
  int T = threadIdx.x, Part = Tiles / gridDim.x;
  int First = blockIdx.x * Part, Last = First + Part;
  for (int Tile = First; Tile < Last; ++Tile) {
    double4 V = In[Tile * 256 + T];
    V.y += V.x, V.z += V.y, V.w += V.z;
    Sums[0][T] = 0;
    Sums[1][T] = V.w;
    __syncthreads();
    double Left = T ? Sums[1][T - 1] : Sums[0][0];
    Out[Tile * 256 + T] =
        make_double4(V.x + Left + Before, V.y + Left, V.z + Left, V.w + Left);
    Before += Sums[1][255];
    __syncthreads();
  }
}

int main() {
  for (int Blocks : {64, 100000})
    runningSums<<<Blocks, 256>>>(nullptr, nullptr, 1 << 20);
}
