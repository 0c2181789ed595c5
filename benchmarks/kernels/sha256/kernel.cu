//===- kernel.cu - SHA-256 of many messages -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One message a thread (FIPS 180-4). Messages come padded, as big-endian words
// already in host order, word w of message t at w * Messages + t. The message
// schedule is kept as a ring of 16 registers; rounds are unrolled.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

__device__ __forceinline__ unsigned rotateRight(unsigned X, unsigned N) {
  return __funnelshift_l(X, X, 32 - N);
}

__device__ __forceinline__ void compress(unsigned (&State)[8],
                                         unsigned (&W)[16]) {
  const unsigned K[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
      0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
      0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
      0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
      0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
      0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
      0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
      0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
      0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  unsigned A = State[0], B = State[1], C = State[2], D = State[3];
  unsigned E = State[4], F = State[5], G = State[6], H = State[7];
#pragma unroll
  for (int I = 0; I < 64; ++I) {
    if (I >= 16) {
      unsigned W15 = W[(I + 1) & 15], W2 = W[(I + 14) & 15];
      W[I & 15] += W[(I + 9) & 15] +
                   (rotateRight(W15, 7) ^ rotateRight(W15, 18) ^ (W15 >> 3)) +
                   (rotateRight(W2, 17) ^ rotateRight(W2, 19) ^ (W2 >> 10));
    }
    unsigned Sum1 = rotateRight(E, 6) ^ rotateRight(E, 11) ^ rotateRight(E, 25);
    unsigned Sum0 = rotateRight(A, 2) ^ rotateRight(A, 13) ^ rotateRight(A, 22);
    unsigned T1 = H + Sum1 + ((E & F) ^ (~E & G)) + K[I] + W[I & 15];
    unsigned T2 = Sum0 + ((A & B) ^ (A & C) ^ (B & C));
    H = G;
    G = F;
    F = E;
    E = D + T1;
    D = C;
    C = B;
    B = A;
    A = T1 + T2;
  }
  State[0] += A;
  State[1] += B;
  State[2] += C;
  State[3] += D;
  State[4] += E;
  State[5] += F;
  State[6] += G;
  State[7] += H;
}

BENCH_KERNEL(BlockSize)
sha256(const unsigned *__restrict__ Words, unsigned *__restrict__ Digests,
       int Messages) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Messages)
    return;
  unsigned State[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll 1
  for (int Block = 0; Block < MessageBlocks; ++Block) {
    unsigned W[16];
#pragma unroll
    for (int I = 0; I < 16; ++I)
      W[I] = Words[(Block * 16 + I) * Messages + T];
    compress(State, W);
  }
#pragma unroll
  for (int I = 0; I < 8; ++I)
    Digests[I * Messages + T] = State[I];
}

BENCH_EXPORT(sha256)
