//===- kernel.cu - bilateral filter ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Smoothing that keeps edges (Tomasi and Manduchi, 1998): each pixel becomes
// the mean of its neighbours, weighted by distance in the image and in colour.
// A block loads its part of the image with a border into shared memory. No
// launch bounds.
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

enum { TileX = BlockX + 2 * Radius, TileY = BlockY + 2 * Radius };

BENCH_KERNEL(BlockX *BlockY)
bilateral(const float4 *__restrict__ Image, float4 *__restrict__ Result,
          int Width, int Height) {
  __shared__ float4 Tile[TileY][TileX];
  int OriginX = blockIdx.x * BlockX - Radius;
  int OriginY = blockIdx.y * BlockY - Radius;
  for (int I = threadIdx.y * BlockX + threadIdx.x; I < TileX * TileY;
       I += BlockX * BlockY) {
    int X = min(max(OriginX + I % TileX, 0), Width - 1);
    int Y = min(max(OriginY + I / TileX, 0), Height - 1);
    Tile[I / TileX][I % TileX] = Image[Y * Width + X];
  }
  __syncthreads();

  float4 Own = Tile[threadIdx.y + Radius][threadIdx.x + Radius];
  float R = 0, G = 0, B = 0, Total = 0;
#pragma unroll 1
  for (int J = -Radius; J <= Radius; ++J)
#pragma unroll
    for (int I = -Radius; I <= Radius; ++I) {
      float4 Other = Tile[threadIdx.y + Radius + J][threadIdx.x + Radius + I];
      float DR = Other.x - Own.x, DG = Other.y - Own.y, DB = Other.z - Own.z;
      float Weight = expf(-float(I * I + J * J) * SpaceScale -
                          (DR * DR + DG * DG + DB * DB) * RangeScale);
      R += Weight * Other.x;
      G += Weight * Other.y;
      B += Weight * Other.z;
      Total += Weight;
    }
  int X = blockIdx.x * BlockX + threadIdx.x;
  int Y = blockIdx.y * BlockY + threadIdx.y;
  float Inverse = 1.0f / Total;
  Result[Y * Width + X] =
      make_float4(R * Inverse, G * Inverse, B * Inverse, Own.w);
}

BENCH_EXPORT(bilateral)
