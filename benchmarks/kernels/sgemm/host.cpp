//===- host.cpp - matrix product: input and reference ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int M = P.quick() ? 128 : 2048;
  const int N = P.quick() ? 256 : 2048;
  const int K = P.quick() ? 48 : 2048;
  auto &A = P.uniform<float>(size_t(M) * K, 0, -1, 1);
  auto &B = P.uniform<float>(size_t(K) * N, 1, -1, 1);
  auto &C = P.output<float>(size_t(M) * N);

  P.launch("sgemm", {unsigned(N / BlockTile), unsigned(M / BlockTile)},
           {BlockSize}, A, B, C, N, K);

  P.verify(size_t(M) * N, 20000, 1e-5, [=, &A, &B, &C](size_t I, Checker &Ch) {
    size_t Row = I / N, Column = I % N;
    double Sum = 0;
    for (int D = 0; D < K; ++D)
      Sum += double(A[Row * K + D]) * B[size_t(D) * N + Column];
    Ch.close(C[I], Sum, std::sqrt(double(K)));
  });
}
