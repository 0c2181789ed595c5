//===- kernel.cu - Monte-Carlo paths of the Heston model ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prices of European calls with stochastic volatility (Heston, 1993): Euler
// steps with full truncation, two correlated normal numbers a step from
// Philox's counter-based generator and the Box-Muller transform. One path and
// its mirror image a thread, eight strikes. No launch bounds.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

__device__ __forceinline__ uint4 philox(unsigned C0, unsigned C1, unsigned C2,
                                        unsigned C3, unsigned K0, unsigned K1) {
#pragma unroll
  for (int Round = 0; Round < PhiloxRounds; ++Round) {
    unsigned long long A = (unsigned long long)PhiloxM0 * C0;
    unsigned long long B = (unsigned long long)PhiloxM1 * C2;
    unsigned High = unsigned(B >> 32) ^ C1 ^ K0;
    C2 = unsigned(A >> 32) ^ C3 ^ K1;
    C0 = High, C1 = unsigned(B), C3 = unsigned(A);
    K0 += PhiloxW0, K1 += PhiloxW1;
  }
  return {C0, C1, C2, C3};
}

/// A step of one path: \p X log of the price, \p V variance.
__device__ __forceinline__ void advance(float &X, float &V, float Z0, float Z1,
                                        float Kappa, float Theta, float Sigma,
                                        float Rate) {
  float Positive = fmaxf(V, 0.0f);
  float Root = sqrtf(Positive * TimeStep);
  X += (Rate - 0.5f * Positive) * TimeStep + Root * Z0;
  V += Kappa * (Theta - Positive) * TimeStep + Sigma * Root * Z1;
}

BENCH_KERNEL(BlockSize)
heston(const float *__restrict__ Parameters, float *__restrict__ Payoffs,
       int Paths, unsigned Seed) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Paths)
    return;
  float Kappa = Parameters[0], Theta = Parameters[1], Sigma = Parameters[2];
  float Rho = Parameters[3], Rate = Parameters[4];
  float Rest = sqrtf(1.0f - Rho * Rho);
  float X = 0, V = Theta, MirrorX = 0, MirrorV = Theta;
#pragma unroll 1
  for (int Step = 0; Step < Steps; Step += 2) {
    uint4 Bits = philox(T, Step, 0, 0, Seed, 0);
    unsigned Words[4] = {Bits.x, Bits.y, Bits.z, Bits.w};
#pragma unroll
    for (int I = 0; I < 2; ++I) {
      float U = (float(Words[2 * I] >> 8) + 0.5f) * (1.0f / 16777216);
      float Angle = float(Words[2 * I + 1] >> 8) * (6.2831853f / 16777216);
      float Radius = sqrtf(-2.0f * logf(U));
      float Z0 = Radius * cosf(Angle), Z1 = Radius * sinf(Angle);
      Z1 = Rho * Z0 + Rest * Z1;
      advance(X, V, Z0, Z1, Kappa, Theta, Sigma, Rate);
      advance(MirrorX, MirrorV, -Z0, -Z1, Kappa, Theta, Sigma, Rate);
    }
  }
  float Price = expf(X), MirrorPrice = expf(MirrorX);
#pragma unroll
  for (int K = 0; K < Strikes; ++K) {
    float Strike = LowestStrike + K * StrikeStep;
    Payoffs[K * Paths + T] = 0.5f * (fmaxf(Price - Strike, 0.0f) +
                                     fmaxf(MirrorPrice - Strike, 0.0f));
  }
}

BENCH_EXPORT(heston)
