// The same of builds that are chosen at launch, and of slots.
// REQUIRES: clang-cuda, nvdisasm
// RUN: %launches -mllvm -regdem-arrays=off -c %s -o %t.o
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: %clang-cuda %regdem -mllvm -regdem-kernels=sums -mllvm -regdem-max-regs=32 -mllvm -regdem-block-size=128 -mllvm -regdem-pragma=off -mllvm -regdem-finish=off -c %s -o %t.slots.o
// RUN: %clang %t.slots.o %recording-runtime -o %t.slots.exe
// RUN: %t.slots.exe | FileCheck %s --check-prefix=SLOTS --implicit-check-not="carveout _Z4bins"
//
// CHECK: device prefers 2
// CHECK-NEXT: carveout _Z4binsPiPKii$regdem1 {{[1-9][0-9]}}
// CHECK-NEXT: launch _Z4binsPiPKii$regdem1
// SLOTS: device prefers 2
// SLOTS-NEXT: carveout sums {{[1-9]}}
#include "Inputs/bins.h"

extern "C" __global__ void sums(const float *In, float *Out) {
  const float *Its = In + threadIdx.x * 64;
  float Sums[64];
#pragma unroll
  for (int I = 0; I < 64; ++I)
    Sums[I] = __shfl_xor_sync(~0u, Its[I], 1);
  __syncthreads();
#pragma unroll
  for (int I = 0; I < 64; ++I)
    Out[I * 128 + threadIdx.x] = Sums[63 - I] * Sums[I];
}

int main() {
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  bins<<<100000, 128>>>(nullptr, nullptr, 100);
  sums<<<1, 128>>>(nullptr, nullptr);
}
