//===- kernel.cu - recursive Gaussian filter ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deriche's recursive approximation of a Gaussian ("Recursively implementing
// the Gaussian and its derivatives", 1993) on the columns of an RGBA image of
// one byte a channel: a thread runs down its column with the causal filter,
// storing bytes, and up again with the anticausal one, adding to them.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

__device__ __forceinline__ float4 unpack(unsigned Pixel) {
  constexpr float Scale = 1.0f / 255.0f;
  return make_float4((Pixel & 255) * Scale, (Pixel >> 8 & 255) * Scale,
                     (Pixel >> 16 & 255) * Scale, (Pixel >> 24) * Scale);
}

__device__ __forceinline__ unsigned pack(float4 C) {
  unsigned R = unsigned(__saturatef(C.x) * 255.0f + 0.5f);
  unsigned G = unsigned(__saturatef(C.y) * 255.0f + 0.5f);
  unsigned B = unsigned(__saturatef(C.z) * 255.0f + 0.5f);
  unsigned A = unsigned(__saturatef(C.w) * 255.0f + 0.5f);
  return R | G << 8 | B << 16 | A << 24;
}

__device__ __forceinline__ float4 scale(float4 C, float S) {
  return make_float4(C.x * S, C.y * S, C.z * S, C.w * S);
}

/// P X0 + Q X1 - B1 Y1 - B2 Y2, per channel.
__device__ __forceinline__ float4 combine(float P, float4 X0, float Q,
                                          float4 X1, float B1, float4 Y1,
                                          float B2, float4 Y2) {
  return make_float4(P * X0.x + Q * X1.x - B1 * Y1.x - B2 * Y2.x,
                     P * X0.y + Q * X1.y - B1 * Y1.y - B2 * Y2.y,
                     P * X0.z + Q * X1.z - B1 * Y1.z - B2 * Y2.z,
                     P * X0.w + Q * X1.w - B1 * Y1.w - B2 * Y2.w);
}

BENCH_KERNEL(BlockSize)
gaussian(const unsigned *__restrict__ Input, unsigned *__restrict__ Output,
         int Width, int Height, float A0, float A1, float A2, float A3,
         float B1, float B2, float CausalGain, float AnticausalGain) {
  int Column = blockIdx.x * BlockSize + threadIdx.x;
  if (Column >= Width)
    return;
  const unsigned *In = Input + Column;
  unsigned *Out = Output + Column;

  float4 X1 = unpack(*In);
  float4 Y1 = scale(X1, CausalGain), Y2 = Y1;
  for (int Row = 0; Row < Height; ++Row) {
    float4 X0 = unpack(*In);
    float4 Y0 = combine(A0, X0, A1, X1, B1, Y1, B2, Y2);
    *Out = pack(Y0);
    X1 = X0;
    Y2 = Y1;
    Y1 = Y0;
    In += Width;
    Out += Width;
  }

  In -= Width;
  Out -= Width;
  X1 = unpack(*In);
  float4 X2 = X1;
  Y1 = scale(X1, AnticausalGain);
  Y2 = Y1;
  for (int Row = 0; Row < Height; ++Row) {
    float4 X0 = unpack(*In);
    float4 Y0 = combine(A2, X1, A3, X2, B1, Y1, B2, Y2);
    float4 Causal = unpack(*Out);
    *Out = pack(make_float4(Causal.x + Y0.x, Causal.y + Y0.y, Causal.z + Y0.z,
                            Causal.w + Y0.w));
    X2 = X1;
    X1 = X0;
    Y2 = Y1;
    Y1 = Y0;
    In -= Width;
    Out -= Width;
  }
}

BENCH_EXPORT(gaussian)
