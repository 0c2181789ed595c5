//===- kernel.cu - Black-Scholes prices -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Call and put of European options (Black and Scholes, 1973), one pair a
// thread, with the error function of the library. A control: it needs few
// registers.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
blackscholes(const float *__restrict__ Prices,
             const float *__restrict__ Strikes, const float *__restrict__ Years,
             float *__restrict__ Calls, float *__restrict__ Puts, int Options) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Options)
    return;
  float S = Prices[T], X = Strikes[T], Y = Years[T];
  float Root = Volatility * sqrtf(Y);
  float D1 = (logf(S / X) + (Rate + 0.5f * Volatility * Volatility) * Y) / Root;
  float D2 = D1 - Root;
  float N1 = 0.5f * erfcf(-0.70710678f * D1);
  float N2 = 0.5f * erfcf(-0.70710678f * D2);
  float Later = X * expf(-Rate * Y);
  Calls[T] = S * N1 - Later * N2;
  Puts[T] = Later * (1.0f - N2) - S * (1.0f - N1);
}

BENCH_EXPORT(blackscholes)
