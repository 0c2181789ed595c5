//===- kernel.cu - MD5 key search -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search of a key space for the key with a given MD5 digest (RFC 1321). Each
// thread tries all values of a key's first byte; the other bytes follow from
// its index. The thread that finds the key writes its index and digest.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// One step of MD5's compression; round and step are known when unrolled.
__device__ __forceinline__ void step(int I, unsigned &A, unsigned B, unsigned C,
                                     unsigned D, unsigned Word) {
  // floor(2^32 * |sin(i + 1)|)
  const unsigned K[64] = {
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a,
      0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
      0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
      0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
      0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8,
      0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
      0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
      0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
      0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
      0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
      0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
  const unsigned Shift[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  unsigned F = I < 16   ? (B & C) | (~B & D)
               : I < 32 ? (D & B) | (~D & C)
               : I < 48 ? B ^ C ^ D
                        : C ^ (B | ~D);
  unsigned Sum = A + F + K[I] + Word;
  A = B + __funnelshift_l(Sum, Sum, Shift[I / 16][I % 4]);
}

/// Digest of a message of KeyLength bytes, which fits one block.
__device__ __forceinline__ void md5(unsigned Word0, unsigned Word1,
                                    unsigned (&Digest)[4]) {
  unsigned A = 0x67452301, B = 0xefcdab89, C = 0x98badcfe, D = 0x10325476;
#pragma unroll
  for (int I = 0; I < 64; ++I) {
    int Index = I < 16   ? I
                : I < 32 ? (5 * I + 1) % 16
                : I < 48 ? (3 * I + 5) % 16
                         : (7 * I) % 16;
    unsigned Word = Index == 0    ? Word0
                    : Index == 1  ? Word1
                    : Index == 14 ? KeyLength * 8
                                  : 0;
    step(I, A, B, C, D, Word);
    unsigned Last = D;
    D = C;
    C = B;
    B = A;
    A = Last;
  }
  Digest[0] = A + 0x67452301;
  Digest[1] = B + 0xefcdab89;
  Digest[2] = C + 0x98badcfe;
  Digest[3] = D + 0x10325476;
}

BENCH_KERNEL(BlockSize)
md5hash(const unsigned *__restrict__ Target, unsigned *__restrict__ Result,
        unsigned Threads, unsigned Alphabet) {
  unsigned T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Threads)
    return;
  unsigned Rest = T, Bytes[KeyLength];
#pragma unroll
  for (int I = 1; I < KeyLength; ++I) {
    Bytes[I] = 'a' + Rest % Alphabet;
    Rest /= Alphabet;
  }
  unsigned Word0 = 'a' | Bytes[1] << 8 | Bytes[2] << 16 | Bytes[3] << 24;
  unsigned Word1 = Bytes[4] | Bytes[5] << 8 | 0x80u << 16;
  unsigned Want0 = Target[0], Want1 = Target[1];
  unsigned Want2 = Target[2], Want3 = Target[3];
#pragma unroll 1
  for (unsigned First = 0; First < Alphabet; ++First) {
    unsigned Digest[4];
    md5(Word0 + First, Word1, Digest);
    if (Digest[0] == Want0 && Digest[1] == Want1 && Digest[2] == Want2 &&
        Digest[3] == Want3) {
      Result[0] = T * Alphabet + First;
#pragma unroll
      for (int I = 0; I < 4; ++I)
        Result[1 + I] = Digest[I];
    }
  }
}

BENCH_EXPORT(md5hash)
