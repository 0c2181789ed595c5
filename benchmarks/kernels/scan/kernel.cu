//===- kernel.cu - prefix sums within blocks ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inclusive sums of each block's elements: of a thread's own, then over the
// threads in steps that double (Hillis and Steele, 1986). A control: it needs
// few registers.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
scan(const unsigned *__restrict__ From, unsigned *__restrict__ To) {
  __shared__ unsigned Sums[2][BlockSize];
  int T = threadIdx.x, First = blockIdx.x * PerBlock + T * PerThread;
  unsigned Own[PerThread], Sum = 0;
  for (int I = 0; I < PerThread; ++I)
    Own[I] = Sum += From[First + I];
  int Now = 0;
  Sums[Now][T] = Sum;
  for (int Step = 1; Step < BlockSize; Step *= 2) {
    __syncthreads();
    Sums[1 - Now][T] = Sums[Now][T] + (T < Step ? 0 : Sums[Now][T - Step]);
    Now = 1 - Now;
  }
  unsigned Before = Sums[Now][T] - Sum;
  for (int I = 0; I < PerThread; ++I)
    To[First + I] = Before + Own[I];
}

BENCH_EXPORT(scan)
