// A rewrite that makes factors constant may leave the machine other operations:
// x * 2 is x + x, which ptxas fuses with a product x, fma(x, 1, c) is x + c,
// and x * 1 is x, though subnormal numbers are to become zero. Such a rewrite
// is not made. Halves are computed in assembly, whose roundings nobody can
// state.
// REQUIRES: clang-cuda
// DEFINE: %{lowered} = %device %regdem -mllvm -regdem-build=rewrites=lower-arrays %s
// RUN: %device %s -o %t.stock.s
// RUN: %{lowered} -Rpass-missed=regdem -o %t.s 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %device %regdem %s -o %t.auto.s && cmp %t.stock.s %t.auto.s
// Where nothing is fused it is.
// RUN: %{lowered} -ffp-contract=on -o - | FileCheck %s --check-prefix=APART
// RUN: %device -DFLUSHED -fgpu-flush-denormals-to-zero -ffp-contract=on %s -o %t.stock.s
// RUN: %{lowered} -DFLUSHED -fgpu-flush-denormals-to-zero -ffp-contract=on -o %t.s && cmp %t.stock.s %t.s
// RUN: %device -DFLUSHED -fgpu-flush-denormals-to-zero -mllvm -inline-threshold=-10000 %s -o %t.stock.s
// RUN: %device %regdem -DFLUSHED -fgpu-flush-denormals-to-zero -mllvm -inline-threshold=-10000 -mllvm -regdem-build=rewrites=inline-calls %s -o %t.s && cmp %t.stock.s %t.s
// RUN: %{lowered} -DFLUSHED -ffp-contract=on -o - | FileCheck %s --check-prefix=KEPT
// CHECK-DAG: remark: 'doubled{{.*}}': 'an array' {{.*}} {{may stay|stays}} in local memory: of constants that there would be then, LLVM and ptxas compute something else
// CHECK-DAG: remark: 'summed{{.*}}': 'an array' {{.*}} {{may stay|stays}} in local memory: of constants that there would be then, LLVM and ptxas compute something else
// CHECK-DAG: remark: 'halves{{.*}}': 'an array' {{.*}} {{may stay|stays}} in local memory: results might be rounded in another way
// APART-LABEL: .entry doubled(
// APART-NOT: .local
// APART-LABEL: .entry summed(
// KEPT-LABEL: .entry scaled(
// KEPT-NOT: .local
#include <cuda_fp16.h>

#ifndef FLUSHED
extern "C" __global__ void __launch_bounds__(256)
    doubled(const float *In, float *Out, int Count) {
  int T = threadIdx.x;
  float Table[8];
#pragma unroll 1
  for (int I = 0; I < 8; ++I)
    Table[I] = In[T + I * Count] * In[T + I * Count + 1] * (float)I;
#pragma unroll 1
  for (int I = 0; I < 8; ++I)
    Out[T + I * Count] = Table[7 - I];
}

extern "C" __global__ void __launch_bounds__(256)
    summed(const double *In, double *Out, int Count) {
  int T = threadIdx.x;
  double Table[4];
#pragma unroll 1
  for (int I = 0; I < 4; ++I)
    Table[I] = __fma_rn(In[T + I * Count] * In[T + I * Count + 1], (double)I,
                        In[T + 2 * Count]);
#pragma unroll 1
  for (int I = 0; I < 4; ++I)
    Out[T + I * Count] = Table[3 - I];
}

extern "C" __global__ void __launch_bounds__(256)
    halves(const __half2 *In, __half2 *Out, int Count) {
  int T = threadIdx.x;
  __half2 Table[8], Sum = In[T];
#pragma unroll 1
  for (int I = 0; I < 8; ++I)
    Table[I] = __hmul2(In[T + I * Count], In[T + I * Count + 77]);
#pragma unroll 1
  for (int I = 0; I < 8; ++I)
    Sum = __hadd2(Sum, Table[7 - I]);
  Out[T] = Sum;
}
#else
__device__ __noinline__ float least(float A, float B) { return fminf(A, B); }

extern "C" __global__ void __launch_bounds__(256)
    scaled(const float *In, float *Out, int Count) {
  int T = threadIdx.x;
  float Table[8];
#pragma unroll 1
  for (int I = 0; I < 8; ++I)
    Table[I] = In[T + I * Count] * (float)I;
#pragma unroll 1
  for (int I = 0; I < 8; ++I)
    Out[T + I * Count] = Table[7 - I];
}

extern "C" __global__ void __launch_bounds__(256) smallest(float *Out) {
  Out[threadIdx.x] = least(1e-40f, 1.0f);
}
#endif
