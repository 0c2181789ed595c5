//===- host.cpp - recursive Gaussian filter: input and reference ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Width = P.quick() ? 128 : 32768;
  const int Height = P.quick() ? 64 : 1024;
  const double Sigma = 10;
  // Deriche's smoothing filter of order zero.
  const double Alpha = 1.695 / Sigma, E1 = std::exp(-Alpha), E2 = E1 * E1;
  const double K = (1 - E1) * (1 - E1) / (1 + 2 * Alpha * E1 - E2);
  const double A0 = K, A1 = K * (Alpha - 1) * E1, A2 = K * (Alpha + 1) * E1;
  const double A3 = -K * E2, B1 = -2 * E1, B2 = E2;
  const double CausalGain = (A0 + A1) / (1 + B1 + B2);
  const double AnticausalGain = (A2 + A3) / (1 + B1 + B2);

  auto &Input = P.bits<uint32_t>(size_t(Width) * Height, 0);
  auto &Output = P.output<uint32_t>(size_t(Width) * Height);

  P.launch("gaussian", {ceilDiv(Width, BlockSize)}, {BlockSize}, Input, Output,
           Width, Height, float(A0), float(A1), float(A2), float(A3), float(B1),
           float(B2), float(CausalGain), float(AnticausalGain));

  // The kernel rounds twice to bytes, this reference never: the results may
  // lie one level and a rounding apart.
  P.verify(Width, 200, 1.1 / 255, [=, &Input, &Output](size_t X, Checker &C) {
    for (int Channel = 0; Channel < 4; ++Channel) {
      std::vector<double> In(Height), Sum(Height);
      for (int Y = 0; Y < Height; ++Y)
        In[Y] = (Input[size_t(Y) * Width + X] >> 8 * Channel & 255) / 255.0;
      for (int Y = 0; Y < Height; ++Y) {
        auto Before = [&](const std::vector<double> &V, int D, double Edge) {
          return Y >= D ? V[Y - D] : Edge;
        };
        double Steady = In[0] * CausalGain;
        Sum[Y] = A0 * In[Y] + A1 * Before(In, 1, In[0]) -
                 B1 * Before(Sum, 1, Steady) - B2 * Before(Sum, 2, Steady);
      }
      double Last = In[Height - 1], X1 = Last, X2 = Last;
      double Y1 = Last * AnticausalGain, Y2 = Y1;
      for (int Y = Height - 1; Y >= 0; --Y) {
        double Y0 = A2 * X1 + A3 * X2 - B1 * Y1 - B2 * Y2;
        Sum[Y] += Y0;
        X2 = X1, X1 = In[Y], Y2 = Y1, Y1 = Y0;
      }
      for (int Y = 0; Y < Height; ++Y)
        C.close((Output[size_t(Y) * Width + X] >> 8 * Channel & 255) / 255.0,
                Sum[Y], 1.0);
    }
  });
}
