//===- kernel.cu - softmax attention on CUDA cores ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// out = softmax(q K^T / sqrt(d)) V in one pass with a running maximum and sum
// (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018;
// Dao et al., "FlashAttention", 2022). One query a thread, with the query and
// its output row, 128 values, in registers; keys and values of a tile come
// from shared memory as broadcasts. Arrays are [head][position][HeadSize].
//
//===----------------------------------------------------------------------===//

#include "common/Kernel.h"
#include "params.h"

BENCH_KERNEL(BlockSize)
flash(const float4 *__restrict__ Queries, const float4 *__restrict__ Keys,
      const float4 *__restrict__ Values, float4 *__restrict__ Out, int Length) {
  constexpr int Quads = HeadSize / 4;
  __shared__ float4 KeySlice[KeyTile][Quads];
  __shared__ float4 ValueSlice[KeyTile][Quads];
  int T = threadIdx.x;
  size_t Head = size_t(blockIdx.y) * Length * Quads;
  size_t Position = Head + size_t(blockIdx.x * BlockSize + T) * Quads;

  float4 Query[Quads], Sum[Quads];
#pragma unroll
  for (int D = 0; D < Quads; ++D) {
    float4 Q = Queries[Position + D];
    Query[D] = make_float4(Q.x * 0.125f, Q.y * 0.125f, Q.z * 0.125f,
                           Q.w * 0.125f); // 1 / sqrt(HeadSize)
    Sum[D] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
  float Maximum = -1e30f, Normaliser = 0.0f;

#pragma unroll 1
  for (int First = 0; First < Length; First += KeyTile) {
    __syncthreads();
#pragma unroll
    for (int I = 0; I < KeyTile * Quads / BlockSize; ++I) {
      int Index = I * BlockSize + T;
      size_t Source = Head + size_t(First) * Quads + Index;
      KeySlice[Index / Quads][Index % Quads] = Keys[Source];
      ValueSlice[Index / Quads][Index % Quads] = Values[Source];
    }
    __syncthreads();

#pragma unroll 1
    for (int Base = 0; Base < KeyTile; Base += Chunk) {
      float Score[Chunk], NewMaximum = Maximum;
#pragma unroll
      for (int J = 0; J < Chunk; ++J) {
        Score[J] = 0.0f;
#pragma unroll
        for (int D = 0; D < Quads; ++D) {
          float4 K = KeySlice[Base + J][D];
          Score[J] += Query[D].x * K.x + Query[D].y * K.y + Query[D].z * K.z +
                      Query[D].w * K.w;
        }
        NewMaximum = fmaxf(NewMaximum, Score[J]);
      }
      float Correction = expf(Maximum - NewMaximum);
      Maximum = NewMaximum;
      Normaliser *= Correction;
#pragma unroll
      for (int D = 0; D < Quads; ++D)
        Sum[D] = make_float4(Sum[D].x * Correction, Sum[D].y * Correction,
                             Sum[D].z * Correction, Sum[D].w * Correction);
#pragma unroll
      for (int J = 0; J < Chunk; ++J) {
        float Weight = expf(Score[J] - Maximum);
        Normaliser += Weight;
#pragma unroll
        for (int D = 0; D < Quads; ++D) {
          float4 V = ValueSlice[Base + J][D];
          Sum[D].x += Weight * V.x;
          Sum[D].y += Weight * V.y;
          Sum[D].z += Weight * V.z;
          Sum[D].w += Weight * V.w;
        }
      }
    }
  }

  float Inverse = 1.0f / Normaliser;
#pragma unroll
  for (int D = 0; D < Quads; ++D)
    Out[Position + D] = make_float4(Sum[D].x * Inverse, Sum[D].y * Inverse,
                                    Sum[D].z * Inverse, Sum[D].w * Inverse);
}

BENCH_EXPORT(flash)
