//===- host.cpp - a stirred permutation: input and reference --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"
#include <numeric>
#include <utility>

using namespace bench;

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 20;
  const int Words = P.quick() ? 4 : 16;
  auto &Keys = P.input<unsigned>(size_t(Count) * KeyWords);
  auto &Out = P.output<unsigned>(size_t(Count) * Words);
  Random R = P.random(0);
  for (size_t I = 0; I < Keys.size(); ++I)
    Keys[I] = unsigned(R.bits(I));

  P.launch("stir32", {unsigned(Count / BlockSize)}, {BlockSize}, Keys, Out,
           Count, Words);

  P.verify(Count, 1000, 0, [=, &Keys, &Out](size_t T, Checker &C) {
    unsigned State[States], J = 0;
    std::iota(State, State + States, 0u);
    for (int K = 0; K < States; ++K) {
      unsigned Key = Keys[size_t(K / 4 % KeyWords) * Count + T];
      J = (J + State[K] + (Key >> (8 * (K % 4)))) % States;
      std::swap(State[K], State[J]);
    }
    unsigned I = J = 0;
    for (int W = 0; W < Words; ++W) {
      unsigned Word = 0;
      for (int N = 0; N < PerWord; ++N) {
        I = (I + 1) % States;
        J = (J + State[I]) % States;
        std::swap(State[I], State[J]);
        Word = Word * 32 + State[(State[I] + State[J]) % States];
      }
      C.equal(Out[size_t(W) * Count + T], Word);
    }
  });
}
