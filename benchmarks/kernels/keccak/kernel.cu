//===- kernel.cu - SHA3-256 of many messages ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One message a thread with SHA3-256, whose permutation is keccak-f[1600]
// (FIPS 202): 25 words of 64 bits, 50 registers, all live. Messages come
// padded; word w of message t is at w * Messages + t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

using Word = unsigned long long;

__device__ __forceinline__ Word rotateLeft(Word X, int N) {
  return N == 0 ? X : X << N | X >> (64 - N);
}

__device__ __forceinline__ Word roundConstant(int Round) {
  const unsigned long long RoundConstants[24] = {
      0x0000000000000001, 0x0000000000008082, 0x800000000000808a,
      0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
      0x8000000080008081, 0x8000000000008009, 0x000000000000008a,
      0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
      0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
      0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
      0x000000000000800a, 0x800000008000000a, 0x8000000080008081,
      0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
  return RoundConstants[Round];
}

/// One round: theta, rho, pi, chi, iota. Lane (x, y) is A[x + 5 y].
__device__ __forceinline__ void keccakRound(Word (&A)[25], Word Constant) {
  Word Parity[5], B[25];
#pragma unroll
  for (int X = 0; X < 5; ++X)
    Parity[X] = A[X] ^ A[X + 5] ^ A[X + 10] ^ A[X + 15] ^ A[X + 20];
#pragma unroll
  for (int X = 0; X < 5; ++X) {
    Word D = Parity[(X + 4) % 5] ^ rotateLeft(Parity[(X + 1) % 5], 1);
#pragma unroll
    for (int Y = 0; Y < 5; ++Y)
      A[X + 5 * Y] ^= D;
  }
  const int Offsets[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                           25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
#pragma unroll
  for (int X = 0; X < 5; ++X)
#pragma unroll
    for (int Y = 0; Y < 5; ++Y)
      B[Y + 5 * ((2 * X + 3 * Y) % 5)] =
          rotateLeft(A[X + 5 * Y], Offsets[X + 5 * Y]);
#pragma unroll
  for (int Y = 0; Y < 5; ++Y)
#pragma unroll
    for (int X = 0; X < 5; ++X)
      A[X + 5 * Y] =
          B[X + 5 * Y] ^ (~B[(X + 1) % 5 + 5 * Y] & B[(X + 2) % 5 + 5 * Y]);
  A[0] ^= Constant;
}

BENCH_KERNEL(BlockSize)
keccak(const Word *__restrict__ Words, Word *__restrict__ Digests,
       int Messages) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Messages)
    return;
  Word A[25];
#pragma unroll
  for (int I = 0; I < 25; ++I)
    A[I] = 0;
#pragma unroll 1
  for (int Block = 0; Block < MessageBlocks; ++Block) {
#pragma unroll
    for (int I = 0; I < RateWords; ++I)
      A[I] ^= Words[(Block * RateWords + I) * Messages + T];
#pragma unroll
    for (int Round = 0; Round < 24; ++Round)
      keccakRound(A, roundConstant(Round));
  }
#pragma unroll
  for (int I = 0; I < DigestWords; ++I)
    Digests[I * Messages + T] = A[I];
}

BENCH_EXPORT(keccak)
