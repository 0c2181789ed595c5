// In mode off the code is the stock compiler's.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem -mllvm -regdem-mode=off -mllvm -regdem-max-regs=32 %s -o %t.s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    off(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
