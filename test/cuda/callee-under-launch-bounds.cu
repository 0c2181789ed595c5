// A callee that needs more registers than the kernel's own launch bounds leave
// is no reason to leave the kernel alone, and none for a warning: the stock
// build has the same cap.
// REQUIRES: clang-cuda, ptxas
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl -Werror %s -o %t.s 2>&1 | count 0
// RUN: %report %t.jsonl caller "decision == 'demote'" "max_regs == 40" "not estimated"
// RUN: not %ptxas -c %t.s -o %t.o 2>&1 | FileCheck %s
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

// CHECK: 'caller' with max regcount of 40 calls function
__device__ __noinline__ void callee(unsigned *Data, int Rounds) {
  mix<80>(Data, Rounds, threadIdx.x);
}
extern "C" __global__ void __launch_bounds__(256, 6)
    caller(unsigned *Data, int Rounds) {
  callee(Data + 1, Rounds);
  mix<48>(Data, Rounds, threadIdx.x);
}
