//===- host.cpp - small systems of equations: input and reference ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Systems = P.quick() ? 256 : 1 << 19;
  auto &Matrix = P.input<double>(size_t(Systems) * Rows * Rows);
  auto &Right = P.input<double>(size_t(Systems) * Rows);
  auto &Out = P.output<double>(size_t(Systems) * Rows);
  Random R = P.random(0), S = P.random(1);
  for (size_t I = 0; I < Matrix.size(); ++I)
    Matrix[I] = R.unit(I) - 0.5;
  for (size_t I = 0; I < Right.size(); ++I)
    Right[I] = S.unit(I);

  P.launch("pivot5", {unsigned(Systems / BlockSize)}, {BlockSize}, Matrix,
           Right, Out, Systems);

  // What is left over counts: a nearly singular system has no exact solution.
  P.verify(Systems, 1000, 1e-9,
           [=, &Matrix, &Right, &Out](size_t T, Checker &C) {
             for (int I = 0; I < Rows; ++I) {
               double Sum = 0, Scale = 1;
               for (int J = 0; J < Rows; ++J) {
                 double Part = Matrix[size_t(I * Rows + J) * Systems + T] *
                               Out[size_t(J) * Systems + T];
                 Sum += Part;
                 Scale = std::max(Scale, std::fabs(Part));
               }
               C.close(Sum, Right[size_t(I) * Systems + T], Scale);
             }
           });
}
