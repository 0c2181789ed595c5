// At -O0 RegDem stays out, whatever the options say, and tells so.
// REQUIRES: clang-cuda
// RUN: %device -O0 %s -o %t.stock.s
// RUN: rm -f %t.jsonl
// RUN: %device -O0 %regdem -mllvm "-regdem-build=cap=16 demote=belady:12" -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %report %t.jsonl unoptimized "decision == 'stock'" "arch == 'sm_90'" "reason == 'it is compiled with -O0, or optnone: compile with -O3'" "limiter_before == 'unknown'" "block_size == 256"
// RUN: %device %regdem -DATTRIBUTE=optnone,noinline %s -o /dev/null -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %device -O0 %demote -mllvm -regdem-mode=off %s -o %t.s -Rpass-missed=regdem 2>&1 | count 0
#include "Inputs/mix.h"

// CHECK-NOT: stay in local memory
// CHECK: optimization-off.cu:[[#@LINE+5]]:1: remark: 'unoptimized' left as it is: it is compiled with -O0, or optnone: compile with -O3 (sm_90) [-Rpass-missed=regdem]
#ifndef ATTRIBUTE
#define ATTRIBUTE
#endif
extern "C" __global__ void __launch_bounds__(256, 6) __attribute__((ATTRIBUTE))
unoptimized(unsigned *Data, int Rounds) {
  int Pair[2] = {Rounds, 1}; // Nothing is said of variables in memory.
  mix<48>(Data, Pair[threadIdx.x & 1], threadIdx.x);
}
