//===- host.cpp - small inverses: input and reference ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 20;
  const size_t Words = size_t(Rows) * Rows;
  auto &In = P.input<float>(Words * Count);
  auto &Out = P.output<float>(Words * Count);
  Random R = P.random(0);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = float(R.uniform(I, -1, 1));

  P.launch("inverse4", {unsigned(Count / BlockSize)}, {BlockSize}, In, Out,
           Count);

  // The product with the matrix is one; a nearly singular one is inexact.
  P.verify(Count, 1000, 1e-4, [=, &In, &Out](size_t T, Checker &C) {
    auto At = [&](auto &M, int I, int J) {
      return double(M[size_t(I * Rows + J) * Count + T]);
    };
    double Large = 1;
    for (int I = 0; I < Rows * Rows; ++I)
      Large = std::max(Large, std::fabs(At(Out, I / Rows, I % Rows)));
    for (int I = 0; I < Rows; ++I)
      for (int J = 0; J < Rows; ++J) {
        double Sum = 0;
        for (int K = 0; K < Rows; ++K)
          Sum += At(In, I, K) * At(Out, K, J);
        C.close(Sum, I == J ? 1.0 : 0.0, Large);
      }
  });
}
