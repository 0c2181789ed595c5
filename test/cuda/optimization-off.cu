// At -O0 RegDem stays out, whatever the options say.
// REQUIRES: clang-cuda
// RUN: %device -O0 %s -o %t.stock.s
// RUN: %device -O0 %demote -mllvm -regdem-max-regs=16 %s -o %t.s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    unoptimized(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
