// What a kernel calls is part of it: kernels with calls have builds, too. ptxas
// makes a copy of each function for each of them; where builds state roundings,
// functions are copied for all builds of a kernel. Where ptxas makes a
// function for callers that it does not know, or how much memory calls take is
// not known, there are no builds.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %launches -mllvm -regdem-launch=on -mllvm -regdem-launch-code=1000 --cuda-device-only -S -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %ptxas %t.s -o %t.cubin
// RUN: FileCheck %s --input-file=%t.s --check-prefix=CALLEES
// RUN: %entry-text %t.s _Z6sharesPKjS0_Pjij | FileCheck %s --check-prefix=SHARED
// RUN: %entry-text %t.s '_Z6sharesPKjS0_Pjij$regdem1' | FileCheck %s --check-prefix=SHARED
// SHARED: call.uni (retval0), _Z5mixedj,
//
// RUN: %entry-text %t.s _Z6roundsPKjS0_Pjif | FileCheck %s --check-prefix=PLAIN
// RUN: %entry-text %t.s '_Z6roundsPKjS0_Pjif$regdem1' | FileCheck %s --check-prefix=ROUNDED
// PLAIN: call.uni (retval0), _Z6scaledff,
// ROUNDED: call.uni (retval0), _Z6scaledff$regdem,
//
// RUN: not %entry-text %t.s '_Z7recursePKjS0_Pjij$regdem1'
// RUN: not %entry-text %t.s '_Z7throughPKjS0_PjiPFjjE$regdem1'
// RUN: not %entry-text %t.s '_Z5takenPKjS0_PjijPPFjjE$regdem1'
//
// No copy is left over.
// CALLEES-NOT: $regdem(
// CALLEES:     .func {{.*}} _Z6scaledff(
// CALLEES-NOT: mul.rn
// CALLEES:     mul.f32
// CALLEES:     .func {{.*}} _Z6scaledff$regdem(
// CALLEES-NOT: mul.f32
// CALLEES:     mul.rn.f32
// CALLEES-NOT: .func {{.*}}$regdem{{.*}}(
#include "Inputs/walk.h"

#define HERE (blockIdx.x * blockDim.x + threadIdx.x)

__device__ __noinline__ unsigned mixed(unsigned X) {
  return X * 0x85EBCA77u + (X >> 15);
}

__global__ void shares(const unsigned *Cold, const unsigned *Rows,
                       unsigned *Result, int Threads, unsigned Seed) {
  Seed = mixed(Seed);
  walk<44>(Cold, Rows, Result, Threads);
  Result[HERE] += Seed;
}

__device__ __noinline__ float scaled(float X, float Factor) {
  return X * Factor;
}

__global__ void rounds(const unsigned *Cold, const unsigned *Rows,
                       unsigned *Result, int Threads, float Factor) {
  walk<44>(Cold, Rows, Result, Threads);
  float Product = scaled(Factor, Factor);
#pragma unroll 1
  for (int I = 0; I < Threads; ++I) { // Adds the product of the one before.
    unsigned Next = Result[HERE + I];
    Result[HERE + I] = __float_as_uint(Product + 3.0f);
    Product = __uint_as_float(Next) * Factor;
  }
}

__device__ __noinline__ unsigned again(unsigned X) {
  return X < 2 ? X : again(X - 1) * 31 ^ again(X / 2);
}

__global__ void recurse(const unsigned *Cold, const unsigned *Rows,
                        unsigned *Result, int Threads, unsigned Depth) {
  unsigned X = again(Depth);
  walk<44>(Cold, Rows, Result, Threads);
  Result[HERE] += X;
}

__global__ void through(const unsigned *Cold, const unsigned *Rows,
                        unsigned *Result, int Threads,
                        unsigned (*Called)(unsigned)) {
  unsigned X = Called(Threads);
  walk<44>(Cold, Rows, Result, Threads);
  Result[HERE] += X;
}

__device__ __noinline__ unsigned known(unsigned X) { return X * 31 + 7; }

__global__ void taken(const unsigned *Cold, const unsigned *Rows,
                      unsigned *Result, int Threads, unsigned Seed,
                      unsigned (**Kept)(unsigned)) {
  Seed = known(Seed);
  walk<44>(Cold, Rows, Result, Threads);
  Result[HERE] += Seed;
  *Kept = known;
}
