//===- kernel.cu - batched small Fourier transforms -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One complex Fourier transform of 16 or 32 points a thread, radix two,
// decimation in time, all points in registers. Point p of transform t is at
// p * Batch + t.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// cos(2 pi K / 32) for 0 <= K <= 16.
__device__ __forceinline__ float cosine(int K) {
  const float Quadrant[9] = {1.0f,         0.980785280f, 0.923879533f,
                             0.831469612f, 0.707106781f, 0.555570233f,
                             0.382683432f, 0.195090322f, 0.0f};
  return K <= 8 ? Quadrant[K] : -Quadrant[16 - K];
}

__device__ __forceinline__ float sine(int K) {
  return cosine(K <= 8 ? 8 - K : K - 8);
}

__device__ __forceinline__ int reverseBits(int X) {
  int Result = 0;
#pragma unroll
  for (int I = 0; I < LogPoints; ++I)
    Result |= (X >> I & 1) << (LogPoints - 1 - I);
  return Result;
}

BENCH_KERNEL(BlockSize)
fft(const float2 *__restrict__ Input, float2 *__restrict__ Output, int Batch) {
  int T = blockIdx.x * BlockSize + threadIdx.x;
  if (T >= Batch)
    return;
  float2 A[Points];
#pragma unroll
  for (int I = 0; I < Points; ++I)
    A[I] = Input[reverseBits(I) * Batch + T];

#pragma unroll
  for (int Stage = 0; Stage < LogPoints; ++Stage) {
    const int Half = 1 << Stage;
#pragma unroll
    for (int J = 0; J < Points / 2; ++J) {
      const int Low = (J >> Stage << (Stage + 1)) + J % Half;
      const int Angle = (J % Half) * (16 >> Stage); // in units of 2 pi / 32
      float Re = cosine(Angle), Im = -sine(Angle);
      float2 X = A[Low], Y = A[Low + Half];
      float2 Turned = make_float2(Y.x * Re - Y.y * Im, Y.x * Im + Y.y * Re);
      A[Low] = make_float2(X.x + Turned.x, X.y + Turned.y);
      A[Low + Half] = make_float2(X.x - Turned.x, X.y - Turned.y);
    }
  }

#pragma unroll
  for (int I = 0; I < Points; ++I)
    Output[I * Batch + T] = A[I];
}

BENCH_EXPORT(fft)
