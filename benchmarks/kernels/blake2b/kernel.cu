//===- kernel.cu - BLAKE2b of many messages -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BLAKE2b-512 (RFC 7693) of one message a thread, without a key: sixteen
// 64-bit words of state, sixteen of the message and eight of the chain are
// live. Word w of message t is at w * Messages + t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

using Word = unsigned long long;

/// Which message word the \p I-th place of round \p R takes (RFC 7693, 2.7).
__device__ __forceinline__ constexpr int sigma(int R, int I) {
  constexpr signed char Table[10][16] = {
      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
      {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
      {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
      {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
      {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
      {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
      {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
      {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
      {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
      {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
  return Table[R % 10][I];
}

__device__ __forceinline__ constexpr Word initial(int I) {
  constexpr Word Table[8] = {0x6A09E667F3BCC908ull, 0xBB67AE8584CAA73Bull,
                             0x3C6EF372FE94F82Bull, 0xA54FF53A5F1D36F1ull,
                             0x510E527FADE682D1ull, 0x9B05688C2B3E6C1Full,
                             0x1F83D9ABFB41BD6Bull, 0x5BE0CD19137E2179ull};
  return Table[I];
}

__device__ __forceinline__ Word rotate(Word V, int N) {
  return V >> N | V << (64 - N);
}

__device__ __forceinline__ void mix(Word &A, Word &B, Word &C, Word &D, Word X,
                                    Word Y) {
  A += B + X;
  D = rotate(D ^ A, 32);
  C += D;
  B = rotate(B ^ C, 24);
  A += B + Y;
  D = rotate(D ^ A, 16);
  C += D;
  B = rotate(B ^ C, 63);
}

BENCH_KERNEL(BlockSize)
blake2b(const Word *__restrict__ Words, Word *__restrict__ Digests,
        int Messages) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Messages)
    return;
  Word H[DigestWords];
#pragma unroll
  for (int I = 0; I < DigestWords; ++I)
    H[I] = initial(I) ^ (I == 0 ? 0x01010040ull : 0);

#pragma unroll 1
  for (int Block = 0; Block < MessageBlocks; ++Block) {
    Word M[BlockWords], V[16];
#pragma unroll
    for (int I = 0; I < BlockWords; ++I)
      M[I] = Words[(Block * BlockWords + I) * Messages + T];
#pragma unroll
    for (int I = 0; I < 8; ++I) {
      V[I] = H[I];
      V[8 + I] = initial(I);
    }
    V[12] ^= Word(Block + 1) * 128;
    if (Block == MessageBlocks - 1)
      V[14] = ~V[14];
#pragma unroll
    for (int R = 0; R < Rounds; ++R) {
#pragma unroll
      for (int I = 0; I < 4; ++I)
        mix(V[I], V[4 + I], V[8 + I], V[12 + I], M[sigma(R, 2 * I)],
            M[sigma(R, 2 * I + 1)]);
#pragma unroll
      for (int I = 0; I < 4; ++I)
        mix(V[I], V[4 + (I + 1) % 4], V[8 + (I + 2) % 4], V[12 + (I + 3) % 4],
            M[sigma(R, 8 + 2 * I)], M[sigma(R, 9 + 2 * I)]);
    }
#pragma unroll
    for (int I = 0; I < 8; ++I)
      H[I] ^= V[I] ^ V[8 + I];
  }
#pragma unroll
  for (int I = 0; I < DigestWords; ++I)
    Digests[I * Messages + T] = H[I];
}

BENCH_EXPORT(blake2b)
