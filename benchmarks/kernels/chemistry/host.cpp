//===- host.cpp - chemistry source term: input and reference --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"
#include <utility>

using namespace bench;

namespace {
struct Row {
  unsigned Left[2], Right[2];
  double LnA, Beta, Activation, Entropy, Enthalpy;
};

template <unsigned... R>
std::vector<Row> tabulate(std::integer_sequence<unsigned, R...>) {
  return {{{Reaction<R>::A, Reaction<R>::B},
           {Reaction<R>::C, Reaction<R>::D},
           Reaction<R>::LnA,
           Reaction<R>::Beta,
           Reaction<R>::Activation,
           Reaction<R>::Entropy,
           Reaction<R>::Enthalpy}...};
}
} // namespace

void bench::describe(Problem &P) {
  const int Cells = P.quick() ? 1024 : 1 << 18;
  auto &Temperature = P.uniform<double>(Cells, 0, 800, 2500);
  auto &Concentration = P.uniform<double>(size_t(Species) * Cells, 1, 0, 1);
  auto &Source = P.output<double>(size_t(Species) * Cells);

  P.launch("chemistry", {ceilDiv(Cells, BlockSize)}, {BlockSize}, Temperature,
           Concentration, Source, Cells);

  const auto Table =
      tabulate(std::make_integer_sequence<unsigned, Reactions>());
  P.verify(Cells, 5000, 1e-11,
           [=, &Temperature, &Concentration, &Source](size_t Cell, Checker &C) {
             long double Rate[Species] = {}, T = Temperature[Cell];
             for (const Row &R : Table) {
               long double Forward = std::exp((long double)R.LnA) *
                                     std::pow(T, (long double)R.Beta) *
                                     std::exp(-R.Activation / T);
               long double Backward =
                   Forward / std::exp(R.Entropy - R.Enthalpy / T);
               for (int I = 0; I < 2; ++I) {
                 Forward *= Concentration[size_t(R.Left[I]) * Cells + Cell];
                 Backward *= Concentration[size_t(R.Right[I]) * Cells + Cell];
               }
               for (int I = 0; I < 2; ++I) {
                 Rate[R.Left[I]] -= Forward - Backward;
                 Rate[R.Right[I]] += Forward - Backward;
               }
             }
             for (int S = 0; S < Species; ++S)
               C.close(Source[size_t(S) * Cells + Cell], double(Rate[S]), 10.0);
           });
}
