// With dynamic shared memory of unknown size a kernel is left as it is; once
// the size is stated, the slots leave room for it.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: cmp %t.stock.s %t.s
// RUN: rm -f %t.jsonl %t.unknown.jsonl
// RUN: %device %demote %s -mllvm -regdem-report=%t.unknown.jsonl -o %t.s
// RUN: %report %t.unknown.jsonl dynamic "'dynamic_smem' not in records[0]" "'from_ptx' not in records[0]"
// RUN: %device %demote -mllvm -regdem-dynamic-smem=30720 -mllvm -regdem-report=%t.jsonl %s -o %t.size.s
// RUN: %report %t.jsonl dynamic "decision == 'demote'" "slot_bytes + 30720 <= 49152" "dynamic_smem == 30720"
// RUN: %region %t.size.s %t.jsonl
// RUN: %ptxas %t.size.s -o %t.cubin
#include "Inputs/mix.h"

extern __shared__ unsigned Buffer[];

// MISSED: remark: 'dynamic' left as it is: dynamic shared memory of unknown size: state -mllvm -regdem-dynamic-smem
extern "C" __global__ void __launch_bounds__(256, 6)
    dynamic(unsigned *Data, int Rounds) {
  Buffer[threadIdx.x] = Data[threadIdx.x];
  __syncthreads();
  Data += Buffer[255 - threadIdx.x];
  mix<48>(Data, Rounds, threadIdx.x);
}
