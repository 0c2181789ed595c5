// A loop with barriers does as many iterations at once as the source asks for,
// and has one for the rest.
// REQUIRES: clang-cuda
// RUN: %device %regdem -mllvm -regdem-build=rewrites=unroll-loops %s -o - | FileCheck %s
// CHECK-LABEL: .entry by_two(
// CHECK-COUNT-6: bar.sync
// CHECK-NOT: bar.sync
// CHECK-LABEL: .entry by_three(
// CHECK-COUNT-8: bar.sync
// CHECK-NOT: bar.sync
// CHECK-LABEL: .entry by_four(
// CHECK-COUNT-10: bar.sync
// CHECK-NOT: bar.sync
#define KERNEL extern "C" __global__ void __launch_bounds__(64)

__device__ __forceinline__ void step(const unsigned *In, unsigned *Shared,
                                     unsigned &X, int I) {
  Shared[threadIdx.x] = X;
  __syncthreads();
  X += Shared[63 - threadIdx.x] * In[I];
  __syncthreads();
}

KERNEL by_two(const unsigned *In, unsigned *Out, int N) {
  __shared__ unsigned Shared[64];
  unsigned X = threadIdx.x;
#pragma unroll 2
  for (int I = 0; I < N; ++I)
    step(In, Shared, X, I);
  Out[threadIdx.x] = X;
}

KERNEL by_three(const unsigned *In, unsigned *Out, int N) {
  __shared__ unsigned Shared[64];
  unsigned X = threadIdx.x;
#pragma unroll 3
  for (int I = 0; I < N; ++I)
    step(In, Shared, X, I);
  Out[threadIdx.x] = X;
}

KERNEL by_four(const unsigned *In, unsigned *Out, int N) {
  __shared__ unsigned Shared[64];
  unsigned X = threadIdx.x;
  for (int I = 0; I < N; ++I)
    step(In, Shared, X, I);
  Out[threadIdx.x] = X;
}
