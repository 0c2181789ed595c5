// clang's __ldcg and __ldcs are assembly that says nothing of memory. Where a
// rewrite makes one block of iterations, each reads what the last one stored.
// Each takes its own ticket, and looks at the clock anew, as well.
// REQUIRES: clang-cuda
// RUN: %device %regdem -mllvm -regdem-build=rewrites=unroll-loops %s -o - | FileCheck %s
// RUN: %device %regdem -mllvm -regdem-build=rewrites=lower-arrays %s -o - | FileCheck %s --check-prefix=ARRAY
//
// CHECK-LABEL: .entry decay(
// CHECK: ld.global.cg
// CHECK: st.global
// CHECK: ld.global.cg
// CHECK: st.global
// CHECK: ld.global.cg
// CHECK: st.global
// CHECK: ld.global.cg
// CHECK: st.global
// CHECK: bra
// CHECK-LABEL: .entry calls(
// CHECK: call.uni
// CHECK: st.global
// CHECK: call.uni
// CHECK: st.global
// CHECK: call.uni
// CHECK: bra
// CHECK-LABEL: .entry tickets(
// CHECK: atom.global.add
// CHECK: mov.u32 %{{.*}}, %clock;
// CHECK: atom.global.add
// CHECK: mov.u32 %{{.*}}, %clock;
// CHECK: atom.global.add
// CHECK: mov.u32 %{{.*}}, %clock;
// CHECK: atom.global.add
// CHECK: mov.u32 %{{.*}}, %clock;
// CHECK: bra
// ARRAY-LABEL: .entry weights(
// ARRAY-NOT: .local
// ARRAY: ld.global.cs
// ARRAY: st.global
// ARRAY: ld.global.cs
// ARRAY: st.global
// ARRAY: ret;
#define KERNEL extern "C" __global__ void __launch_bounds__(128)

KERNEL decay(float *Row, const float *In, int N) {
  float *P = Row + blockIdx.x * 128 + threadIdx.x;
  for (int I = 0; I < N; ++I)
    *P = __ldcg(P) * 0.5f + In[I * 128 + threadIdx.x];
}

__device__ __noinline__ float half(const float *P) { return __ldcg(P) * 0.5f; }

KERNEL calls(float *Row, const float *In, int N) {
  float *P = Row + blockIdx.x * 128 + threadIdx.x;
  for (int I = 0; I < N; ++I)
    *P = half(P) + In[I * 128 + threadIdx.x];
}

KERNEL weights(unsigned *Row, const unsigned *In) {
  unsigned *P = Row + blockIdx.x * 128 + threadIdx.x, W[24];
#pragma unroll 1
  for (int I = 0; I < 24; ++I)
    W[I] = In[I * 128 + threadIdx.x];
#pragma unroll 1
  for (int I = 0; I < 24; ++I)
    *P = __ldcs(P) * 31 + W[I];
}

__device__ unsigned ticket(unsigned *Counter) {
  unsigned Old;
  asm("atom.global.add.u32 %0, [%1], 1;" : "=r"(Old) : "l"(Counter));
  return Old;
}

__device__ unsigned clockNow() {
  unsigned Now;
  asm("mov.u32 %0, %%clock;" : "=r"(Now));
  return Now;
}

KERNEL tickets(unsigned *Row, unsigned *Counter, int N) {
  for (int I = 0; I < N; ++I) {
    Row[I] = ticket(Counter);
    Row[I + N] = clockNow();
  }
}
