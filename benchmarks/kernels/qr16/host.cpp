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
  auto &Matrices = P.input<float>(size_t(Systems) * Size * Size);
  auto &Rhs = P.input<float>(size_t(Systems) * Size);
  auto &Solutions = P.output<float>(size_t(Systems) * Size);
  fillUniform(Matrices, P.random(0), -1, 1);
  fillUniform(Rhs, P.random(1), -1, 1);
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
