//===- Kernels.cu - kernels without launch bounds -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is right for any block and grid. Compiled twice: -DCHOOSES with builds
// that are chosen at launch, else by stock clang.
//
//===----------------------------------------------------------------------===//

#include "Check.h"

namespace {

__device__ __forceinline__ unsigned at(const unsigned *__restrict__ In,
                                       unsigned Index) {
  return In[Index & (InWords - 1)];
}

__device__ __forceinline__ unsigned thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Values that wait for a walk through memory whose loads coalesce, for thread
/// T, which is Lane of those that are next to each other.
template <int Waiting>
__device__ __forceinline__ unsigned walk(const unsigned *__restrict__ In,
                                         unsigned T, unsigned Lane) {
  unsigned State[Waiting], Sum = 0;
#pragma unroll
  for (int I = 0; I < Waiting; ++I) {
    State[I] = at(In, I * 1048583u + T);
    Sum = Sum * 31 + State[I];
  }
  unsigned Row = T / 32;
#pragma unroll 1
  for (int I = 0; I < 64; ++I) {
    unsigned Word = at(In, Row * 32 + Lane);
    Sum = Sum * 0x9E3779B1u + (Word & 0xFFF);
    Row = __shfl_sync(__activemask(), Word >> 11, 0);
  }
#pragma unroll
  for (int I = 0; I < Waiting; ++I)
    Sum = (Sum ^ State[I]) * 0x85EBCA77u + (Sum >> 15);
  return Sum;
}

__global__ void walk44(const unsigned *__restrict__ In,
                       unsigned *__restrict__ Out) {
  unsigned T = thread();
  Out[T] = walk<44>(In, T, threadIdx.x % 32);
}

__global__ void walk72(const unsigned *__restrict__ In,
                       unsigned *__restrict__ Out) {
  unsigned T = thread();
  Out[T] = walk<72>(In, T, threadIdx.x % 32);
}

/// The same in blocks of three dimensions.
__global__ void walkxyz(const unsigned *__restrict__ In,
                        unsigned *__restrict__ Out) {
  unsigned Size = blockDim.x * blockDim.y * blockDim.z;
  unsigned Row = threadIdx.y + blockDim.y * threadIdx.z;
  unsigned T = blockIdx.x * Size + threadIdx.x + blockDim.x * Row;
  Out[T] = walk<44>(In, T, T % 32);
}

/// The same beside static and dynamic shared memory, which threads exchange
/// their results in.
__global__ void walkpast(const unsigned *__restrict__ In,
                         unsigned *__restrict__ Out) {
  extern __shared__ unsigned Dynamic[];
  __shared__ unsigned Static[33];
  unsigned T = thread(), Last = blockDim.x - 1;
  if (threadIdx.x < 33)
    Static[threadIdx.x] = T;
  Dynamic[threadIdx.x] = at(In, T);
  if (threadIdx.x == 0)
    Dynamic[Last + 1] = 7;
  __syncthreads();
  unsigned Sum = walk<44>(In, T, threadIdx.x % 32);
  __syncthreads();
  Out[T] = Sum + Dynamic[Last - threadIdx.x] * 3 + Static[threadIdx.x % 32] +
           Dynamic[Last + 1];
}

/// Values of 64 bits that wait.
__global__ void walkwide(const unsigned *__restrict__ In,
                         unsigned *__restrict__ Out) {
  unsigned T = thread(), Row = T / 32, Lane = threadIdx.x % 32;
  unsigned long long State[24], Sum = 0;
#pragma unroll
  for (int I = 0; I < 24; ++I) {
    State[I] = (unsigned long long)at(In, I * 1048583u + T) << 32 |
               at(In, I * 524309u + T);
    Sum = Sum * 31 + State[I];
  }
#pragma unroll 1
  for (int I = 0; I < 64; ++I) {
    unsigned Word = at(In, Row * 32 + Lane);
    Sum = Sum * 0x9E3779B1u + (Word & 0xFFF);
    Row = __shfl_sync(__activemask(), Word >> 11, 0);
  }
#pragma unroll
  for (int I = 0; I < 24; ++I)
    Sum = (Sum ^ State[I]) * 0x85EBCA77C2B2AE63u + (Sum >> 31);
  Out[T] = static_cast<unsigned>(Sum >> 32 ^ Sum);
}

/// Random gathers into many sums.
__global__ void gather40(const unsigned *__restrict__ In,
                         unsigned *__restrict__ Out) {
  unsigned T = thread(), Sums[40] = {}, Place = T * 2654435761u;
#pragma unroll 1
  for (int I = 0; I < 16; ++I) {
    unsigned Word = at(In, Place);
#pragma unroll
    for (int J = 0; J < 40; ++J)
      Sums[J] += Word * (2 * J + 1) ^ (Word >> (J % 31));
    Place = Word;
  }
  unsigned Sum = 0;
#pragma unroll
  for (int J = 0; J < 40; ++J)
    Sum = Sum * 31 + Sums[J];
  Out[T] = Sum;
}

/// Arithmetic on 64 values that all take part all the time.
__global__ void mix64(const unsigned *__restrict__ In,
                      unsigned *__restrict__ Out) {
  unsigned T = thread(), V[64];
#pragma unroll
  for (int I = 0; I < 64; ++I)
    V[I] = at(In, T + I * 65537u);
#pragma unroll 1
  for (int R = 0; R < 24; ++R)
#pragma unroll
    for (int I = 0; I < 64; ++I)
      V[I] = (V[I] ^ V[(I + 17) % 64]) * 5u + (V[(I + 40) % 64] >> 7);
  unsigned Sum = 0;
#pragma unroll
  for (int I = 0; I < 64; ++I)
    Sum = Sum * 31 + V[I];
  Out[T] = Sum;
}

/// Sums in double precision along a chain of dependent loads.
__global__ void moments(const unsigned *__restrict__ In,
                        unsigned *__restrict__ Out) {
  unsigned T = thread(), Place = T;
  double Sums[24];
#pragma unroll
  for (int I = 0; I < 24; ++I)
    Sums[I] = I;
#pragma unroll 1
  for (int R = 0; R < 24; ++R) {
    unsigned Word = at(In, Place);
    double X = Word * 0x1p-32, Power = X;
#pragma unroll
    for (int I = 0; I < 24; ++I) {
      Sums[I] = fma(Power, 1.0 + I, Sums[I]);
      Power = __dmul_rn(Power, X);
    }
    Place = Word ^ T;
  }
  double Sum = 0;
#pragma unroll
  for (int I = 0; I < 24; ++I)
    Sum = fma(Sum, 0.5, Sums[I]);
  Out[T] = static_cast<unsigned>(__double_as_longlong(Sum) >> 20);
}

/// The sixteen least of a stream, in a list that is kept sorted in registers.
__global__ void least16(const unsigned *__restrict__ In,
                        unsigned *__restrict__ Out) {
  unsigned T = thread(), Keys[16], Places[16];
#pragma unroll
  for (int I = 0; I < 16; ++I) {
    Keys[I] = ~0u;
    Places[I] = 0;
  }
#pragma unroll 1
  for (unsigned R = 0; R < 192; ++R) {
    unsigned Key = at(In, R * 4099 + (T >> 5)) ^ (T * 40503u << 12);
    if (Key < Keys[15]) {
      unsigned New = Key, Place = R;
#pragma unroll
      for (int I = 0; I < 16; ++I)
        if (New < Keys[I]) {
          unsigned OldKey = Keys[I], OldPlace = Places[I];
          Keys[I] = New;
          Places[I] = Place;
          New = OldKey;
          Place = OldPlace;
        }
    }
  }
  unsigned Sum = 0;
#pragma unroll
  for (int I = 0; I < 16; ++I)
    Sum = Sum * 31 + (Keys[I] ^ Places[I]);
  Out[T] = Sum;
}

/// A filter whose next value depends on the last four, per thread a column.
__global__ void filter(const unsigned *__restrict__ In,
                       unsigned *__restrict__ Out) {
  unsigned T = thread();
  float A = 0, B = 0, C = 0, D = 0;
#pragma unroll 1
  for (unsigned R = 0; R < 128; ++R) {
    float X = (at(In, R * 262147u + T) >> 8) * 0x1p-24f;
    float Y =
        fmaf(0.5f, A, fmaf(-0.25f, B, fmaf(0.125f, C, fmaf(0.0625f, D, X))));
    D = C;
    C = B;
    B = A;
    A = Y;
  }
  Out[T] = __float_as_uint(A);
}

/// A stencil of order 12 along three axes, values in registers along one.
__global__ void stencil(const unsigned *__restrict__ In,
                        unsigned *__restrict__ Out) {
  unsigned T = thread();
  float Along[13], Sum = 0;
#pragma unroll
  for (int I = 0; I < 12; ++I)
    Along[I] = (at(In, T + I * 524309u) >> 8) * 0x1p-24f;
#pragma unroll 1
  for (unsigned R = 12; R < 44; ++R) {
    unsigned Base = T + R * 524309u;
    Along[12] = (at(In, Base) >> 8) * 0x1p-24f;
    float Y = __fmul_rn(Along[6], 3.0f);
#pragma unroll
    for (int I = 1; I <= 6; ++I) {
      float Left = (at(In, Base - I) >> 8) * 0x1p-24f;
      float Right = (at(In, Base + I) >> 8) * 0x1p-24f;
      float Up = (at(In, Base - 1024 * I) >> 8) * 0x1p-24f;
      float Down = (at(In, Base + 1024 * I) >> 8) * 0x1p-24f;
      float Weight = 1.0f / (I + 1);
      Y = fmaf(Weight, __fadd_rn(Left, Right), Y);
      Y = fmaf(Weight, __fadd_rn(Up, Down), Y);
      Y = fmaf(Weight, __fadd_rn(Along[6 - I], Along[6 + I]), Y);
    }
    Sum = fmaf(Sum, 0.5f, Y);
#pragma unroll
    for (int I = 0; I < 12; ++I)
      Along[I] = Along[I + 1];
  }
  Out[T] = __float_as_uint(Sum);
}

/// A walk through a table by data, with sixteen independent walkers.
__global__ void lookups(const unsigned *__restrict__ In,
                        unsigned *__restrict__ Out) {
  unsigned T = thread(), Places[16], Sums[16];
#pragma unroll
  for (int I = 0; I < 16; ++I) {
    Places[I] = T * 16 + I;
    Sums[I] = 0;
  }
#pragma unroll 1
  for (int R = 0; R < 8; ++R)
#pragma unroll
    for (int I = 0; I < 16; ++I) {
      unsigned Word = at(In, Places[I]);
      Sums[I] = Sums[I] * 33 + (Word >> 16);
      Places[I] = (Word * 2654435761u) >> 8;
    }
  unsigned Sum = 0;
#pragma unroll
  for (int I = 0; I < 16; ++I)
    Sum = Sum * 31 + Sums[I];
  Out[T] = Sum;
}

/// Thirty-two sums that data index: an array in local memory, for thread T.
__device__ __forceinline__ unsigned count(const unsigned *__restrict__ In,
                                          unsigned T) {
  unsigned Sums[32];
  for (int I = 0; I < 32; ++I)
    Sums[I] = at(In, T + I);
  for (int R = 0; R < 96; ++R) {
    unsigned Key = at(In, T + R * 65537u);
    Sums[Key % 32] = Sums[Key / 32 % 32] * 31 + R;
  }
  unsigned Sum = 0;
  for (int I = 0; I < 32; ++I)
    Sum = Sum * 31 + Sums[I];
  return Sum;
}

__global__ void bins32(const unsigned *__restrict__ In,
                       unsigned *__restrict__ Out) {
  unsigned T = thread();
  Out[T] = count(In, T);
}

/// The same in blocks of three dimensions.
__global__ void shaped(const unsigned *__restrict__ In,
                       unsigned *__restrict__ Out) {
  unsigned Size = blockDim.x * blockDim.y * blockDim.z;
  unsigned Row = threadIdx.y + blockDim.y * threadIdx.z;
  unsigned T = blockIdx.x * Size + threadIdx.x + blockDim.x * Row;
  Out[T] = count(In, T);
}

/// The same with static and dynamic shared memory, which threads exchange
/// their sums in.
__global__ void staged(const unsigned *__restrict__ In,
                       unsigned *__restrict__ Out) {
  extern __shared__ unsigned Dynamic[];
  __shared__ unsigned Static[33];
  unsigned T = thread(), Last = blockDim.x - 1;
  if (threadIdx.x < 33)
    Static[threadIdx.x] = T;
  Dynamic[threadIdx.x] = at(In, T);
  if (threadIdx.x == 0)
    Dynamic[Last + 1] = 7;
  __syncthreads();
  unsigned Sum = count(In, T);
  __syncthreads();
  Out[T] = Sum + Dynamic[Last - threadIdx.x] * 3 + Static[threadIdx.x % 32] +
           Dynamic[Last + 1];
}

#define LAUNCHER_WITH(Kernel, Block, Shared)                                   \
  cudaError_t launch_##Kernel(unsigned Blocks, unsigned Threads,               \
                              const unsigned *In, unsigned *Out,               \
                              cudaStream_t Stream) {                           \
    Kernel<<<Blocks, Block, Shared, Stream>>>(In, Out);                        \
    return cudaGetLastError();                                                 \
  }
#define LAUNCHER(Kernel) LAUNCHER_WITH(Kernel, Threads, 0)
LAUNCHER(walk44)
LAUNCHER(walk72)
LAUNCHER_WITH(walkxyz, dim3(4, 8, Threads / 32), 0)
LAUNCHER_WITH(walkpast, Threads, 4 * (Threads + 1))
LAUNCHER(walkwide)
LAUNCHER(gather40)
LAUNCHER(mix64)
LAUNCHER(moments)
LAUNCHER(least16)
LAUNCHER(filter)
LAUNCHER(stencil)
LAUNCHER(lookups)
LAUNCHER(bins32)
LAUNCHER_WITH(shaped, dim3(4, 8, Threads / 32), 0)
LAUNCHER_WITH(staged, Threads, 4 * (Threads + 1))

} // namespace

#ifndef __CUDA_ARCH__ // Device code has no use for host functions.
#ifdef CHOOSES
const NamedLauncher ChoosingKernels[]
#else
extern const unsigned NumKernels = 15;
const NamedLauncher StockKernels[]
#endif
    = {{"walk44", launch_walk44},     {"walk72", launch_walk72},
       {"walkxyz", launch_walkxyz},   {"walkpast", launch_walkpast},
       {"walkwide", launch_walkwide}, {"gather40", launch_gather40},
       {"mix64", launch_mix64},       {"moments", launch_moments},
       {"least16", launch_least16},   {"filter", launch_filter},
       {"stencil", launch_stencil},   {"lookups", launch_lookups},
       {"bins32", launch_bins32},     {"shaped", launch_shaped},
       {"staged", launch_staged}};
#endif
