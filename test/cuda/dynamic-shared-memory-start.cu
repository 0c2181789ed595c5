// Dynamic shared memory lies after the slots. It starts where vectors, copies
// by TMA and swizzled ones may, as without them, whatever the block's size.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device -mllvm -regdem-mode=demote -mllvm -regdem-max-regs=40 -mllvm -regdem-dynamic-smem=1024 -mllvm -regdem-report=%t.jsonl -fpass-plugin=%plugin %s -o %t.s
// RUN: %report %t.jsonl dynamic "decision == 'demote'" "slot_bytes % 1024 == 0"
// RUN: %report %t.jsonl plain "decision == 'demote'" "slot_bytes % 132 == 0"
// RUN: %region %t.s %t.jsonl
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

extern __shared__ float Buffer[];

extern "C" __global__ void __launch_bounds__(33)
    dynamic(unsigned *Data, int Rounds) {
  auto *Vectors = reinterpret_cast<float4 *>(Buffer);
  Vectors[threadIdx.x] = make_float4(Data[threadIdx.x], 1, 2, 3);
  __syncthreads();
  Data += static_cast<unsigned>(Vectors[32 - threadIdx.x].x);
  mix<48>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(33)
    plain(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
