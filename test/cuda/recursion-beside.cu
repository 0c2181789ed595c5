// Functions that call themselves or each other, which the kernel does not call,
// are no part of it: with -fgpu-rdc the file keeps them, and their spill code
// is their own.
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

__device__ float pong(float X, int N);
__device__ __noinline__ float ping(float X, int N) {
  return N ? pong(X * 3, N - 1) + X : X;
}
__device__ __noinline__ float pong(float X, int N) {
  return N ? ping(X + 5, N - 1) * X : X;
}

extern "C" __global__ void __launch_bounds__(256, 6)
    spills(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
