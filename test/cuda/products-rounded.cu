// A product whose sums stand in other blocks may be fused by ptxas in one build
// and not in another. Where ptxas is seen to fuse none of stock's, builds of
// RegDem's round them, stated ones too; stock's build stays as it is.
// REQUIRES: clang-cuda
// RUN: %device %s -o - | FileCheck %s --check-prefix=LEFT
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-max-regs=32 %s -o - | FileCheck %s --check-prefix=ROUNDED
// RUN: %device %regdem -mllvm "-regdem-build=cap=32 demote=belady:28" %s -o - | FileCheck %s --check-prefix=ROUNDED
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-max-regs=128 %s -o - | FileCheck %s --check-prefix=ROUNDED
// RUN: %device %regdem -mllvm -regdem-mode=auto %s -o - | FileCheck %s --check-prefix=STOCK
// ROUNDED-LABEL: .entry spread(
// ROUNDED: mul.rn.f32
// ROUNDED: add.f32
// LEFT-LABEL: .entry spread(
// LEFT-NOT: mul.rn.f32
// LEFT: mul.f32
// LEFT-NOT: mul.rn.f32
// STOCK-LABEL: .entry few(
// STOCK-NOT: mul.rn.f32
// STOCK: mul.f32
// STOCK-NOT: mul.rn.f32
#include "Inputs/mix.h"

template <int N>
__device__ __forceinline__ void body(unsigned *Data, float *Out, float A,
                                     int Rounds) {
  unsigned Thread = threadIdx.x;
  float Product = A * Out[Thread], Other = Out[Thread + 256];
  Out[Thread + 512] = Product;
  mix<N>(Data, Rounds, Thread);
  __syncthreads();
  if (Data[Thread] & 1)
    Out[Thread] = Product + Other;
}

extern "C" __global__ void __launch_bounds__(256)
    spread(unsigned *Data, float *Out, float A, int Rounds) {
  body<44>(Data, Out, A, Rounds);
}

extern "C" __global__ void __launch_bounds__(256)
    few(unsigned *Data, float *Out, float A, int Rounds) {
  body<4>(Data, Out, A, Rounds);
}
