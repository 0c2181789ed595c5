//===- host.cpp - an ensemble of ODEs: input and reference ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;
using Vector = std::vector<double>;

static Vector derivative(const Vector &Y, double Forcing) {
  Vector D(Variables);
  auto At = [&Y](int I) { return Y[(I + Variables) % Variables]; };
  for (int I = 0; I < Variables; ++I)
    D[I] = (At(I + 1) - At(I - 2)) * At(I - 1) - At(I) + Forcing;
  return D;
}

static Vector add(Vector Y, double Scale, const Vector &D) {
  for (int I = 0; I < Variables; ++I)
    Y[I] += Scale * D[I];
  return Y;
}

void bench::describe(Problem &P) {
  const int Systems = P.quick() ? 1024 : 1 << 20;
  auto &Initial = P.uniform<float>(size_t(Systems) * Variables, 0, -4, 8);
  auto &Forcings = P.uniform<float>(Systems, 1, 6, 10);
  auto &Final = P.output<float>(size_t(Systems) * Variables);

  P.launch("rk_ode", {ceilDiv(Systems, BlockSize)}, {BlockSize}, Initial,
           Forcings, Final, Systems);

  // The classical fourth-order method with a quarter of the step.
  P.verify(Systems, 1000, 2e-5,
           [=, &Initial, &Forcings, &Final](size_t T, Checker &C) {
             Vector Y(Variables);
             const double F = Forcings[T], H = double(StepSize) / 4;
             for (int I = 0; I < Variables; ++I)
               Y[I] = Initial[size_t(I) * Systems + T];
             for (int Step = 0; Step < 4 * Steps; ++Step) {
               Vector K1 = derivative(Y, F);
               Vector K2 = derivative(add(Y, H / 2, K1), F);
               Vector K3 = derivative(add(Y, H / 2, K2), F);
               Vector K4 = derivative(add(Y, H, K3), F);
               for (int I = 0; I < Variables; ++I)
                 Y[I] += H / 6 * (K1[I] + 2 * K2[I] + 2 * K3[I] + K4[I]);
             }
             for (int I = 0; I < Variables; ++I)
               C.close(Final[size_t(I) * Systems + T], Y[I], 10.0);
           });
}
