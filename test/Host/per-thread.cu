// Programs with a default stream for each thread have builds at launch, in that
// stream.
// REQUIRES: clang-cuda
// RUN: %launches -Xclang -fgpu-default-stream=per-thread -Rpass=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// REMARK: remark: launch of 'step(unsigned int const*, unsigned int const*, unsigned int*, int)', blocks of 256 threads: chooses among
// CHECK: launch _Z4stepPKjS0_Pji grid 1 1 1 block 256 {{.*}} per-thread
// CHECK-NEXT: launch _Z4stepPKjS0_Pji$regdem1 grid 1000000 1 1 block 256 {{.*}} per-thread
// CHECK-NEXT: launch _Z4stepPKjS0_Pji$regdem1 grid 1000000 1 1 block 256 1 1 smem {{[0-9]+}} asked 0 device 0{{$}}
#include "Inputs/stepping.h"

int main() {
  step<<<1, 256>>>(nullptr, nullptr, nullptr, 0);
  step<<<1000000, 256>>>(nullptr, nullptr, nullptr, 0);
  step<<<1000000, 256, 0, cudaStreamLegacy>>>(nullptr, nullptr, nullptr, 0);
}
