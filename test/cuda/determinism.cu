// The same input gives the same PTX, byte for byte, with and without asking
// ptxas.
// REQUIRES: clang-cuda
// RUN: %device %demote %s -o %t.1.s
// RUN: %device %demote %s -o %t.2.s
// RUN: cmp %t.1.s %t.2.s
// RUN: %device %regdem -mllvm -regdem-mode=demote %s -o %t.3.s
// RUN: %device %regdem -mllvm -regdem-mode=demote %s -o %t.4.s
// RUN: cmp %t.3.s %t.4.s
// RUN: FileCheck %s --input-file=%t.2.s
// RUN: FileCheck %s --input-file=%t.4.s
#include "Inputs/mix.h"

// CHECK: st.shared
extern "C" __global__ void __launch_bounds__(256, 6)
    again(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
