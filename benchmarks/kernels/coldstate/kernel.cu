//===- kernel.cu - dependent loads with much cold state -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp walks a random linked list of rows of 32 words. Every word of a row
// names the next row in its upper bits and carries a payload in its lower
// ones, so each load coalesces and depends on the one before. 44 values that
// are read at the start are needed only after the walk: the kernel is bound by
// latency, and its registers are filled with what it does not need.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
coldstate(const unsigned *__restrict__ Cold, const unsigned *__restrict__ Start,
          const unsigned *__restrict__ Rows, unsigned *__restrict__ Result,
          int Threads) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  unsigned Lane = threadIdx.x % WarpSize;
  unsigned State[ColdValues];
  unsigned Sum = 0;
#pragma unroll
  for (int I = 0; I < ColdValues; ++I) {
    State[I] = Cold[I * Threads + T];
    Sum = Sum * 31 + State[I];
  }

  unsigned Row = Start[T / WarpSize];
#pragma unroll 1
  for (int I = 0; I < Steps; ++I) {
    unsigned Word = Rows[Row * WarpSize + Lane];
    Sum = Sum * 0x9E3779B1u + (Word & 0xFFF);
    Row = Word >> 12;
  }

#pragma unroll
  for (int I = 0; I < ColdValues; ++I)
    Sum = (Sum ^ State[I]) * 0x85EBCA77u + (Sum >> 15);
  Result[T] = Sum;
}

BENCH_EXPORT(coldstate)
