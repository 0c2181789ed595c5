//===- host.cpp - bit-sliced AES-128: input and reference -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

namespace {
using Block = std::array<uint8_t, 16>;

uint8_t timesX(uint8_t A) { return uint8_t(A << 1 ^ (A & 0x80 ? 0x1b : 0)); }

uint8_t multiply(uint8_t A, uint8_t B) {
  uint8_t Result = 0;
  for (; B; B >>= 1, A = timesX(A))
    Result ^= B & 1 ? A : 0;
  return Result;
}

/// AES-128 with byte tables, as FIPS 197 describes it.
class Aes {
public:
  explicit Aes(const Block &Key) {
    for (int X = 0; X < 256; ++X) {
      uint8_t Inverse = 0;
      for (int Y = 1; Y < 256; ++Y)
        if (multiply(uint8_t(X), uint8_t(Y)) == 1)
          Inverse = uint8_t(Y);
      Box[X] = 0x63;
      for (int Shift = 0; Shift < 5; ++Shift)
        Box[X] ^= uint8_t(Inverse << Shift | Inverse >> (8 - Shift));
    }
    RoundKeys[0] = Key;
    uint8_t Constant = 1;
    for (int R = 1; R <= Rounds; ++R, Constant = timesX(Constant)) {
      const Block &Last = RoundKeys[R - 1];
      for (int I = 0; I < 16; ++I) {
        uint8_t Before =
            I < 4 ? Box[Last[12 + (I + 1) % 4]] : RoundKeys[R][I - 4];
        RoundKeys[R][I] = Last[I] ^ Before ^ (I == 0 ? Constant : 0);
      }
    }
  }

  Block encrypt(Block S) const {
    for (int R = 0; R <= Rounds; ++R) {
      if (R > 0) {
        Block Old = S;
        for (int I = 0; I < 16; ++I) // SubBytes, ShiftRows
          S[I] = Box[Old[(I + 4 * (I % 4)) % 16]];
      }
      if (R > 0 && R < Rounds) {
        Block Old = S;
        for (int I = 0; I < 16; ++I) {
          auto At = [&](int Down) { return Old[I / 4 * 4 + (I + Down) % 4]; };
          S[I] = multiply(At(0), 2) ^ multiply(At(1), 3) ^ At(2) ^ At(3);
        }
      }
      for (int I = 0; I < 16; ++I)
        S[I] ^= RoundKeys[R][I];
    }
    return S;
  }

  std::array<Block, Rounds + 1> RoundKeys;

private:
  std::array<uint8_t, 256> Box;
};
} // namespace

void bench::describe(Problem &P) {
  const int Threads = P.quick() ? 256 : 1 << 18;
  auto &Plain = P.bits<uint32_t>(size_t(StateBits) * Threads, 0);
  auto &Keys = P.input<uint32_t>(StateBits * (Rounds + 1));
  auto &Cipher = P.output<uint32_t>(size_t(StateBits) * Threads);
  Block Key;
  for (int I = 0; I < 16; ++I)
    Key[I] = uint8_t(P.random(1).bits(I));
  const Aes Reference(Key);
  for (int R = 0; R <= Rounds; ++R)
    for (int I = 0; I < StateBits; ++I)
      Keys[R * StateBits + I] =
          Reference.RoundKeys[R][I / 8] >> (I % 8) & 1 ? ~0u : 0u;

  P.launch("aes", {ceilDiv(Threads, BlockSize)}, {BlockSize}, Plain, Keys,
           Cipher, Threads);

  P.verify(Threads, 500, 0, [=, &Plain, &Cipher](size_t T, Checker &C) {
    auto Gather = [=](const Array<uint32_t> &Data, int Lane) {
      Block B{};
      for (int I = 0; I < StateBits; ++I)
        B[I / 8] |=
            uint8_t((Data[size_t(I) * Threads + T] >> Lane & 1) << (I % 8));
      return B;
    };
    for (int Lane = 0; Lane < Lanes; ++Lane)
      C.equal(Gather(Cipher, Lane), Reference.encrypt(Gather(Plain, Lane)));
  });
}
