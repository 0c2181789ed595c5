//===- host.cpp - FFT of eight with twiddles: input and reference ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

struct Complex {
  double X, Y;
};

void bench::describe(Problem &P) {
  const int Count = P.quick() ? 256 : 1 << 20;
  auto &In = P.input<Complex>(size_t(Count) * Points);
  auto &Out = P.output<Complex>(size_t(Count) * Points);
  Random R = P.random(0);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = {R.uniform(2 * I, -1, 1), R.uniform(2 * I + 1, -1, 1)};

  P.launch("twiddle8", {unsigned(Count / BlockSize)}, {BlockSize}, In, Out,
           Count);

  P.verify(Count, 1000, 1e-12, [=, &In, &Out](size_t T, Checker &C) {
    for (int K = 0; K < Points; ++K) {
      Complex Sum = {0, 0};
      for (int J = 0; J < Points; ++J) {
        // Of the transform and of the twiddle that follows it.
        double Turn =
            -TwoPi * K *
            (double(J) / Points + double(T) / (double(Points) * Count));
        Complex V = In[size_t(J) * Count + T];
        Sum.X += V.X * std::cos(Turn) - V.Y * std::sin(Turn);
        Sum.Y += V.X * std::sin(Turn) + V.Y * std::cos(Turn);
      }
      C.close(Out[size_t(K) * Count + T].X, Sum.X, 8);
      C.close(Out[size_t(K) * Count + T].Y, Sum.Y, 8);
    }
  });
}
