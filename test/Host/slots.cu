// Builds with slots take blocks of any size and shape, those of part of a warp
// too, beside dynamic shared memory of the launch's own: its slots are added at
// the end, beyond 48 KB where it takes them. What leaves a build fewer blocks
// on an SM, and what is unusual, takes the kernel itself.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-report=%t.jsonl -c %s -o %t.o
// RUN: %report %t.jsonl
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe > %t.txt
// RUN: %expect %t.jsonl --least 300 < %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: env REGDEM_LAUNCH=stock %t.exe | FileCheck %s --check-prefix=STOCK
//
// Builds that cannot opt in to more, or whose launches fail, are replaced:
// RUN: env FAKE_NO_OPTIN='_Z4stepPKjS0_Pji$regdem1,_Z4stepPKjS0_Pji$regdem2,_Z4stepPKjS0_Pji$regdem3' %t.exe | FileCheck %s --check-prefix=STOCK
// RUN: env FAKE_OPTIN=49152 %t.exe | FileCheck %s --check-prefix=LITTLE
//
// CHECK: launch _Z4stepPKjS0_Pji$regdem[[#]] {{.*}} block 256 1 1 smem {{[1-9][0-9]+}} asked 0
// CHECK: launch _Z4stepPKjS0_Pji$regdem[[#]] {{.*}} block 1024 1 1 smem {{[5-9][0-9][0-9][0-9][0-9]|1[0-9][0-9][0-9][0-9][0-9]}} asked 1600
// STOCK: launch _Z4stepPKjS0_Pji grid
// STOCK-NOT: $regdem
// LITTLE: launch _Z4stepPKjS0_Pji$regdem
// LITTLE-NOT: $regdem{{.*}}block 1024
#include "Inputs/walk.h"
#include <cstdio>

__global__ void step(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads) {
  extern __shared__ unsigned Own[];
  __shared__ unsigned First[8];
  if (threadIdx.x < 8)
    First[threadIdx.x] = threadIdx.x;
  Own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  walk<44>(Cold, Rows, Result, Threads);
  Result[threadIdx.x] += Own[threadIdx.x ^ 1] + First[threadIdx.x % 8];
}

static void launch(dim3 Grid, dim3 Block, size_t Shared) {
  step<<<Grid, Block, Shared>>>(nullptr, nullptr, nullptr, 0);
  cudaGetLastError(); // What waits to be read keeps launches from builds.
}

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const unsigned Many = 1000000;
  launch(Many, 256, 0);
  launch(Many, 1024, 1600);
  for (unsigned Threads = 1; Threads <= 1024; ++Threads)
    launch(Many, Threads, 0);
  for (dim3 Block : {dim3(16, 16), dim3(1, 250), dim3(1, 1, 64), dim3(5, 7, 7),
                     dim3(10, 10, 10), dim3(8, 8, 16)})
    for (size_t Shared : {0, 100, 2000})
      launch(dim3(100, 100, 100), Block, Shared);
  for (unsigned Threads : {33, 64, 100, 128, 256, 300, 512, 1000, 1024})
    for (size_t Shared : {1, 15, 16, 17, 100, 1000, 1024, 2400, 4000, 4096,
                          5000, 10000, 16384, 30000, 49152, 49153})
      launch(Many, Threads, Shared);
  for (unsigned Blocks : {1, 132, 264, 528, 1056, 1200, 3000, 4000})
    for (unsigned Threads : {64, 128, 160, 256, 512, 1024})
      launch(Blocks, Threads, 0);
}
