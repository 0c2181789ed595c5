//===- host.cpp - batched eigenproblems: input and reference --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Matrices = P.quick() ? 1024 : 1 << 19;
  auto &Input = P.uniform<float>(size_t(Matrices) * Entries, 0, -1, 1);
  auto &Values = P.output<float>(size_t(Matrices) * Size);
  auto &Vectors = P.output<float>(size_t(Matrices) * Size * Size);

  P.launch("jacobi6", {ceilDiv(Matrices, BlockSize)}, {BlockSize}, Input,
           Values, Vectors, Matrices);

  // The reference multiplies: A v = lambda v, and V is orthogonal.
  P.verify(
      Matrices, 20000, 1e-5,
      [=, &Input, &Values, &Vectors](size_t T, Checker &C) {
        auto Vector = [&](int Row, int Column) {
          return double(Vectors[size_t(Row * Size + Column) * Matrices + T]);
        };
        for (int Column = 0; Column < Size; ++Column) {
          for (int Row = 0; Row < Size; ++Row) {
            double Product = 0;
            for (int K = 0; K < Size; ++K) {
              int High = std::max(Row, K), Low = std::min(Row, K);
              Product +=
                  double(Input[size_t(High * (High + 1) / 2 + Low) * Matrices +
                               T]) *
                  Vector(K, Column);
            }
            C.close(Product,
                    Values[size_t(Column) * Matrices + T] * Vector(Row, Column),
                    2.0);
          }
          for (int Other = 0; Other < Size; ++Other) {
            double Product = 0;
            for (int K = 0; K < Size; ++K)
              Product += Vector(K, Column) * Vector(K, Other);
            C.close(Product, Column == Other, 1.0);
          }
        }
      });
}
