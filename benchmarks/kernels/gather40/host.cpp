//===- host.cpp - random gathers: input and reference ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Threads = P.quick() ? 4096 : 1 << 18;
  const int IndexBits = P.quick() ? 12 : 25; // a table of 128 MB
  auto &Seeds = P.bits<uint32_t>(Threads, 0);
  auto &Table = P.uniform<float>(size_t(1) << IndexBits, 1, 0, 1);
  auto &Result = P.output<float>(Threads);

  P.launch("gather40", {unsigned(Threads / BlockSize)}, {BlockSize}, Seeds,
           Table, Result, IndexBits);

  P.verify(Threads, 20000, 1e-5, [&, IndexBits](size_t T, Checker &C) {
    std::vector<double> Average(Accumulators, 0.0);
    uint32_t Index = Seeds[T];
    for (int Step = 0; Step < Gathers; ++Step) {
      Index = Index * 1664525u + 1013904223u;
      double Value = Table[Index >> (32 - IndexBits)];
      for (int I = 0; I < Accumulators; ++I)
        Average[I] = Average[I] * (0.5 + 0.01 * I) + Value;
    }
    double Sum = 0;
    for (double A : Average)
      Sum = Sum * 0.9 + A;
    C.close(Result[T], Sum, 1.0);
  });
}
