// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose registers are full of values that wait for a walk through
// memory. More warps gain much, and demotion costs little.
#ifndef REGDEM_TEST_LAUNCH_WALK_H
#define REGDEM_TEST_LAUNCH_WALK_H

template <int Waiting>
__device__ __forceinline__ void
walk(const unsigned *__restrict__ Cold, const unsigned *__restrict__ Rows,
     unsigned *__restrict__ Result, int Threads) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned State[Waiting];
  unsigned Sum = 0;
#pragma unroll
  for (int I = 0; I < Waiting; ++I) {
    State[I] = Cold[I * Threads + T];
    Sum = Sum * 31 + State[I];
  }
  unsigned Row = T / 32;
#pragma unroll 1
  for (int I = 0; I < 64; ++I) {
    unsigned Word = Rows[Row * 32 + threadIdx.x % 32];
    Sum = Sum * 0x9E3779B1u + (Word & 0xFFF);
    Row = Word >> 12;
  }
#pragma unroll
  for (int I = 0; I < Waiting; ++I)
    Sum = (Sum ^ State[I]) * 0x85EBCA77u + (Sum >> 15);
  Result[T] = Sum;
}

#endif
