// The GPU approximates square roots, which LLVM and ptxas compute otherwise
// where the argument is a constant: no rewrite makes a constant of it. Where
// stock's code has constants, it may be rewritten.
// REQUIRES: clang-cuda
// RUN: %device %s -o %t.stock.s
// RUN: %device %regdem -Rpass-missed=regdem %s -o %t.s 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %device %regdem -mllvm -regdem-build=rewrites=unroll-loops %s -o - | FileCheck %s --check-prefix=CODE
// RUN: %device %regdem -mllvm -regdem-build=rewrites=lower-arrays %s -o - | FileCheck %s --check-prefix=CODE
// RUN: %device %regdem -DCONSTANT -mllvm -regdem-build=rewrites=lower-arrays %s -o - | FileCheck %s --check-prefix=ROOT
// RUN: %device %regdem -mllvm -inline-threshold=-10000 -mllvm -regdem-build=rewrites=inline-calls %s -o - | FileCheck %s --check-prefix=CALLS
//
// CHECK: remark: 'roots{{.*}}': 'an array' {{.*}} stays in local memory: of constants that there would be then, LLVM and ptxas compute something else than the GPU
// CODE-LABEL: .entry roots(
// CODE: sqrt.approx.f32 %{{[a-z]+[0-9]+}}, %{{[a-z]+[0-9]+}};
// CODE: bra
// ROOT-LABEL: .entry roots(
// ROOT-NOT: .local
// ROOT: sqrt.approx.f32
// CALLS-LABEL: .entry called(
// CALLS: call{{.*}}rootOf
__device__ float rootOf(int N) { return sqrtf(static_cast<float>(N)); }

extern "C" __global__ void __launch_bounds__(128)
    roots(const unsigned *In, float *Out, int Count) {
  int T = threadIdx.x + blockIdx.x * blockDim.x;
  float Table[16];
#ifdef CONSTANT
  float Root = sqrtf(static_cast<float>(Count));
#pragma unroll 1
  for (int I = 0; I < 16; ++I)
    Table[I] = Root * I;
#else
#pragma unroll 1
  for (int I = 0; I < 16; ++I)
    Table[I] = sqrtf(static_cast<float>(2 * I + 3));
#endif
  for (int K = 0; K < Count; ++K)
    Table[In[T + K * 4096] & 15] += 1.0f;
#pragma unroll 1
  for (int I = 0; I < 16; ++I)
    Out[T * 16 + I] = Table[I];
}

extern "C" __global__ void __launch_bounds__(128) called(float *Out) {
  Out[threadIdx.x] = rootOf(5);
  Out[threadIdx.x + 128] = rootOf(11);
}
