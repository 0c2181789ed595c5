//===- host.cpp - cubic pieces by value: input and reference --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 20;
  const int Steps = P.quick() ? 4 : 32;
  auto &In = P.input<float>(size_t(Count) * Steps);
  auto &Out = P.output<float>(size_t(Count) * Steps);
  Random R = P.random(0), S = P.random(1);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = float(R.unit(I) * Pieces);
  Curve C;
  C.Scale = 3;
  for (int K = 0; K < Pieces; ++K) {
    C.Start[K] = float(K + 0.5 * S.unit(K) * (K > 0));
    for (int J = 0; J < 4; ++J)
      C.Factor[K][J] = float(S.uniform(8 + 4 * K + J, -1, 1));
  }

  P.launch("segments", {unsigned(Count / BlockSize)}, {BlockSize}, C, In, Out,
           Count, Steps);

  P.verify(In.size(), 1000, 1e-5, [=, &In, &Out](size_t I, Checker &Check) {
    int At = Pieces - 1;
    while (At > 0 && In[I] < C.Start[At])
      --At;
    double D = double(In[I]) - C.Start[At], Y = 0, Power = 1;
    for (int J = 0; J < 4; ++J) {
      Y += C.Factor[At][J] * Power;
      Power *= D;
    }
    Check.close(Out[I], Y * 1.5, 8);
  });
}
