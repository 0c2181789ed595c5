//===- host.cpp - mixing loop: input and reference ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const unsigned Threads = P.quick() ? 4096 : 1 << 19;
  auto &Seeds = P.bits<uint32_t>(Threads, 0);
  auto &Result = P.output<uint32_t>(Threads);

  P.launch("mix64", {Threads / BlockSize}, {BlockSize}, Seeds, Result);

  P.verify(Threads, 10000, 0, [&](size_t T, Checker &C) {
    std::vector<uint32_t> V{Seeds[T]};
    while (V.size() < Values)
      V.push_back(V.back() * 1664525u + 1013904223u);
    for (int Step = 0; Step < Rounds * Values; ++Step) {
      uint64_t Mixed = V[Step % Values] ^ V[(Step + 17) % Values];
      V[Step % Values] =
          uint32_t(Mixed << 7 | Mixed >> 25) + V[(Step + 41) % Values];
    }
    uint32_t Folded = 0;
    for (uint32_t Word : V)
      Folded = Folded * 31 + Word;
    C.equal(Result[T], Folded);
  });
}
