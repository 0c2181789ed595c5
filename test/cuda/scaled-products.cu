// ptxas scales a product while it multiplies, where only what halves it reads
// it (FMUL.D2). So it does where roundings are stated: they are proven, and the
// array leaves local memory.
// REQUIRES: clang-cuda, nvdisasm
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not="rounded in another way"
// RUN: %clang-cuda %regdem --cuda-device-only -c %s -o %t.cubin
// RUN: %nvdisasm -c %t.cubin | FileCheck %s --check-prefix=SASS
// CHECK: 'average({{.*}}' built, with arrays rewritten
// SASS: FMUL.D2
__global__ void average(const float4 *Weights, const float *In, float *Out,
                        const int *Picks) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float V[12];
  for (int K = 0; K != 12; ++K)
    V[K] = In[I * 12 + K];
  float4 Q = Weights[I];
  float Sum = 0;
#pragma unroll 1
  for (int K = 0; K != 4; ++K) {
    int P = Picks[K] & 3;
    float X = V[3 * P], Y = V[3 * P + 1], Z = V[3 * P + 2];
    float Half = 0.5f * (X * Q.w);
    Out[I * 4 + K] = Half;
    V[3 * P] = Half + Q.x * Z;
    Sum += Y * Z + X;
  }
  Out[I * 4] += Sum + V[Picks[4] & 7];
}
