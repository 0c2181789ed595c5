// In mode off the code is the stock compiler's.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem -mllvm -regdem-mode=off -mllvm -regdem-max-regs=32 %s -o %t.s
// RUN: cmp %t.stock.s %t.s
// Its report has the figures of that: a base for comparisons.
// RUN: rm -f %t.jsonl %t.stock.jsonl
// RUN: %device %regdem -mllvm -regdem-mode=off -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: cmp %t.stock.s %t.s
// RUN: %report %t.jsonl off "decision == 'stock'" "'leaves it out' in reason" "max_regs == 0" "not estimated" "[v['chosen'] for v in variants] == [True]" "variants[0]['regs'] == 40" "variants[0]['spill_load_bytes'] > 0"
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    off(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
