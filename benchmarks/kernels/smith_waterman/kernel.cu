//===- kernel.cu - local alignment of short reads -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Score of the best local alignment with affine gaps (Gotoh, 1982), one pair of
// a 32-letter read and a longer sequence a thread. The current column of both
// dynamic-programming tables is in registers. Letters have two bits, sixteen a
// word; word w of pair t is at w * Pairs + t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
smith_waterman(const unsigned *__restrict__ Queries,
               const unsigned *__restrict__ Sequences, int *__restrict__ Scores,
               int Pairs, int SequenceWords) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Pairs)
    return;
  unsigned Query[QueryLength / 16];
#pragma unroll
  for (int I = 0; I < QueryLength / 16; ++I)
    Query[I] = Queries[I * Pairs + T];
  int H[QueryLength], E[QueryLength], Best = 0;
#pragma unroll
  for (int I = 0; I < QueryLength; ++I)
    H[I] = E[I] = 0;

  for (int W = 0; W < SequenceWords; ++W) {
    unsigned Letters = Sequences[W * Pairs + T];
#pragma unroll 1
    for (int L = 0; L < 16; ++L, Letters >>= 2) {
      int F = 0, Diagonal = 0;
#pragma unroll
      for (int I = 0; I < QueryLength; ++I) {
        unsigned Differ = (Query[I / 16] >> (2 * (I % 16)) ^ Letters) & 3;
        int Score = max(Diagonal + (Differ ? Mismatch : Match), 0);
        Diagonal = H[I];
        E[I] = max(E[I] - GapExtend, Diagonal - GapOpen);
        Score = max(Score, max(E[I], F));
        H[I] = Score;
        F = max(F - GapExtend, Score - GapOpen);
        Best = max(Best, Score);
      }
    }
  }
  Scores[T] = Best;
}

BENCH_EXPORT(smith_waterman)
