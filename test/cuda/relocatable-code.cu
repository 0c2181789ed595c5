// In relocatable device code (-fgpu-rdc) a kernel that calls into another file
// is left as it is, since only the linker knows that file's shared memory; a
// kernel that does not is demoted.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device -fgpu-rdc %demote -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %report %t.jsonl outside "decision == 'stock'"
// RUN: %report %t.jsonl inside "decision == 'demote'"
// RUN: %region %t.s %t.jsonl
// RUN: %ptxas -c %t.s -o %t.o
#include "Inputs/mix.h"

__device__ unsigned elsewhere(unsigned X);

// CHECK: remark: 'outside' left as it is: it calls functions whose use of shared memory is not known here ('elsewhere(unsigned int)' of another file: define it in this one)
extern "C" __global__ void __launch_bounds__(256, 6)
    outside(unsigned *Data, int Rounds) {
  mix<48>(Data, elsewhere(Rounds), threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256, 6)
    inside(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
