//===- kernel.cu - a mixing loop over 64 live values ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 64 words of state, each updated once a round from two others, as block
// ciphers and pseudorandom permutations with a large state do. All words are
// live all the time and nothing is loaded: a kernel bound by instructions.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
mix64(const unsigned *__restrict__ Seeds, unsigned *__restrict__ Result) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  unsigned V[Values];
  V[0] = Seeds[T];
#pragma unroll
  for (int I = 1; I < Values; ++I)
    V[I] = V[I - 1] * 1664525u + 1013904223u;

#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma unroll
    for (int I = 0; I < Values; ++I) {
      unsigned Mixed = V[I] ^ V[(I + 17) % Values];
      V[I] = __funnelshift_l(Mixed, Mixed, 7) + V[(I + 41) % Values];
    }
  }

  unsigned Folded = 0;
#pragma unroll
  for (int I = 0; I < Values; ++I)
    Folded = Folded * 31 + V[I];
  Result[T] = Folded;
}

BENCH_EXPORT(mix64)
