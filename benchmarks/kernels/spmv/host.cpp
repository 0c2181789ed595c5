//===- host.cpp - sparse matrix times vector: input and reference ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Rows = P.quick() ? 4000 : 3000000;
  const int Reach = 2000; // of a row's entries to both sides
  auto &Columns = P.input<int>(size_t(Rows) * Entries);
  auto &Values = P.uniform<float>(size_t(Rows) * Entries, 1, -1, 1);
  auto &X = P.uniform<float>(Rows, 2, -1, 1);
  auto &Y = P.output<float>(Rows);
  Random Places = P.random(0);
  for (size_t I = 0; I < Columns.size(); ++I) {
    int Shift = int(Places.below(I, 2 * Reach + 1)) - Reach;
    Columns[I] = (int(I % Rows) + Shift + Rows) % Rows;
  }

  P.launch("spmv", {ceilDiv(Rows, BlockSize)}, {BlockSize}, Columns, Values, X,
           Y, Rows);

  P.verify(Rows, 20000, 1e-5, [&, Rows](size_t Row, Checker &C) {
    double Sum = 0, Size = 0;
    for (int I = 0; I < Entries; ++I) {
      size_t At = size_t(I) * Rows + Row;
      double Product = double(Values[At]) * X[Columns[At]];
      Sum += Product;
      Size += std::fabs(Product);
    }
    C.close(Y[Row], Sum, Size);
  });
}
