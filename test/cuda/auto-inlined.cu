// A build with calls inlined competes: the array whose address goes to a
// function leaves local memory once its index is the kernel's own. Where the
// source says not to inline a function, there is no such build.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -inline-threshold=-1000 -mllvm -regdem-report=%t.jsonl %s -o %t.ptx
// RUN: %report %t.jsonl polynomials "'inline-calls' in rewrites" "variants[0]['frame_bytes'] == 48" "[v['frame_bytes'] for v in variants if v['chosen']] == [0]"
// RUN: %report %t.jsonl kept "not any('inline-calls' in v['rewrites'] for v in variants)"
// RUN: %entry-text %t.ptx polynomials | FileCheck %s
// CHECK-NOT: call
// Under a stated cap it competes, too.
// RUN: rm -f %t.cap.jsonl
// RUN: %device %regdem -mllvm -regdem-max-regs=40 -mllvm -inline-threshold=-1000 -mllvm -regdem-report=%t.cap.jsonl %s -o %t.cap.ptx
// RUN: %report %t.cap.jsonl polynomials "'inline-calls' in rewrites" "max_regs == 40"
__device__ __forceinline__ float sumOf(const float *Factors, float X, int N) {
  float Sum = 0, Power = 1;
#pragma unroll 1
  for (int I = 0; I < N; ++I) {
    Sum += Factors[I] * Power;
    Power *= X;
  }
  return Sum;
}

static __device__ float polynomial(const float *Factors, float X, int N) {
  return sumOf(Factors, X, N);
}

static __device__ __noinline__ float keptOne(const float *Factors, float X,
                                             int N) {
  return sumOf(Factors, X, N);
}

extern "C" __global__ void __launch_bounds__(128)
    polynomials(const float *In, float *Out, float A, int Count) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float Factors[12], Sum = 0;
  for (int K = 0; K < 12; ++K)
    Factors[K] = In[T + K * 1000] * A;
  for (int J = 0; J < Count; ++J)
    Sum = Sum * A + polynomial(Factors, Sum, 12);
  Out[T] = Sum;
}

extern "C" __global__ void __launch_bounds__(128)
    kept(const float *In, float *Out, float A, int Count) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float Factors[12], Sum = 0;
  for (int K = 0; K < 12; ++K)
    Factors[K] = In[T + K * 1000] * A;
  for (int J = 0; J < Count; ++J)
    Sum = Sum * A + keptOne(Factors, Sum, 12);
  Out[T] = Sum;
}
