//===- kernel.cu - Winograd convolution -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 3x3 convolution by Winograd's minimal filtering F(4x4, 3x3) (Lavin and Gray,
// "Fast Algorithms for Convolutional Neural Networks", 2016). A thread has one
// tile of the output and one filter: for each channel it transforms a 6x6
// window and multiplies it with the transformed filter, which is the same for
// the block. No padding: the output is smaller than the input.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

/// B^T d for one column or row of six.
__device__ __forceinline__ void windowTransform(float &D0, float &D1, float &D2,
                                                float &D3, float &D4,
                                                float &D5) {
  float A = D4 - 4 * D2, B = D3 - 4 * D1, C = D4 - D2, D = 2 * (D3 - D1);
  float First = 4 * D0 - 5 * D2 + D4, Last = 4 * D1 - 5 * D3 + D5;
  D0 = First;
  D1 = A + B;
  D2 = A - B;
  D3 = C + D;
  D4 = C - D;
  D5 = Last;
}

/// A^T m for one column or row of six: the first four hold the result.
__device__ __forceinline__ void outputTransform(float &M0, float &M1, float &M2,
                                                float &M3, float M4, float M5) {
  float A = M1 + M2, B = M1 - M2, C = M3 + M4, D = M3 - M4;
  M0 = M0 + A + C;
  M1 = B + 2 * D;
  M2 = A + 4 * C;
  M3 = B + 8 * D + M5;
}

BENCH_KERNEL(BlockSize)
winograd(const float *__restrict__ Image, const float *__restrict__ Filters36,
         float *__restrict__ Result, int Width, int Height, int TilesX,
         int TilesY) {
  int Tile = blockIdx.x * BlockSize + threadIdx.x, F = blockIdx.y;
  if (Tile >= TilesX * TilesY)
    return;
  int X = Tile % TilesX * Output, Y = Tile / TilesX * Output;
  float Sum[Window][Window] = {};

#pragma unroll 1
  for (int C = 0; C < Channels; ++C) {
    const float *From = Image + (C * Height + Y) * Width + X;
    const float *With = Filters36 + (F * Channels + C) * Window * Window;
    float D[Window][Window];
#pragma unroll
    for (int I = 0; I < Window; ++I)
#pragma unroll
      for (int J = 0; J < Window; ++J)
        D[I][J] = From[I * Width + J];
#pragma unroll
    for (int J = 0; J < Window; ++J)
      windowTransform(D[0][J], D[1][J], D[2][J], D[3][J], D[4][J], D[5][J]);
#pragma unroll
    for (int I = 0; I < Window; ++I)
      windowTransform(D[I][0], D[I][1], D[I][2], D[I][3], D[I][4], D[I][5]);
#pragma unroll
    for (int I = 0; I < Window; ++I)
#pragma unroll
      for (int J = 0; J < Window; ++J)
        Sum[I][J] += D[I][J] * With[I * Window + J];
  }

#pragma unroll
  for (int J = 0; J < Window; ++J)
    outputTransform(Sum[0][J], Sum[1][J], Sum[2][J], Sum[3][J], Sum[4][J],
                    Sum[5][J]);
  int OutWidth = TilesX * Output;
  float *To = Result + (F * TilesY * Output + Y) * OutWidth + X;
#pragma unroll
  for (int I = 0; I < Output; ++I) {
    outputTransform(Sum[I][0], Sum[I][1], Sum[I][2], Sum[I][3], Sum[I][4],
                    Sum[I][5]);
#pragma unroll
    for (int J = 0; J < Output; ++J)
      To[I * OutWidth + J] = Sum[I][J];
  }
}

BENCH_EXPORT(winograd)
