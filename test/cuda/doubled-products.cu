// A product by two, as rotations by quaternions have, is a sum to LLVM, which
// fuses it with the product. Stock's roundings are proven all the same, so that
// the array leaves local memory.
// REQUIRES: clang-cuda
// RUN: %clang-cuda %regdem -Rpass=regdem -Rpass-missed=regdem -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not="rounded in another way"
// CHECK: 'rotate({{.*}}' built, with arrays rewritten
__global__ void rotate(const float4 *Turns, const float *In, float *Out,
                       const int *Picks) {
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
    float Vx = 2.0f * (X * Q.w), Vy = 2.0f * (Y * Q.w);
    Out[I * 4 + K] = Vx;
    V[3 * P] = Vx + Q.x * Z;
    Sum += Vy * Z + X;
  }
  Out[I * 4] += Sum + V[Picks[4] & 7];
}
