// Where the block is a constant for which there is no build, the launch takes
// the kernel, and loads the builds if it is the first. A kernel whose stub is
// used for anything but launches stays as it is: the program may have set
// something on it, or count on its occupancy. Remarks tell of each launch.
// REQUIRES: clang-cuda, nvdisasm
// RUN: %launches -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARKS --implicit-check-not='blocks of any size'
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: env FAKE_CALLS=1 %t.exe | FileCheck %s --check-prefix=LOADS
// LOADS: call cudaFuncGetAttributes _Z4stepPKjS0_Pji$regdem1
// LOADS: launch _Z4stepPKjS0_Pji grid 1000000 1 1 block 32 1 1
// LOADS-NOT: cudaFuncGetAttributes
#include "Inputs/walk.h"

// REMARKS-DAG: remark: launches of 'asked(unsigned int const*, unsigned int const*, unsigned int*, int)' take the kernel itself: the host code uses its address for more than launches
__global__ void step(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

__global__ void asked(const unsigned *Cold, const unsigned *Rows,
                      unsigned *Result, int Threads) {
  walk<44>(Cold, Rows, Result, Threads);
}

int main() {
  // REMARKS-DAG: sites.cu:[[#@LINE+1]]:3: remark: launch of 'step(unsigned int const*, unsigned int const*, unsigned int*, int)', blocks of 32 threads: no build is for these [-Rpass-missed=regdem]
  step<<<1000000, 32>>>(nullptr, nullptr, nullptr, 0);
  // REMARKS-DAG: sites.cu:[[#@LINE+1]]:3: remark: launch of 'step(unsigned int const*, unsigned int const*, unsigned int*, int)', blocks of 256 threads: chooses among the kernel and {{[1-3]}} build{{s?}} [-Rpass=regdem]
  step<<<1000000, dim3(64, 4)>>>(nullptr, nullptr, nullptr, 0);
  void *None[4] = {};
  // REMARKS-DAG: sites.cu:[[#@LINE+1]]:3: remark: launch of 'step(unsigned int const*, unsigned int const*, unsigned int*, int)', blocks of 256 threads: chooses
  cudaLaunchKernel(step, 1000000, 256, None, 0, nullptr);
  int Blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, asked, 256, 0);
  asked<<<1000000, 256>>>(nullptr, nullptr, nullptr, Blocks);
}
// CHECK: launch _Z4stepPKjS0_Pji grid 1000000 1 1 block 32 1 1
// CHECK-NEXT: launch _Z4stepPKjS0_Pji$regdem1 grid 1000000 1 1 block 64 4 1
// CHECK-NEXT: launch _Z4stepPKjS0_Pji$regdem1 grid 1000000 1 1 block 256 1 1
// CHECK-NEXT: launch _Z5askedPKjS0_Pji grid 1000000 1 1 block 256 1 1
