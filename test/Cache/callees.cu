// What the functions that a kernel calls are to round like is kept in the cache
// with the decision: a second compilation makes the same program.
// REQUIRES: ptxas, clang-cuda
// DEFINE: %{build} = env CUDA_PATH=%cuda %clang-cuda %regdem -mllvm -regdem-cache=%t/cache -Rpass=regdem --cuda-device-only -S %s
// RUN: rm -rf %t && mkdir %t
// RUN: %{build} -o %t/cold.s
// RUN: %{build} -o %t/warm.s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cmp %t/cold.s %t/warm.s
// RUN: FileCheck %s < %t/warm.s
// REMARK: 'rotate({{.*}}' built, with arrays rewritten{{.*}}, cached
// CHECK: .func {{.*}} _Z6turnedfff$regdem(
__device__ __noinline__ float turned(float X, float Y, float Q) {
  return X * Q + Y * (Q - X);
}

__global__ void __launch_bounds__(128)
    rotate(const float4 *Turns, const float *In, float *Out, const int *Picks) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float V[12];
  for (int K = 0; K != 12; ++K)
    V[K] = In[I * 12 + K];
  float4 Q = Turns[I];
  float Sum = 0;
#pragma unroll 1
  for (int K = 0; K != 4; ++K) {
    int P = Picks[K] & 3;
    float X = V[3 * P], Y = V[3 * P + 1], Z = V[3 * P + 2];
    V[3 * P] = turned(X, Y, Q.x);
    Sum += X * Z + Y * Q.y;
  }
  Out[I] = Sum + V[Picks[4] & 7];
}
