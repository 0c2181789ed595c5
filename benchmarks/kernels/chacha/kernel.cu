//===- kernel.cu - ChaCha20 key stream ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D. J. Bernstein's stream cipher: sixteen words of state, of which a loop over
// columns and diagonals picks four for each quarter round.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

__device__ __forceinline__ unsigned rotated(unsigned X, int Bits) {
  return X << Bits | X >> (32 - Bits);
}

BENCH_KERNEL(BlockSize)
chacha(const unsigned *__restrict__ Keys, unsigned *__restrict__ Out, int Count,
       int Blocks) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned Start[Words];
  const unsigned Constant[] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int I = 0; I < 4; ++I)
    Start[I] = Constant[I];
  for (int I = 0; I < Key; ++I)
    Start[4 + I] = Keys[I * Count + T];
  for (int I = 4 + Key; I < Words; ++I)
    Start[I] = 0;
  unsigned Sum[Words];
  for (int I = 0; I < Words; ++I)
    Sum[I] = 0;
  for (int Block = 0; Block < Blocks; ++Block) {
    unsigned X[Words];
    Start[12] = Block;
    for (int I = 0; I < Words; ++I)
      X[I] = Start[I];
    for (int Round = 0; Round < Rounds; ++Round)
      for (int I = 0; I < 4; ++I) {
        int Shift = Round & 1;
        unsigned &A = X[I], &B = X[4 + ((I + Shift) & 3)],
                 &C = X[8 + ((I + 2 * Shift) & 3)],
                 &D = X[12 + ((I + 3 * Shift) & 3)];
        A += B;
        D = rotated(D ^ A, 16);
        C += D;
        B = rotated(B ^ C, 12);
        A += B;
        D = rotated(D ^ A, 8);
        C += D;
        B = rotated(B ^ C, 7);
      }
    for (int I = 0; I < Words; ++I)
      Sum[I] ^= X[I] + Start[I];
  }
  for (int I = 0; I < Words; ++I)
    Out[I * Count + T] = Sum[I];
}

BENCH_EXPORT(chacha)
