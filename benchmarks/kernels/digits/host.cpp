//===- host.cpp - counts behind a guard: input and reference --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 20;
  const int Steps = P.quick() ? 16 : 64;
  auto &In = P.input<int>(size_t(Count) * Steps);
  auto &Out = P.output<unsigned long long>(size_t(Count) * Kinds);
  Random R = P.random(0);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = int(R.unit(I) * 14) - 2;

  P.launch("digits", {unsigned(Count / BlockSize)}, {BlockSize}, In, Out, Count,
           Steps);

  P.verify(Count, 1000, 0, [=, &In, &Out](size_t T, Checker &C) {
    unsigned long long Seen[Kinds];
    for (int K = 0; K < Kinds; ++K)
      Seen[K] = K;
    for (int S = 0; S < Steps; ++S) {
      int K = In[size_t(S) * Count + T];
      if (K >= 0 && K < Kinds)
        Seen[K] = Seen[K] * 3 + S;
    }
    for (int K = 0; K < Kinds; ++K)
      C.equal(Out[size_t(K) * Count + T], Seen[K]);
  });
}
