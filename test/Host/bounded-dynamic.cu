// A kernel with launch bounds has builds at launch if nothing says how much
// dynamic shared memory its launches have: these have it at hand. With more of
// it an SM holds fewer blocks, and in the end too few for a build to pay.
// REQUIRES: clang-cuda
// RUN: %launches -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// What is stated is decided in place.
// RUN: %launches -mllvm -regdem-dynamic-smem=4096 -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STATED
//
// REMARK: remark: 'tiled' has other builds beside it: the host code chooses at launch: blocks of 225 to 256 threads take build 1
// STATED: remark: 'tiled' held to
// STATED-NOT: chooses among
// CHECK: launch tiled$regdem1 grid 10000 1 1 block 256
// CHECK: launch tiled$regdem1 grid 10000 1 1 block 256
// CHECK: launch tiled grid 10000 1 1 block 256
#include "../cuda/Inputs/follow.h"

extern "C" __global__ void __launch_bounds__(256)
    tiled(const int *__restrict__ Next, const float *__restrict__ Values,
          float *__restrict__ Out, int Steps) {
  extern __shared__ float Tile[];
  Tile[threadIdx.x] = Values[threadIdx.x];
  __syncthreads();
  follow(Next, Values, Out, Steps);
  Out[blockIdx.x] += Tile[threadIdx.x * 7 % 256];
}

int main() {
  for (int Bytes : {1024, 12288, 48 * 1024})
    tiled<<<10000, 256, Bytes>>>(nullptr, nullptr, nullptr, 10);
}
