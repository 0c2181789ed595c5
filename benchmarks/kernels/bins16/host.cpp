//===- host.cpp - counts of 16 bits: input and reference ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 19;
  const int Rows = P.quick() ? 16 : 256;
  auto &In = P.input<uint32_t>(size_t(Count) * Rows);
  auto &Out = P.output<uint16_t>(size_t(Count) * Kinds);
  Random R = P.random(0);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = uint32_t(R.bits(I));

  P.launch("bins16", {unsigned(Count / BlockSize)}, {BlockSize}, In, Out, Count,
           Rows);

  P.verify(Count, 1000, 0, [=, &In, &Out](size_t T, Checker &C) {
    uint16_t Seen[Kinds] = {};
    for (int Row = 0; Row < Rows; ++Row)
      for (int Byte = 0; Byte < 4; ++Byte)
        ++Seen[In[size_t(Row) * Count + T] / (1u << 8 * Byte) % Kinds];
    for (int K = 0; K < Kinds; ++K)
      C.equal(Out[size_t(K) * Count + T], Seen[K]);
  });
}
