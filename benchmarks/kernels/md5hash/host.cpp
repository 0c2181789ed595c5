//===- host.cpp - MD5 key search: input and reference ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"
#include <string>

using namespace bench;

/// MD5 of a message of fewer than 56 bytes, as RFC 1321 states it.
static std::vector<uint32_t> md5(const std::string &Message) {
  static const int Shifts[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::vector<unsigned char> Block(Message.begin(), Message.end());
  Block.push_back(0x80);
  Block.resize(64, 0);
  Block[56] = static_cast<unsigned char>(Message.size() * 8);
  uint32_t X[16];
  for (int I = 0; I < 16; ++I)
    X[I] = Block[4 * I] | Block[4 * I + 1] << 8 | Block[4 * I + 2] << 16 |
           uint32_t(Block[4 * I + 3]) << 24;
  const std::vector<uint32_t> Initial{0x67452301, 0xefcdab89, 0x98badcfe,
                                      0x10325476};
  std::vector<uint32_t> S = Initial;
  for (int I = 0; I < 64; ++I) {
    uint32_t B = S[1], C = S[2], D = S[3], F = 0;
    int G = 0;
    switch (I / 16) {
    case 0:
      F = (B & C) | (~B & D), G = I;
      break;
    case 1:
      F = (B & D) | (C & ~D), G = 5 * I + 1;
      break;
    case 2:
      F = B ^ C ^ D, G = 3 * I + 5;
      break;
    default:
      F = C ^ (B | ~D), G = 7 * I;
    }
    uint32_t K = uint32_t(std::fabs(std::sin(I + 1.0)) * 4294967296.0);
    uint32_t Sum = S[0] + F + K + X[G % 16];
    int N = Shifts[I / 16][I % 4];
    S = {D, B + (Sum << N | Sum >> (32 - N)), B, C};
  }
  for (int I = 0; I < 4; ++I)
    S[I] += Initial[I];
  return S;
}

void bench::describe(Problem &P) {
  const unsigned Alphabet = P.quick() ? 6 : 26;
  unsigned Threads = 1;
  for (int I = 1; I < KeyLength; ++I)
    Threads *= Alphabet;
  const uint32_t Wanted = P.random(0).below(0, Threads * Alphabet);
  std::string Key;
  for (uint32_t I = 0, Rest = Wanted; I < KeyLength; ++I, Rest /= Alphabet)
    Key += char('a' + Rest % Alphabet);
  const std::vector<uint32_t> Digest = md5(Key);

  auto &Target = P.input<uint32_t>(4);
  auto &Result = P.output<uint32_t>(ResultWords);
  for (int I = 0; I < 4; ++I)
    Target[I] = Digest[I];

  P.launch("md5hash", {ceilDiv(Threads, BlockSize)}, {BlockSize}, Target,
           Result, Threads, Alphabet);

  P.verify(ResultWords, ResultWords, 0, [&, Wanted](size_t I, Checker &C) {
    C.equal(Result[I], I == 0 ? Wanted : Target[I - 1]);
  });
}
