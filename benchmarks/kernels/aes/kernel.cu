//===- kernel.cu - bit-sliced AES-128 -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AES-128 (FIPS 197) on 32 blocks a thread: word 8 b + i of the state holds bit
// i of byte b of all 32 blocks, so 128 words are live. The S-box is computed:
// inversion in GF((2^4)^2) with polynomials x^4 + x + 1 and y^2 + y + x^3,
// between two linear maps that change the basis from and to AES's field. Data
// come bit-sliced; word w of thread t is at w * Threads + t. Round keys are
// masks, one word a bit.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

using Word = unsigned;

struct Nibble {
  Word B[4];
};

__device__ __forceinline__ Nibble add(Nibble X, Nibble Y) {
  return {{X.B[0] ^ Y.B[0], X.B[1] ^ Y.B[1], X.B[2] ^ Y.B[2], X.B[3] ^ Y.B[3]}};
}

__device__ __forceinline__ Nibble square(Nibble X) {
  return {{X.B[0] ^ X.B[2], X.B[2], X.B[1] ^ X.B[3], X.B[3]}};
}

/// x^3 X
__device__ __forceinline__ Nibble scale(Nibble X) {
  return {{X.B[1], X.B[1] ^ X.B[2], X.B[2] ^ X.B[3], X.B[0] ^ X.B[3]}};
}

__device__ __forceinline__ Nibble multiply(Nibble X, Nibble Y) {
  const Word *A = X.B, *B = Y.B;
  Word C4 = (A[1] & B[3]) ^ (A[2] & B[2]) ^ (A[3] & B[1]);
  Word C5 = (A[2] & B[3]) ^ (A[3] & B[2]);
  Word C6 = A[3] & B[3];
  return {{(A[0] & B[0]) ^ C4, (A[0] & B[1]) ^ (A[1] & B[0]) ^ C4 ^ C5,
           (A[0] & B[2]) ^ (A[1] & B[1]) ^ (A[2] & B[0]) ^ C5 ^ C6,
           (A[0] & B[3]) ^ (A[1] & B[2]) ^ (A[2] & B[1]) ^ (A[3] & B[0]) ^ C6}};
}

/// X^14, which is 1/X in GF(2^4), and 0 for 0.
__device__ __forceinline__ Nibble invert(Nibble X) {
  Nibble X2 = square(X), X4 = square(X2), X8 = square(X4);
  return multiply(multiply(X2, X4), X8);
}

/// Sum of the words of \p X whose bit is set in \p Mask.
template <unsigned Mask, int I = 0>
__device__ __forceinline__ Word sum(const Word *X) {
  if constexpr (I == 8)
    return 0;
  else
    return (Mask >> I & 1 ? X[I] : 0) ^ sum<Mask, I + 1>(X);
}

__device__ __forceinline__ void substitute(Word *Byte) {
  Nibble Low = {
      {sum<0xa1>(Byte), sum<0x04>(Byte), sum<0xfc>(Byte), sum<0x18>(Byte)}};
  Nibble High = {
      {sum<0x70>(Byte), sum<0xd2>(Byte), sum<0xac>(Byte), sum<0xa0>(Byte)}};
  Nibble Both = add(High, Low);
  Nibble Inverse = invert(add(scale(square(High)), multiply(Low, Both)));
  Nibble NewHigh = multiply(High, Inverse), NewLow = multiply(Both, Inverse);
  const Word T[8] = {NewLow.B[0],  NewLow.B[1],  NewLow.B[2],  NewLow.B[3],
                     NewHigh.B[0], NewHigh.B[1], NewHigh.B[2], NewHigh.B[3]};
  Byte[0] = ~sum<0x45>(T); // the constant 0x63 of the affine map: bits 0, 1,
  Byte[1] = ~sum<0x3f>(T); // 5 and 6
  Byte[2] = sum<0x69>(T);
  Byte[3] = sum<0x25>(T);
  Byte[4] = sum<0x3b>(T);
  Byte[5] = ~sum<0xee>(T);
  Byte[6] = ~sum<0xd0>(T);
  Byte[7] = sum<0x06>(T);
}

/// SubBytes and ShiftRows: byte r + 4 c comes from column c + r.
__device__ __forceinline__ void substituteAndShift(Word (&S)[StateBits]) {
  Word Old[StateBits];
#pragma unroll
  for (int Byte = 0; Byte < 16; ++Byte)
    substitute(S + 8 * Byte);
#pragma unroll
  for (int I = 0; I < StateBits; ++I)
    Old[I] = S[I];
#pragma unroll
  for (int I = 0; I < StateBits; ++I) {
    int Row = I / 8 % 4, Column = I / 32;
    S[I] = Old[8 * (Row + 4 * ((Column + Row) % 4)) + I % 8];
  }
}

__device__ __forceinline__ void mixColumn(Word *Column) {
  Word Old[32];
#pragma unroll
  for (int I = 0; I < 32; ++I)
    Old[I] = Column[I];
#pragma unroll
  for (int Row = 0; Row < 4; ++Row) {
    const Word *A0 = Old + 8 * Row, *A1 = Old + 8 * ((Row + 1) % 4);
    const Word *A2 = Old + 8 * ((Row + 2) % 4), *A3 = Old + 8 * ((Row + 3) % 4);
    Word Carry = A0[7] ^ A1[7];
#pragma unroll
    for (int I = 0; I < 8; ++I) {
      Word Doubled = I == 0 ? Carry : A0[I - 1] ^ A1[I - 1];
      if (I == 1 || I == 3 || I == 4)
        Doubled ^= Carry;
      Column[8 * Row + I] = Doubled ^ A1[I] ^ A2[I] ^ A3[I];
    }
  }
}

__device__ __forceinline__ void addKey(Word (&S)[StateBits],
                                       const Word *__restrict__ Key) {
#pragma unroll
  for (int I = 0; I < StateBits; ++I)
    S[I] ^= Key[I];
}

BENCH_KERNEL(BlockSize)
aes(const Word *__restrict__ Plain, const Word *__restrict__ RoundKeys,
    Word *__restrict__ Cipher, int Threads) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Threads)
    return;
  Word S[StateBits];
#pragma unroll
  for (int I = 0; I < StateBits; ++I)
    S[I] = Plain[I * Threads + T];

  addKey(S, RoundKeys);
#pragma unroll 1
  for (int Round = 1; Round < Rounds; ++Round) {
    substituteAndShift(S);
#pragma unroll
    for (int Column = 0; Column < 4; ++Column)
      mixColumn(S + 32 * Column);
    addKey(S, RoundKeys + Round * StateBits);
  }
  substituteAndShift(S);
  addKey(S, RoundKeys + Rounds * StateBits);

#pragma unroll
  for (int I = 0; I < StateBits; ++I)
    Cipher[I * Threads + T] = S[I];
}

BENCH_EXPORT(aes)
