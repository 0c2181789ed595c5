// A kernel that registers do not limit is built as stock clang builds it, and
// the stock build shows it, beside which only the limit that ptxas derives from
// the block size is looked at. Where the pressure is low, nothing is assembled.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: rm -f %t.jsonl
// RUN: %device %regdem %s -o %t.s -Rpass-missed=regdem -mllvm -regdem-report=%t.jsonl 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %report %t.jsonl low "decision == 'stock'" "estimated" "limiter_before == 'warps'"
// RUN: %report %t.jsonl middle "decision == 'stock'" "all(v['min_blocks'] == 1 and not v['max_regs'] for v in variants[1:])" "variants[0]['chosen']" "limiter_before == 'warps'"
#include "Inputs/mix.h"

// CHECK: remark: 'low' left as it is: registers do not limit it: 8 blocks per SM, limited by warps, by estimate
extern "C" __global__ void __launch_bounds__(256) low(unsigned *Data) {
  Data[threadIdx.x] *= 3;
}
// CHECK: remark: 'middle' left as it is: registers do not limit it: 8 blocks per SM, limited by warps, no spill code
extern "C" __global__ void __launch_bounds__(256)
    middle(unsigned *Data, int Rounds) {
  mix<18>(Data, Rounds, threadIdx.x);
}
// Too much dynamic shared memory for any SM.
// RUN: %device %regdem %s -o /dev/null -Rpass-missed=regdem -mllvm -regdem-dynamic-smem=233472 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: %device %regdem %s -o /dev/null -Rpass-missed=regdem -mllvm -regdem-dynamic-smem=233472 -mllvm -regdem-ptxas=off 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: remark: 'dynamic' left as it is: not one block of 128 threads fits an SM with its registers and shared memory
extern "C" __global__ void __launch_bounds__(128) dynamic(unsigned *Data) {
  extern __shared__ unsigned Shared[];
  Shared[threadIdx.x] = Data[threadIdx.x];
  __syncthreads();
  Data[threadIdx.x] = Shared[127 - threadIdx.x];
}
