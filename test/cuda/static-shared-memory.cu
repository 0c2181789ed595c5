// Slots and the kernel's own shared memory stay within the 48 KB of static
// shared memory: 8 KB are left of 40 KB used, nothing of 48 KB.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %report %t.jsonl kb40 "decision == 'demote'" "static_smem == 40960" "0 < slot_bytes <= 8192"
// RUN: %report %t.jsonl kb48 "decision == 'stock'" "static_smem == 49152"
// RUN: %region %t.s %t.jsonl
// RUN: %device %regdem %s -o %t.asked.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

template <int Words>
__device__ __forceinline__ unsigned *exchange(unsigned *Data) {
  __shared__ unsigned Buffer[Words];
  for (int I = threadIdx.x; I < Words; I += 128)
    Buffer[I] = Data[I];
  __syncthreads();
  return Data + Buffer[Data[threadIdx.x] % Words];
}

extern "C" __global__ void __launch_bounds__(128, 4)
    kb40(unsigned *Data, int Rounds) {
  mix<140>(exchange<10240>(Data), Rounds, threadIdx.x);
}

// CHECK: remark: 'kb48' left as it is: no shared memory is left for a slot
extern "C" __global__ void __launch_bounds__(128, 4)
    kb48(unsigned *Data, int Rounds) {
  mix<140>(exchange<12288>(Data), Rounds, threadIdx.x);
}
