//===- kernel.cu - a stirred permutation ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A key stream, one a thread, from a permutation of 32 bytes that is stirred
// with each number that it gives: bytes are exchanged where bytes say.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
stir32(const unsigned *__restrict__ Keys, unsigned *__restrict__ Out, int Count,
       int Words) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char State[States];
  for (int K = 0; K < States; ++K)
    State[K] = K;
  unsigned J = 0;
  for (int K = 0; K < States; ++K) {
    unsigned Key = Keys[(K / 4 % KeyWords) * Count + T] >> (8 * (K % 4));
    J = (J + State[K] + Key) & Mask;
    unsigned char Held = State[K];
    State[K] = State[J];
    State[J] = Held;
  }
  unsigned I = 0;
  J = 0;
  for (int W = 0; W < Words; ++W) {
    unsigned Word = 0;
    for (int N = 0; N < PerWord; ++N) {
      I = (I + 1) & Mask;
      J = (J + State[I]) & Mask;
      unsigned char Held = State[I];
      State[I] = State[J];
      State[J] = Held;
      Word = Word << 5 | State[(State[I] + State[J]) & Mask];
    }
    Out[W * Count + T] = Word;
  }
}

BENCH_EXPORT(stir32)
