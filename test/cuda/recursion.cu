// How large the frames of a function that calls itself are in all depends on
// the data, and the stack is as large as the program has said: a kernel that
// calls one stays as it is, unless somebody states a cap.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem -Rpass-missed=regdem %s -o %t.s 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %device %demote -mllvm -regdem-max-regs=40 %s -o - | FileCheck %s --check-prefix=CAP
#include "Inputs/mix.h"

__device__ __noinline__ unsigned again(unsigned X) {
  return X < 2 ? X : again(X - 1) * 31 ^ again(X / 2);
}

// CHECK: remark: 'recursive' left as it is: a function that it calls may call itself, so that the stack might be too small for another build: make it a loop
// CAP: .maxnreg 40
extern "C" __global__ void __launch_bounds__(256)
    recursive(unsigned *Data, int Rounds) {
  mix<48>(Data, again(Rounds), threadIdx.x);
}
