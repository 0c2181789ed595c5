// In demote mode a kernel for which nobody states a cap is left as it is.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %device %regdem -mllvm -regdem-mode=demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefixes=CHECK,UNSIZED
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

// CHECK: remark: 'sized' left as it is: no register cap is stated: state -mllvm -regdem-max-regs or __launch_bounds__(threads, blocks)
extern "C" __global__ void __launch_bounds__(256)
    sized(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

// Whatever else it does not state, as its block size.
// UNSIZED: remark: 'unsized' left as it is: no register cap is stated
extern "C" __global__ void unsized(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
