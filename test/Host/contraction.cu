// A program's results must not depend on the build that a launch takes. Where
// ptxas fuses a product of the kernel, it might not do so in all builds: these
// state what becomes of each. There are none where that cannot be stated.
// REQUIRES: clang-cuda
// RUN: %launches -mllvm -regdem-launch=on --cuda-device-only -S -Rpass-missed=regdem %s -o %t.s 2>&1 | FileCheck %s
// RUN: %entry-text %t.s _Z4freePKjS0_Pjif | FileCheck %s --check-prefix=KERNEL
// RUN: %entry-text %t.s '_Z4freePKjS0_Pjif$regdem1' | FileCheck %s --check-prefix=BUILD
// RUN: not %entry-text %t.s '_Z5fusedPKjS0_Pjif$regdem1'
#include "Inputs/walk.h"

// CHECK: remark: 'fused(unsigned int const*, unsigned int const*, unsigned int*, int, float)': no builds are chosen at launch: ptxas decides which of its products are fused into sums
// CHECK-NOT: remark: 'free(unsigned int const*, unsigned int const*, unsigned int*, int, float)': no builds

// KERNEL: mul.f32
// BUILD: mul.rn.f32
// BUILD-NOT: mul.f32
__global__ void free(const unsigned *Cold, const unsigned *Rows,
                     unsigned *Result, int Threads, float Factor) {
  walk<44>(Cold, Rows, Result, Threads);
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float Product = 0;
#pragma unroll 1
  for (int I = 0; I < Threads; ++I) { // Adds the product of the one before.
    unsigned Next = Result[T + I];
    Result[T + I] = __float_as_uint(Product + 3.0f);
    Product = __uint_as_float(Next) * Factor;
  }
}

__global__ void fused(const unsigned *Cold, const unsigned *Rows,
                      unsigned *Result, int Threads, float Factor) {
  walk<44>(Cold, Rows, Result, Threads);
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float Product;
  asm("mul.f32 %0, %1, %2;"
      : "=f"(Product)
      : "f"(__uint_as_float(Result[T])), "f"(Factor));
  float Sum = Product + 3.0f;
  Result[T] = __float_as_uint(Sum);
}
