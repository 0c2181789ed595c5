// Blocks per SM that do not fit whatever registers they use are no cap; the
// kernel is left as it is and a remark says why.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %demote -mllvm -regdem-min-blocks=9 %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %device %regdem -mllvm -regdem-min-blocks=9 %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

// CHECK: remark: 'blocks' left as it is: the blocks per SM of 256 threads that are asked for never fit: ask for fewer (sm_90)
extern "C" __global__ void __launch_bounds__(256)
    blocks(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
