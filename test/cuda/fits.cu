// A kernel that keeps to its cap is left as it is.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

// CHECK: remark: 'small' left as it is: it keeps to 40 registers without demotion
extern "C" __global__ void __launch_bounds__(256, 6)
    small(unsigned *Data, int Rounds) {
  mix<16>(Data, Rounds, threadIdx.x);
}
