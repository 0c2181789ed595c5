//===- kernel.cu - an ensemble of ordinary differential equations ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Lorenz-96 system (Lorenz, "Predictability", 1996) with ten variables and
// a forcing of its own in each thread, integrated with the fifth-order method
// of Dormand and Prince (1980): the state and up to five stages are live.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// D = dY/dt with dy_i/dt = (y_(i+1) - y_(i-2)) y_(i-1) - y_i + F.
__device__ __forceinline__ void
derivative(const float (&Y)[Variables], float Forcing, float (&D)[Variables]) {
#pragma unroll
  for (int I = 0; I < Variables; ++I)
    D[I] = (Y[(I + 1) % Variables] - Y[(I + Variables - 2) % Variables]) *
               Y[(I + Variables - 1) % Variables] -
           Y[I] + Forcing;
}

BENCH_KERNEL(BlockSize)
rk_ode(const float *__restrict__ Initial, const float *__restrict__ Forcings,
       float *__restrict__ Final, int Systems) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Systems)
    return;
  constexpr float H = StepSize;
  float Forcing = Forcings[T];
  float Y[Variables], S[Variables];
  float K1[Variables], K2[Variables], K3[Variables];
  float K4[Variables], K5[Variables], K6[Variables];
#pragma unroll
  for (int I = 0; I < Variables; ++I)
    Y[I] = Initial[I * Systems + T];

#pragma unroll 1
  for (int Step = 0; Step < Steps; ++Step) {
    derivative(Y, Forcing, K1);
#pragma unroll
    for (int I = 0; I < Variables; ++I)
      S[I] = Y[I] + H * (1.0f / 5) * K1[I];
    derivative(S, Forcing, K2);
#pragma unroll
    for (int I = 0; I < Variables; ++I)
      S[I] = Y[I] + H * (3.0f / 40 * K1[I] + 9.0f / 40 * K2[I]);
    derivative(S, Forcing, K3);
#pragma unroll
    for (int I = 0; I < Variables; ++I)
      S[I] = Y[I] +
             H * (44.0f / 45 * K1[I] - 56.0f / 15 * K2[I] + 32.0f / 9 * K3[I]);
    derivative(S, Forcing, K4);
#pragma unroll
    for (int I = 0; I < Variables; ++I)
      S[I] = Y[I] + H * (19372.0f / 6561 * K1[I] - 25360.0f / 2187 * K2[I] +
                         64448.0f / 6561 * K3[I] - 212.0f / 729 * K4[I]);
    derivative(S, Forcing, K5);
#pragma unroll
    for (int I = 0; I < Variables; ++I)
      S[I] = Y[I] + H * (9017.0f / 3168 * K1[I] - 355.0f / 33 * K2[I] +
                         46732.0f / 5247 * K3[I] + 49.0f / 176 * K4[I] -
                         5103.0f / 18656 * K5[I]);
    derivative(S, Forcing, K6);
#pragma unroll
    for (int I = 0; I < Variables; ++I)
      Y[I] += H * (35.0f / 384 * K1[I] + 500.0f / 1113 * K3[I] +
                   125.0f / 192 * K4[I] - 2187.0f / 6784 * K5[I] +
                   11.0f / 84 * K6[I]);
  }

#pragma unroll
  for (int I = 0; I < Variables; ++I)
    Final[I * Systems + T] = Y[I];
}

BENCH_EXPORT(rk_ode)
