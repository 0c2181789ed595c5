//===- kernel.cu - chemistry source term ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Net production rates of 32 species in 64 reversible reactions, per cell of a
// reacting-flow solver, in double precision. The mechanism is known at compile
// time and everything is unrolled, as in the code that mechanism compilers
// write: 32 concentrations and 32 rates are live at once.
// Species s of cell c is at s * Cells + c.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

template <unsigned R>
__device__ __forceinline__ void react(double LnT, double InverseT,
                                      const double (&C)[Species],
                                      double (&Rate)[Species]) {
  using Rx = Reaction<R>;
  constexpr double LnA = Rx::LnA, Beta = Rx::Beta;
  constexpr double Activation = Rx::Activation, Entropy = Rx::Entropy;
  constexpr double Enthalpy = Rx::Enthalpy;
  double Forward = exp(LnA + Beta * LnT - Activation * InverseT);
  double Backward = Forward * exp(Enthalpy * InverseT - Entropy);
  double Progress =
      Forward * C[Rx::A] * C[Rx::B] - Backward * C[Rx::C] * C[Rx::D];
  Rate[Rx::A] -= Progress;
  Rate[Rx::B] -= Progress;
  Rate[Rx::C] += Progress;
  Rate[Rx::D] += Progress;
  if constexpr (R + 1 < Reactions)
    react<R + 1>(LnT, InverseT, C, Rate);
}

BENCH_KERNEL(BlockSize)
chemistry(const double *__restrict__ Temperature,
          const double *__restrict__ Concentration, double *__restrict__ Source,
          int Cells) {
  int Cell = blockIdx.x * BlockSize + threadIdx.x;
  if (Cell >= Cells)
    return;
  double T = Temperature[Cell];
  double C[Species], Rate[Species];
#pragma unroll
  for (int S = 0; S < Species; ++S) {
    C[S] = Concentration[S * Cells + Cell];
    Rate[S] = 0.0;
  }
  react<0>(log(T), 1.0 / T, C, Rate);
#pragma unroll
  for (int S = 0; S < Species; ++S)
    Source[S * Cells + Cell] = Rate[S];
}

BENCH_EXPORT(chemistry)
