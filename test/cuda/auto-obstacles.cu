// What keeps demotion away keeps all variants away: a block size or dynamic
// shared memory that nobody states. -regdem-block-size supplies the first.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: rm -f %t.jsonl
// RUN: %device %regdem %s -o %t.option.s -mllvm -regdem-block-size=256 -mllvm -regdem-disassembler=off -mllvm -regdem-report=%t.jsonl
// RUN: %report %t.jsonl unbounded "len(variants) > 1" "not any(v['min_blocks'] for v in variants)"
#include "Inputs/mix.h"

// CHECK: remark: 'unbounded' left as it is: threads per block are not known
extern "C" __global__ void unbounded(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
extern __shared__ unsigned Dynamic[];
// CHECK: remark: 'dynamic' left as it is: dynamic shared memory of unknown size
extern "C" __global__ void __launch_bounds__(256)
    dynamic(unsigned *Data, int Rounds) {
  Dynamic[threadIdx.x] = Data[threadIdx.x];
  mix<48>(Data, Rounds, Dynamic[threadIdx.x ^ 1]);
}
