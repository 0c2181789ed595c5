//===- host.cpp - SHA3-256: input and reference ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

/// Bit t of the linear feedback shift register of FIPS 202, algorithm 5.
static bool shiftRegister(int T) {
  unsigned R = 1;
  for (int I = 0; I < T % 255; ++I)
    R = R << 1 ^ (R & 0x80 ? 0x171u : 0u);
  return R & 1;
}

/// keccak-f[1600] as FIPS 202 defines it, bit by bit where it does so.
static void permute(uint64_t (&A)[5][5]) {
  for (int Round = 0; Round < 24; ++Round) {
    uint64_t C[5] = {}, B[5][5];
    auto Rotate = [](uint64_t V, int N) {
      return N % 64 ? V << N % 64 | V >> (64 - N % 64) : V;
    };
    for (int X = 0; X < 5; ++X)
      for (int Y = 0; Y < 5; ++Y)
        C[X] ^= A[X][Y];
    for (int X = 0; X < 5; ++X)
      for (int Y = 0; Y < 5; ++Y)
        A[X][Y] ^= C[(X + 4) % 5] ^ Rotate(C[(X + 1) % 5], 1);
    int X = 1, Y = 0;
    B[0][0] = A[0][0];
    for (int T = 0; T < 24; ++T) { // rho and pi follow the same path
      int NewX = Y, NewY = (2 * X + 3 * Y) % 5;
      B[NewX][NewY] = Rotate(A[X][Y], (T + 1) * (T + 2) / 2);
      X = NewX, Y = NewY;
    }
    for (X = 0; X < 5; ++X)
      for (Y = 0; Y < 5; ++Y)
        A[X][Y] = B[X][Y] ^ (~B[(X + 1) % 5][Y] & B[(X + 2) % 5][Y]);
    for (int J = 0; J <= 6; ++J)
      if (shiftRegister(J + 7 * Round))
        A[0][0] ^= 1ull << ((1 << J) - 1);
  }
}

void bench::describe(Problem &P) {
  const int Messages = P.quick() ? 512 : 1 << 19;
  const size_t WordCount = size_t(RateWords) * MessageBlocks;
  auto &Words = P.bits<unsigned long long>(WordCount * Messages, 0);
  auto &Digests = P.output<unsigned long long>(size_t(DigestWords) * Messages);
  for (int T = 0; T < Messages; ++T) // the last word is 0x06 and padding
    Words[(WordCount - 1) * Messages + T] = 0x8000000000000006ull;

  P.launch("keccak", {ceilDiv(Messages, BlockSize)}, {BlockSize}, Words,
           Digests, Messages);

  P.verify(Messages, 5000, 0, [=, &Words, &Digests](size_t T, Checker &C) {
    uint64_t A[5][5] = {};
    for (size_t W = 0; W < WordCount; ++W) {
      size_t Lane = W % RateWords;
      A[Lane % 5][Lane / 5] ^= Words[W * Messages + T];
      if (Lane == RateWords - 1)
        permute(A);
    }
    for (int I = 0; I < DigestWords; ++I)
      C.equal(uint64_t(Digests[size_t(I) * Messages + T]), A[I % 5][I / 5]);
  });
}
