// Where the block is a constant for which there is no build, the launch takes
// the kernel, and loads the builds if it is the first. What a program asks of a
// kernel, and how much dynamic shared memory it lets it have, leave its
// launches free; of a kernel on which it sets more, or whose address goes
// elsewhere, each launch takes the kernel itself. Remarks tell of each launch.
// REQUIRES: clang-cuda
// RUN: %launches -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARKS --implicit-check-not='blocks of any size'
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: env FAKE_CALLS=1 %t.exe | FileCheck %s --check-prefix=LOADS
// LOADS: call cudaFuncGetAttributes _Z4stepPKjS0_Pji$regdem1
// LOADS: launch _Z4stepPKjS0_Pji grid 1000000 1 1 block 32 1 1
// LOADS-NOT: cudaFuncGetAttributes _Z4step
#include "Inputs/walk.h"

// REMARKS-DAG: remark: launches of 'tuned(unsigned int const*, unsigned int const*, unsigned int*, int)' take the kernel itself: the host code sets attributes on it, or its address goes where that is not known
// REMARKS-DAG: remark: launches of 'stored(unsigned int const*, unsigned int const*, unsigned int*, int)' take the kernel itself: the host code sets
#define KERNEL(NAME)                                                           \
  __global__ void NAME(const unsigned *Cold, const unsigned *Rows,             \
                       unsigned *Result, int Threads) {                        \
    walk<44>(Cold, Rows, Result, Threads);                                     \
  }
KERNEL(step)
KERNEL(asked)
KERNEL(tuned)
KERNEL(stored)

const void *Table[] = {(const void *)stored};

int main() {
  // REMARKS-DAG: sites.cu:[[#@LINE+1]]:3: remark: launch of 'step(unsigned int const*, unsigned int const*, unsigned int*, int)', blocks of 32 threads: no build is for these [-Rpass-missed=regdem]
  step<<<1000000, 32>>>(nullptr, nullptr, nullptr, 0);
  // REMARKS-DAG: sites.cu:[[#@LINE+1]]:3: remark: launch of 'step(unsigned int const*, unsigned int const*, unsigned int*, int)', blocks of 256 threads: chooses among the kernel and {{[1-3]}} build{{s?}} [-Rpass=regdem]
  step<<<1000000, dim3(64, 4)>>>(nullptr, nullptr, nullptr, 0);
  void *None[4] = {};
  // REMARKS-DAG: sites.cu:[[#@LINE+1]]:3: remark: launch of 'step(unsigned int const*, unsigned int const*, unsigned int*, int)', blocks of 256 threads: chooses
  cudaLaunchKernel(step, 1000000, 256, None, 0, nullptr);
  int Blocks = 0;
  cudaFuncAttributes Attributes;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, asked, 256, 0);
  cudaFuncGetAttributes(&Attributes, asked);
  cudaFuncSetAttribute(asked, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  // REMARKS-DAG: sites.cu:[[#@LINE+1]]:3: remark: launch of 'asked(unsigned int const*, unsigned int const*, unsigned int*, int)', blocks of 256 threads: chooses
  asked<<<1000000, 256>>>(nullptr, nullptr, nullptr, Blocks);
  // What only the kernel has been let have, it takes.
  asked<<<1000000, 256, 65536>>>(nullptr, nullptr, nullptr, Blocks);
  cudaFuncSetAttribute(tuned, cudaFuncAttributePreferredSharedMemoryCarveout,
                       50);
  tuned<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
  cudaLaunchKernel(Table[Blocks - 1], 1000000, 256, None, 0, nullptr);
  stored<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
}
// CHECK: launch _Z4stepPKjS0_Pji grid 1000000 1 1 block 32 1 1
// CHECK-NEXT: launch _Z4stepPKjS0_Pji$regdem1 grid 1000000 1 1 block 64 4 1
// CHECK-NEXT: launch _Z4stepPKjS0_Pji$regdem1 grid 1000000 1 1 block 256 1 1
// CHECK-NEXT: launch _Z5askedPKjS0_Pji$regdem1 grid 1000000 1 1 block 256 1 1
// CHECK-NEXT: launch _Z5askedPKjS0_Pji grid 1000000 1 1 block 256 1 1 smem 65536
// CHECK-NEXT: carveout _Z5tunedPKjS0_Pji 50
// CHECK-NEXT: launch _Z5tunedPKjS0_Pji grid 1000000 1 1 block 256 1 1
// CHECK-NEXT: launch _Z6storedPKjS0_Pji grid 1000000 1 1 block 256 1 1
// CHECK-NEXT: launch _Z6storedPKjS0_Pji grid 1000000 1 1 block 256 1 1
