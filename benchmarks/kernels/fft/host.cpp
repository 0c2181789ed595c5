//===- host.cpp - batched small Fourier transforms: input and reference ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Problem.h"
#include "params.h"
#include <complex>

using namespace bench;

namespace {
struct Pair {
  float Re, Im;
};
} // namespace

void bench::describe(Problem &P) {
  const int Batch = P.quick() ? 1024 : (1 << 24) / Points;
  auto &Input = P.input<Pair>(size_t(Batch) * Points);
  auto &Output = P.output<Pair>(size_t(Batch) * Points);
  Random Value = P.random(0);
  parallelFor(Input.size(), [&](size_t Begin, size_t End) {
    for (size_t I = Begin; I < End; ++I)
      Input[I] = {float(Value.uniform(2 * I, -1, 1)),
                  float(Value.uniform(2 * I + 1, -1, 1))};
  });

  P.launch("fft", {ceilDiv(Batch, BlockSize)}, {BlockSize}, Input, Output,
           Batch);

  P.verify(Batch, 5000, 1e-6, [=, &Input, &Output](size_t T, Checker &C) {
    const double Turn = -2 * std::acos(-1.0) / Points;
    for (int K = 0; K < Points; ++K) {
      std::complex<double> Sum = 0;
      for (int I = 0; I < Points; ++I) {
        const Pair &X = Input[size_t(I) * Batch + T];
        Sum += std::complex<double>(X.Re, X.Im) *
               std::polar(1.0, Turn * (I * K % Points));
      }
      const Pair &Got = Output[size_t(K) * Batch + T];
      C.close(Got.Re, Sum.real(), 4.0);
      C.close(Got.Im, Sum.imag(), 4.0);
    }
  });
}
