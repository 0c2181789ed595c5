//===- host.cpp - smallest of a column: input and reference ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Columns = P.quick() ? 256 : 1 << 19;
  const int Rows = P.quick() ? 64 : 512;
  auto &In = P.input<float>(size_t(Columns) * Rows);
  auto &Out = P.output<float>(size_t(Columns) * Kept);
  Random R = P.random(0);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = float(R.unit(I));

  P.launch("top8", {unsigned(Columns / BlockSize)}, {BlockSize}, In, Out,
           Columns, Rows);

  P.verify(Columns, 1000, 0, [=, &In, &Out](size_t T, Checker &C) {
    std::vector<float> Column;
    for (int Row = 0; Row < Rows; ++Row)
      Column.push_back(In[size_t(Row) * Columns + T]);
    std::sort(Column.begin(), Column.end());
    for (int K = 0; K < Kept; ++K)
      C.equal(Out[size_t(K) * Columns + T], Column[K]);
  });
}
