// A function that calls itself, which the kernel does not call, is no part of
// it: with -fgpu-rdc the file keeps it, and its spill code is its own.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %clang-cuda %regdem -fgpu-rdc -mllvm -regdem-report=%t.jsonl -c %s -o %t.o
// RUN: %report %t.jsonl spills "any(v['decision'] == 'demote' and v['frame_bytes'] == 0 for v in variants)"
// Where nothing is to be tried, ptxas is not what is missing.
// RUN: %device %regdem -mllvm -regdem-effort=0 -mllvm -regdem-max-regs=40 -Rpass=regdem -Rpass-missed=regdem %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: 'spills' {{.*}}builds of it were not compared: they would cost more
#include "Inputs/mix.h"

__device__ __noinline__ float again(float X, int N) {
  return N ? again(X * X, N - 1) + 1 : X;
}

extern "C" __global__ void __launch_bounds__(256, 6)
    spills(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
