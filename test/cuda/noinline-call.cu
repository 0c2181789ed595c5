// A kernel that calls functions which are not inlined is demoted around the
// calls; the functions get no slots, and what shared memory they have counts.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl caller "decision == 'demote'" "static_smem == 512"
// RUN: %region %t.s %t.jsonl
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

// CHECK-LABEL: .func {{.*}}step
// CHECK-NOT:   __regdem_slots
// CHECK-LABEL: .entry caller(
__device__ __noinline__ unsigned step(unsigned X) {
  __shared__ unsigned Buffer[128];
  Buffer[threadIdx.x % 128] = X;
  __syncthreads();
  return Buffer[X % 128] * 3;
}

// CHECK: call{{.*}}step
extern "C" __global__ void __launch_bounds__(256, 6)
    caller(unsigned *Data, int Rounds) {
  mix<48>(Data, step(Rounds), threadIdx.x);
}
