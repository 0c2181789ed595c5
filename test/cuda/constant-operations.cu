// LLVM computes exactly what it finds to be constant, and takes -(-x) for x.
// Where the GPU does not, remainders or numbers that are flushed, no rewrite
// that finds constants or brings operations together is made.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem -mllvm -regdem-build=rewrites=lower-arrays %s -o %t.s && cmp %t.stock.s %t.s
// RUN: %device %regdem -mllvm -regdem-build=rewrites=unroll-loops %s -o %t.s && cmp %t.stock.s %t.s
// RUN: %device -DFLUSHED -fgpu-flush-denormals-to-zero %s -o %t.stock.s
// RUN: %device %regdem -DFLUSHED -fgpu-flush-denormals-to-zero -mllvm -regdem-build=rewrites=lower-arrays %s -o %t.s && cmp %t.stock.s %t.s
// RUN: %device %regdem -DFLUSHED -fgpu-flush-denormals-to-zero -Rpass-missed=regdem %s -o %t.s 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: remark: 'negated': 'an array' {{.*}} stays in local memory: LLVM would compute some operations in another way than the GPU
// RUN: %device %regdem -DFLUSHED -mllvm -regdem-build=rewrites=lower-arrays %s -o - | FileCheck %s
// RUN: %device %regdem -DKEPT -mllvm -regdem-build=rewrites=lower-arrays %s -o - | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: .entry of_halves(
// KEPT: .local
// KEPT-LABEL: .entry powers(
// KEPT: .local
// What is fused in the source stays so, once its factors are constant.
// RUN: %device %regdem -DFUSED -ffp-contract=on -mllvm -regdem-build=rewrites=lower-arrays %s -o - | FileCheck %s --check-prefix=FUSED
// FUSED-LABEL: .entry fused(
// FUSED-NOT: {{\.local|add.rn.f32}}
// FUSED-COUNT-12: fma.rn.f32
// CHECK-LABEL: .entry narrowed(
// CHECK-NOT: .local
// CHECK-LABEL: .entry negated(
// CHECK-NOT: .local
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void __launch_bounds__(128)

#ifdef FUSED
KERNEL fused(const float *In, float *Out, int N) {
  float Held[12], Weights[24];
  for (int I = 0; I < 24; ++I)
    Weights[I] = 0.1f + I * 0.37f;
  for (int I = 0; I < 12; ++I)
    Held[I] = In[I * 128 + threadIdx.x];
  for (int R = 0; R < N; ++R) {
#pragma unroll 1
    for (int I = 0; I < 12; ++I)
      Held[I] = Weights[I] * Weights[I + 12] + Held[I];
    __syncthreads();
  }
#pragma unroll 1
  for (int I = 0; I < 12; ++I)
    Out[I * 128 + threadIdx.x] = Held[I];
}
#elif defined KEPT
// ptxas computes what is in assembly, as of halves, and then exp2.
KERNEL of_halves(const float *In, float *Out, int N) {
  float Held[12];
  __half_raw Weights[12];
  for (int I = 0; I < 12; ++I) {
    Weights[I].x = 0x3400 + I * 77;
    Held[I] = In[I * 128 + threadIdx.x];
  }
  for (int R = 0; R < N; ++R) {
#pragma unroll 1
    for (int I = 0; I < 12; ++I)
      Held[I] = fmaxf(Held[I], __expf(__half2float(__half(Weights[I]))));
    __syncthreads();
  }
#pragma unroll 1
  for (int I = 0; I < 12; ++I)
    Out[I * 128 + threadIdx.x] = Held[I];
}

KERNEL powers(const float *In, float *Out, int N) {
  float Held[12], Weights[12];
  for (int I = 0; I < 12; ++I) {
    Weights[I] = 0.1f + I * 0.37f;
    Held[I] = In[I * 128 + threadIdx.x];
  }
  for (int R = 0; R < N; ++R) {
#pragma unroll 1
    for (int I = 0; I < 12; ++I)
      Held[I] = fmaxf(Held[I], __builtin_powif(Weights[I], 5));
    __syncthreads();
  }
#pragma unroll 1
  for (int I = 0; I < 12; ++I)
    Out[I * 128 + threadIdx.x] = Held[I];
}
#elif !defined FLUSHED
KERNEL remainders(const unsigned *In, float *Out, unsigned N) {
  unsigned T = blockIdx.x * 128 + threadIdx.x;
  float Table[12], Sum = 0;
  for (int I = 0; I < 12; ++I)
    Table[I] = In[T + I] & 255;
  for (unsigned K = 0; K < (N & 15); ++K) {
#pragma unroll 1
    for (int I = 0; I < 12; ++I) {
      Table[I] += __builtin_fmodf((I + 1) * 1e7f, 0.3f);
      Sum += Table[11 - I];
    }
  }
  Out[T] = Sum + Table[N % 12];
}

KERNEL steps(const unsigned *In, float *Out) {
  __shared__ float Shared[128];
  unsigned T = threadIdx.x;
  float X = In[T] & 255, Sum = 0;
  for (int I = 0; I < 40; ++I) {
    Shared[T] = X;
    __syncthreads();
    Sum += __builtin_fmodf((I + 1) * 1e7f, 0.3f);
    X = Shared[(I + T) & 127] + Sum;
    __syncthreads();
  }
  Out[T] = X;
}
#else
KERNEL narrowed(const float *In, float *Out, int N) {
  for (int R = 0; R < N; ++R) {
    double Table[12];
    const float *P = In + R * 1536 + threadIdx.x;
    float *Q = Out + R * 1536 + threadIdx.x;
#pragma unroll 1
    for (int I = 0; I < 12; ++I)
      Table[I] = P[I * 128];
#pragma unroll 1
    for (int I = 0; I < 12; ++I)
      Q[I * 128] = (float)Table[11 - I];
  }
}

KERNEL negated(const float *In, float *Out, int N) {
  for (int R = 0; R < N; ++R) {
    float Table[12];
    const float *P = In + R * 1536 + threadIdx.x;
    float *Q = Out + R * 1536 + threadIdx.x;
#pragma unroll 1
    for (int I = 0; I < 12; ++I)
      Table[I] = -P[I * 128];
#pragma unroll 1
    for (int I = 0; I < 12; ++I)
      Q[I * 128] = -Table[11 - I];
  }
}
#endif
