//===- host.cpp - Heston model: input and reference -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

/// Philox-4x32-10 of the counter (\p C0, \p C1, 0, 0) and the key (\p K0, 0).
static std::array<uint32_t, 4> philox(uint32_t C0, uint32_t C1, uint32_t K0) {
  std::array<uint32_t, 4> C = {C0, C1, 0, 0};
  uint32_t Key[2] = {K0, 0};
  for (int Round = 0; Round < PhiloxRounds; ++Round) {
    uint64_t A = uint64_t(PhiloxM0) * C[0], B = uint64_t(PhiloxM1) * C[2];
    C = {uint32_t(B >> 32) ^ C[1] ^ Key[0], uint32_t(B),
         uint32_t(A >> 32) ^ C[3] ^ Key[1], uint32_t(A)};
    Key[0] += PhiloxW0;
    Key[1] += PhiloxW1;
  }
  return C;
}

void bench::describe(Problem &P) {
  const int Paths = P.quick() ? 1024 : 1 << 20;
  const unsigned Seed = unsigned(P.random(0).bits(0));
  auto &Parameters = P.input<float>(5);
  auto &Payoffs = P.output<float>(size_t(Strikes) * Paths);
  // The variance stays positive: 2 kappa theta is well above sigma^2.
  const float Model[5] = {3.0f, 0.09f, 0.25f, -0.6f, 0.03f};
  for (int I = 0; I < 5; ++I)
    Parameters[I] = Model[I];

  P.launch("heston", {ceilDiv(Paths, BlockSize)}, {BlockSize}, Parameters,
           Payoffs, Paths, Seed);

  P.verify(Paths, 5000, 1e-4, [=, &Payoffs](size_t T, Checker &C) {
    const double Kappa = Model[0], Theta = Model[1], Sigma = Model[2];
    const double Rho = Model[3], Rate = Model[4], H = TimeStep;
    double X[2] = {0, 0}, V[2] = {Theta, Theta};
    for (int Step = 0; Step < Steps; ++Step) {
      auto Bits = philox(uint32_t(T), uint32_t(Step / 2 * 2), Seed);
      double U = ((Bits[Step % 2 * 2] >> 8) + 0.5) / 16777216;
      double Angle = 2 * M_PI * (Bits[Step % 2 * 2 + 1] >> 8) / 16777216;
      double Z0 = std::sqrt(-2 * std::log(U)) * std::cos(Angle);
      double Z1 = std::sqrt(-2 * std::log(U)) * std::sin(Angle);
      Z1 = Rho * Z0 + std::sqrt(1 - Rho * Rho) * Z1;
      for (int I = 0; I < 2; ++I) {
        double Sign = I ? -1 : 1, Positive = std::max(V[I], 0.0);
        X[I] += (Rate - Positive / 2) * H + std::sqrt(Positive * H) * Sign * Z0;
        V[I] += Kappa * (Theta - Positive) * H +
                Sigma * std::sqrt(Positive * H) * Sign * Z1;
      }
    }
    for (int K = 0; K < Strikes; ++K) {
      double Strike = double(LowestStrike) + K * double(StrikeStep);
      C.close(Payoffs[size_t(K) * Paths + T],
              (std::max(std::exp(X[0]) - Strike, 0.0) +
               std::max(std::exp(X[1]) - Strike, 0.0)) /
                  2,
              1.0);
    }
  });
}
