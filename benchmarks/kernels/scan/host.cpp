//===- host.cpp - prefix sums: input and reference ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Blocks = P.quick() ? 16 : 1 << 15;
  auto &From = P.bits<uint32_t>(size_t(Blocks) * PerBlock, 0);
  auto &To = P.output<uint32_t>(size_t(Blocks) * PerBlock);

  for (int I = 0; I < 4; ++I) // one launch is short
    P.launch("scan", {unsigned(Blocks)}, {BlockSize}, From, To);

  P.verify(Blocks, 2000, 0, [&](size_t Block, Checker &C) {
    uint32_t Sum = 0;
    for (size_t I = Block * PerBlock; I < (Block + 1) * PerBlock; ++I) {
      Sum += From[I];
      C.equal(To[I], Sum);
    }
  });
}
