//===- host.cpp - ChaCha20 key stream: input and reference ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

static void quarter(uint32_t &A, uint32_t &B, uint32_t &C, uint32_t &D) {
  auto Step = [](uint32_t &P, uint32_t &Q, uint32_t &R, int Bits) {
    P += Q;
    R ^= P;
    R = R << Bits | R >> (32 - Bits);
  };
  Step(A, B, D, 16);
  Step(C, D, B, 12);
  Step(A, B, D, 8);
  Step(C, D, B, 7);
}

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 19;
  const int Blocks = P.quick() ? 3 : 16;
  auto &Keys = P.input<uint32_t>(size_t(Count) * Key);
  auto &Out = P.output<uint32_t>(size_t(Count) * Words);
  Random R = P.random(0);
  for (size_t I = 0; I < Keys.size(); ++I)
    Keys[I] = uint32_t(R.bits(I));

  P.launch("chacha", {unsigned(Count / BlockSize)}, {BlockSize}, Keys, Out,
           Count, Blocks);

  P.verify(Count, 1000, 0, [=, &Keys, &Out](size_t T, Checker &C) {
    uint32_t Sum[Words] = {};
    for (int Block = 0; Block < Blocks; ++Block) {
      uint32_t First[Words] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
      for (int I = 0; I < Key; ++I)
        First[4 + I] = Keys[size_t(I) * Count + T];
      First[12] = uint32_t(Block);
      uint32_t X[Words];
      std::copy(First, First + Words, X);
      for (int Double = 0; Double < Rounds / 2; ++Double) {
        quarter(X[0], X[4], X[8], X[12]);
        quarter(X[1], X[5], X[9], X[13]);
        quarter(X[2], X[6], X[10], X[14]);
        quarter(X[3], X[7], X[11], X[15]);
        quarter(X[0], X[5], X[10], X[15]);
        quarter(X[1], X[6], X[11], X[12]);
        quarter(X[2], X[7], X[8], X[13]);
        quarter(X[3], X[4], X[9], X[14]);
      }
      for (int I = 0; I < Words; ++I)
        Sum[I] ^= X[I] + First[I];
    }
    for (int I = 0; I < Words; ++I)
      C.equal(Out[size_t(I) * Count + T], Sum[I]);
  });
}
