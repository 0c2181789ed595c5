//===- host.cpp - SHA-256: input and reference ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"
#include <vector>

using namespace bench;

/// The first 32 bits of the fractional part of \p Root, which is how FIPS
/// 180-4 defines the constants (roots of the first primes).
static uint32_t fraction(long double Root) {
  return uint32_t((Root - std::floor(Root)) * 4294967296.0L);
}

struct Constants {
  uint32_t Initial[8], Round[64];
  Constants() {
    for (int Prime = 2, Found = 0; Found < 64; ++Prime) {
      bool IsPrime = true;
      for (int D = 2; D * D <= Prime; ++D)
        IsPrime &= Prime % D != 0;
      if (!IsPrime)
        continue;
      if (Found < 8)
        Initial[Found] = fraction(std::sqrt((long double)Prime));
      Round[Found++] = fraction(std::cbrt((long double)Prime));
    }
  }
};

static uint32_t rotate(uint32_t X, int N) { return X >> N | X << (32 - N); }

/// SHA-256 of a byte string, as FIPS 180-4 states it.
static std::vector<uint32_t> digest(std::vector<unsigned char> Bytes) {
  static const Constants K;
  uint64_t Bits = Bytes.size() * 8;
  Bytes.push_back(0x80);
  while (Bytes.size() % 64 != 56)
    Bytes.push_back(0);
  for (int I = 7; I >= 0; --I)
    Bytes.push_back(static_cast<unsigned char>(Bits >> (8 * I)));
  std::vector<uint32_t> H(K.Initial, K.Initial + 8);
  for (size_t Offset = 0; Offset < Bytes.size(); Offset += 64) {
    uint32_t W[64];
    for (int I = 0; I < 16; ++I) {
      W[I] = 0;
      for (int B = 0; B < 4; ++B)
        W[I] = W[I] << 8 | Bytes[Offset + I * 4 + B];
    }
    for (int I = 16; I < 64; ++I)
      W[I] = (rotate(W[I - 2], 17) ^ rotate(W[I - 2], 19) ^ W[I - 2] >> 10) +
             W[I - 7] +
             (rotate(W[I - 15], 7) ^ rotate(W[I - 15], 18) ^ W[I - 15] >> 3) +
             W[I - 16];
    std::vector<uint32_t> V = H;
    for (int I = 0; I < 64; ++I) {
      uint32_t S1 = rotate(V[4], 6) ^ rotate(V[4], 11) ^ rotate(V[4], 25);
      uint32_t S0 = rotate(V[0], 2) ^ rotate(V[0], 13) ^ rotate(V[0], 22);
      uint32_t Choice = (V[4] & V[5]) | (~V[4] & V[6]);
      uint32_t Majority = (V[0] & V[1]) | (V[0] & V[2]) | (V[1] & V[2]);
      uint32_t T1 = V[7] + S1 + Choice + K.Round[I] + W[I];
      V.insert(V.begin(), T1 + S0 + Majority);
      V.pop_back();
      V[4] += T1;
    }
    for (int I = 0; I < 8; ++I)
      H[I] += V[I];
  }
  return H;
}

void bench::describe(Problem &P) {
  const int Messages = P.quick() ? 1024 : 1 << 20;
  auto &Words = P.bits<uint32_t>(size_t(Messages) * MessageBlocks * 16, 0);
  auto &Digests = P.output<uint32_t>(size_t(Messages) * 8);
  for (int T = 0; T < Messages; ++T) {
    const uint32_t Padding[4] = {0x80000000, 0, 0, MessageWords * 32};
    for (int I = 0; I < 4; ++I)
      Words[size_t(MessageWords + I) * Messages + T] = Padding[I];
  }

  P.launch("sha256", {ceilDiv(Messages, BlockSize)}, {BlockSize}, Words,
           Digests, Messages);

  P.verify(Messages, 20000, 0, [&, Messages](size_t T, Checker &C) {
    std::vector<unsigned char> Bytes;
    for (int I = 0; I < MessageWords; ++I)
      for (int B = 3; B >= 0; --B)
        Bytes.push_back(static_cast<unsigned char>(
            Words[size_t(I) * Messages + T] >> (8 * B)));
    std::vector<uint32_t> Want = digest(Bytes);
    for (int I = 0; I < 8; ++I)
      C.equal(Digests[size_t(I) * Messages + T], Want[I]);
  });
}
