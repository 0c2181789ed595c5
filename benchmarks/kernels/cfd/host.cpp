//===- host.cpp - fluxes of the Euler equations: input and reference ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

/// Conserved variables and their flux in each direction.
struct Gas {
  double U[Variables];
  double F[Variables][3];
  double Pressure, WaveSpeed;

  explicit Gas(const double (&State)[Variables]) {
    double Speed2 = 0;
    for (int V = 0; V < Variables; ++V)
      U[V] = State[V];
    for (int D = 0; D < 3; ++D)
      Speed2 += U[1 + D] * U[1 + D] / (U[0] * U[0]);
    Pressure = 0.4 * (U[4] - 0.5 * U[0] * Speed2);
    WaveSpeed = std::sqrt(Speed2) + std::sqrt(1.4 * Pressure / U[0]);
    for (int D = 0; D < 3; ++D) {
      double Velocity = U[1 + D] / U[0];
      for (int V = 0; V < Variables; ++V)
        F[V][D] = Velocity * U[V];
      F[1 + D][D] += Pressure;
      F[4][D] += Velocity * Pressure;
    }
  }
};

void bench::describe(Problem &P) {
  const int Cells = P.quick() ? 1920 : 192 * 8192;
  const int Reach = P.quick() ? 100 : 4096; // how far neighbours lie apart
  auto &Neighbour = P.input<int32_t>(size_t(Neighbours) * Cells);
  auto &Normals = P.uniform<float>(size_t(Neighbours) * 3 * Cells, 0, -1, 1);
  auto &State = P.input<float>(size_t(Variables) * Cells);
  auto &Fluxes = P.output<float>(size_t(Variables) * Cells);
  Random Offset = P.random(1), Kind = P.random(2), Value = P.random(3);
  for (size_t I = 0; I < Neighbour.size(); ++I) {
    double K = Kind.unit(I);
    int Shift = int(Offset.below(I, 2 * Reach + 1)) - Reach;
    int Other = std::clamp(int(I % Cells) + Shift, 0, Cells - 1);
    Neighbour[I] = K < 0.01 ? Wing : K < 0.02 ? FarField : Other;
  }
  for (int I = 0; I < Cells; ++I) {
    State[I] = float(Value.uniform(I * 5ull, 0.8, 1.6));
    for (int D = 1; D < 4; ++D)
      State[size_t(D) * Cells + I] =
          float(Value.uniform(I * 5ull + D, -1.2, 1.2));
    State[size_t(4) * Cells + I] = float(Value.uniform(I * 5ull + 4, 4, 6));
  }

  P.launch("cfd", {ceilDiv(Cells, BlockSize)}, {BlockSize}, Neighbour, Normals,
           State, Fluxes, Cells);

  P.verify(Cells, 50000, 1e-5, [&, Cells](size_t I, Checker &C) {
    auto Load = [&](size_t Index) {
      double U[Variables];
      for (int V = 0; V < Variables; ++V)
        U[V] = State[size_t(V) * Cells + Index];
      return Gas(U);
    };
    const Gas Own = Load(I);
    const double FarState[Variables] = {1.4, 1.68, 0, 0, 3.508};
    const Gas Far(FarState);
    double Sum[Variables] = {};
    for (int J = 0; J < Neighbours; ++J) {
      double N[3], Length = 0;
      for (int D = 0; D < 3; ++D) {
        N[D] = Normals[size_t(J * 3 + D) * Cells + I];
        Length += N[D] * N[D];
      }
      Length = std::sqrt(Length);
      int Other = Neighbour[size_t(J) * Cells + I];
      const Gas Beyond = Other >= 0 ? Load(Other) : Far;
      for (int V = 0; V < Variables; ++V) {
        if (Other == Wing) {
          Sum[V] += V >= 1 && V <= 3 ? N[V - 1] * Own.Pressure : 0;
          continue;
        }
        for (int D = 0; D < 3; ++D)
          Sum[V] += 0.5 * N[D] * (Own.F[V][D] + Beyond.F[V][D]);
        if (Other >= 0)
          Sum[V] -= 0.1 * Length * (Own.WaveSpeed + Beyond.WaveSpeed) *
                    (Own.U[V] - Beyond.U[V]);
      }
    }
    for (int V = 0; V < Variables; ++V)
      C.close(Fluxes[size_t(V) * Cells + I], Sum[V], 10.0);
  });
}
