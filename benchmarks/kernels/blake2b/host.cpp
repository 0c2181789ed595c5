//===- host.cpp - BLAKE2b: input and reference ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

/// The permutations of RFC 7693, one letter a word.
static const char *const Sigma[10] = {"0123456789abcdef", "ea489fd61c02b753",
                                      "b8c052fdae367194", "7931dcbe265a40f8",
                                      "905724afe1bc683d", "2c6a0b834d75fe19",
                                      "c51fed4a0763928b", "db7ec13950f4862a",
                                      "6fe9b308c2d714a5", "a2847615fb9e3cd0"};

/// The first 64 bits of the fractional part of the root of \p Prime.
static uint64_t rootBits(unsigned Prime) {
  // Floor of the root of Prime * 2^128, bit by bit; the whole part drops out.
  unsigned __int128 Root = 0;
  for (int Bit = 66; Bit >= 0; --Bit) {
    unsigned __int128 Next = Root | (unsigned __int128)(1) << Bit;
    // Next^2 <= Prime * 2^128, in two halves.
    uint64_t High = uint64_t(Next >> 64), Low = uint64_t(Next);
    unsigned __int128 Square = (unsigned __int128)Low * Low;
    unsigned __int128 Cross = (unsigned __int128)High * Low * 2;
    unsigned __int128 Upper = (Square >> 64) + Cross;
    unsigned __int128 Whole = (unsigned __int128)High * High + (Upper >> 64);
    if (Whole < Prime ||
        (Whole == Prime && uint64_t(Upper) == 0 && uint64_t(Square) == 0))
      Root = Next;
  }
  return uint64_t(Root);
}

void bench::describe(Problem &P) {
  const int Messages = P.quick() ? 1024 : 1 << 18;
  const size_t WordCount = size_t(BlockWords) * MessageBlocks;
  auto &Words = P.bits<unsigned long long>(WordCount * Messages, 0);
  auto &Digests = P.output<unsigned long long>(size_t(DigestWords) * Messages);

  P.launch("blake2b", {ceilDiv(Messages, BlockSize)}, {BlockSize}, Words,
           Digests, Messages);

  static const unsigned Primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
  P.verify(Messages, 5000, 0, [=, &Words, &Digests](size_t T, Checker &C) {
    uint64_t IV[8], H[8];
    for (int I = 0; I < 8; ++I)
      H[I] = IV[I] = rootBits(Primes[I]);
    H[0] ^= 64 | 1 << 16 | 1 << 24; // bytes of digest, fan-out, depth
    for (int Block = 0; Block < MessageBlocks; ++Block) {
      uint64_t V[16];
      std::copy(H, H + 8, V);
      std::copy(IV, IV + 8, V + 8);
      V[12] ^= (Block + 1) * 128;
      V[14] ^= Block + 1 == MessageBlocks ? ~uint64_t(0) : 0;
      for (int G = 0; G < 8 * Rounds; ++G) {
        int Round = G / 8 % 10, I = G % 8, Shift = I / 4;
        int Place[4];
        for (int Row = 0; Row < 4; ++Row)
          Place[Row] = 4 * Row + (I + Shift * Row) % 4;
        for (int Half = 0; Half < 2; ++Half) {
          char Digit = Sigma[Round][2 * I + Half];
          size_t W = size_t(Digit <= '9' ? Digit - '0' : Digit - 'a' + 10);
          uint64_t &A = V[Place[0]], &B = V[Place[1]];
          uint64_t &CC = V[Place[2]], &D = V[Place[3]];
          auto Right = [](uint64_t X, int N) { return X >> N | X << (64 - N); };
          A += B + Words[(Block * BlockWords + W) * Messages + T];
          D = Right(D ^ A, Half ? 16 : 32);
          CC += D;
          B = Right(B ^ CC, Half ? 63 : 24);
        }
      }
      for (int I = 0; I < 8; ++I)
        H[I] ^= V[I] ^ V[8 + I];
    }
    for (int I = 0; I < DigestWords; ++I)
      C.equal(uint64_t(Digests[size_t(I) * Messages + T]), H[I]);
  });
}
