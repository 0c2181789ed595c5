// -regdem-min-blocks is a cap as blocks per SM: six blocks of 256 threads
// leave 40 of the 65536 registers to a thread.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-min-blocks=6 -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl blocks "decision == 'demote'" "max_regs == 40" "blocks_per_sm_after == 6" "blocks_per_sm_before < 6" "limiter_before == 'registers'"
// RUN: %region %t.s %t.jsonl
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

// CHECK: .maxnreg 40
extern "C" __global__ void __launch_bounds__(256)
    blocks(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
