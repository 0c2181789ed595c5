//===- host.cpp - softmax attention: input and reference ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Heads = P.quick() ? 2 : 64;
  const int Length = P.quick() ? 128 : 1024;
  const size_t Count = size_t(Heads) * Length * HeadSize;
  auto &Queries = P.uniform<float>(Count, 0, -2, 2);
  auto &Keys = P.uniform<float>(Count, 1, -2, 2);
  auto &Values = P.uniform<float>(Count, 2, -1, 1);
  auto &Out = P.output<float>(Count);

  P.launch("flash", {unsigned(Length / BlockSize), unsigned(Heads)},
           {BlockSize}, Queries, Keys, Values, Out, Length);

  P.verify(size_t(Heads) * Length, 1000, 1e-5,
           [=, &Queries, &Keys, &Values, &Out](size_t Row, Checker &C) {
             const size_t Head = Row / Length * Length;
             std::vector<double> Weight(Length);
             double Total = 0;
             for (int J = 0; J < Length; ++J) {
               double Dot = 0;
               for (int D = 0; D < HeadSize; ++D)
                 Dot += double(Queries[Row * HeadSize + D]) *
                        Keys[(Head + J) * HeadSize + D];
               Weight[J] = std::exp(Dot / std::sqrt(double(HeadSize)));
               Total += Weight[J];
             }
             for (int D = 0; D < HeadSize; ++D) {
               double Sum = 0;
               for (int J = 0; J < Length; ++J)
                 Sum += Weight[J] * Values[(Head + J) * HeadSize + D];
               C.close(Out[Row * HeadSize + D], Sum / Total, 1.0);
             }
           });
}
