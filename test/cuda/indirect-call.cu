// A kernel that calls through a pointer is left as it is.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %demote %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

// CHECK: remark: 'indirect' left as it is: it calls functions whose use of shared memory is not known here (through a pointer: call them by name)
extern "C" __global__ void __launch_bounds__(256, 6)
    indirect(unsigned *Data, int (*Rounds)(int)) {
  mix<48>(Data, Rounds(3), threadIdx.x);
}
