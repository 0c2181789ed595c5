//===- host.cpp - batched LU and Cholesky solves: input and reference -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Systems = P.quick() ? 2048 : Size <= 8 ? 1 << 20 : 1 << 19;
  auto &Matrices = P.uniform<float>(size_t(Systems) * Entries, 0, -1, 1);
  auto &Rhs = P.uniform<float>(size_t(Systems) * Size, 1, -1, 1);
  auto &Solutions = P.output<float>(size_t(Systems) * Size);
  for (int I = 0; I < Size; ++I) // dominant, hence also positive definite
    for (int T = 0; T < Systems; ++T)
      Matrices[size_t(ENTRY(I, I)) * Systems + T] += Size + 1;

  P.launch("dense", {ceilDiv(Systems, BlockSize)}, {BlockSize}, Matrices, Rhs,
           Solutions, Systems);

  // The reference multiplies: A x, with the computed x, must give b.
  P.verify(Systems, 20000, 5e-6, [&, Systems](size_t T, Checker &C) {
    for (int I = 0; I < Size; ++I) {
      double Product = 0;
      for (int J = 0; J < Size; ++J) {
        int Row = CHOLESKY ? std::max(I, J) : I;
        int Column = CHOLESKY ? std::min(I, J) : J;
        Product += double(Matrices[size_t(ENTRY(Row, Column)) * Systems + T]) *
                   Solutions[size_t(J) * Systems + T];
      }
      C.close(Product, Rhs[size_t(I) * Systems + T], 1.0);
    }
  });
}
