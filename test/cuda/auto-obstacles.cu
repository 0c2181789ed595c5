// Dynamic shared memory that nobody states keeps those variants away that take
// shared memory, a block size that nobody states also those that need it in
// their directives. -regdem-dynamic-smem and -regdem-block-size supply them.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: rm -f %t.jsonl
// RUN: %device %regdem %s -o %t.option.s -mllvm -regdem-max-regs=40 -mllvm -regdem-block-size=256 -mllvm -regdem-report=%t.jsonl
// RUN: %report %t.jsonl unbounded "len(variants) > 1" "not any(v['min_blocks'] for v in variants)" "any(v['decision'] == 'demote' for v in variants)"
// RUN: rm -f %t.sized.jsonl
// RUN: %device %regdem %s -o %t.sized.s -mllvm -regdem-max-regs=40 -mllvm -regdem-dynamic-smem=1024 -mllvm -regdem-report=%t.sized.jsonl
// RUN: %report %t.sized.jsonl dynamic "any(v['decision'] == 'demote' for v in variants)"
// RUN: rm -f %t.free.jsonl
// RUN: %device %regdem %s -o %t.free.s -mllvm -regdem-max-regs=40 -mllvm -regdem-pragma=on -mllvm -regdem-report=%t.free.jsonl
// RUN: %report %t.free.jsonl unbounded "len(variants) > 1" "{v['decision'] for v in variants} <= {'stock', 'rewrite', 'cap'}" "not any(v['min_blocks'] or v['smem'] for v in variants)" "block_size_from == 'assumed'"
// RUN: %report %t.free.jsonl dynamic "len(variants) > 1" "{v['decision'] for v in variants} <= {'stock', 'rewrite', 'cap'}" "not any(v['smem'] for v in variants)"
#include "Inputs/mix.h"

// CHECK: remark: 'unbounded' left as it is: {{.*}}; threads per block are not known: state __launch_bounds__ or -mllvm -regdem-block-size to have demotion tried
extern "C" __global__ void unbounded(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
extern __shared__ unsigned Dynamic[];
// CHECK: remark: 'dynamic' left as it is: {{.*}}; dynamic shared memory of unknown size: state -mllvm -regdem-dynamic-smem to have demotion tried
extern "C" __global__ void __launch_bounds__(256)
    dynamic(unsigned *Data, int Rounds) {
  Dynamic[threadIdx.x] = Data[threadIdx.x];
  mix<48>(Data, Rounds, Dynamic[threadIdx.x ^ 1]);
}
