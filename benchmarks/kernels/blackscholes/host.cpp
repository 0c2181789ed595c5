//===- host.cpp - option prices: input and reference ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"

using namespace bench;

void bench::describe(Problem &P) {
  const int Options = P.quick() ? 2048 : 1 << 22;
  auto &Prices = P.uniform<float>(Options, 0, 5, 30);
  auto &Strikes = P.uniform<float>(Options, 1, 1, 100);
  auto &Years = P.uniform<float>(Options, 2, 0.25, 10);
  auto &Calls = P.output<float>(Options);
  auto &Puts = P.output<float>(Options);

  for (int I = 0; I < 4; ++I) // one launch is short
    P.launch("blackscholes", {ceilDiv(Options, BlockSize)}, {BlockSize}, Prices,
             Strikes, Years, Calls, Puts, Options);

  // Prices of the two differ by what the option's right is worth: put-call
  // parity; the call by Simpson's rule over the normal density.
  P.verify(Options, 2000, 5e-6, [&](size_t T, Checker &C) {
    const double S = Prices[T], X = Strikes[T], Y = Years[T];
    const double Root = double(Volatility) * std::sqrt(Y);
    const double Drift =
        (double(Rate) - double(Volatility) * double(Volatility) / 2) * Y;
    const double Discount = std::exp(-double(Rate) * Y);
    // The payoff is zero below the kink.
    const double Kink = (std::log(X / S) - Drift) / Root;
    const double Low = std::min(std::max(Kink, -12.0), 12.0), High = 15;
    const int Pieces = 2000;
    double Sum = 0;
    for (int I = 0; I <= Pieces; ++I) {
      double Z = Low + (High - Low) * I / Pieces;
      double Payoff = std::max(S * std::exp(Drift + Root * Z) - X, 0.0);
      double Density = std::exp(-Z * Z / 2) / std::sqrt(2 * M_PI);
      Sum += (I == 0 || I == Pieces ? 1 : I % 2 ? 4 : 2) * Payoff * Density;
    }
    double Call = Discount * Sum * (High - Low) / Pieces / 3;
    C.close(Calls[T], Call, 30.0);
    C.close(Puts[T], Call - S + X * Discount, 100.0);
  });
}
