//===- host.cpp - batched QR solves: input and reference ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Systems = P.quick() ? 512 : 1 << 17;
  auto &Matrices = P.uniform<float>(size_t(Systems) * Size * Size, 0, -1, 1);
  auto &Rhs = P.uniform<float>(size_t(Systems) * Size, 1, -1, 1);
  auto &Solutions = P.output<float>(size_t(Systems) * Size);
  for (int I = 0; I < Size; ++I) // well conditioned
    for (int T = 0; T < Systems; ++T)
      Matrices[size_t(I * Size + I) * Systems + T] += 6;

  P.launch("qr16", {ceilDiv(Systems, BlockSize)}, {BlockSize}, Matrices, Rhs,
           Solutions, Systems);

  // The reference multiplies: A x, with the computed x, must give b.
  P.verify(Systems, 10000, 1e-5, [&, Systems](size_t T, Checker &C) {
    for (int I = 0; I < Size; ++I) {
      double Product = 0;
      for (int J = 0; J < Size; ++J)
        Product += double(Matrices[size_t(I * Size + J) * Systems + T]) *
                   Solutions[size_t(J) * Systems + T];
      C.close(Product, Rhs[size_t(I) * Systems + T], 1.0);
    }
  });
}
