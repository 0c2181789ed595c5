// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A latency-bound kernel: each thread waits for one load after the other while
// it holds 32 values. More warps would hide the waiting; registers forbid them.
// The kernel states no block size, its launches do. See README.md here.

#include <cstdio>
#include <vector>

constexpr int Held = 32, Steps = 64;

__global__ void chase(const int *__restrict__ Next,
                      const float *__restrict__ Values, float *__restrict__ Out,
                      int Count) {
  int Thread = blockIdx.x * blockDim.x + threadIdx.x;
  int At = Thread % Count;
  float V[Held], Sum = 0;
#pragma unroll
  for (int K = 0; K < Held; ++K)
    V[K] = Values[(Thread + K * 4099) % Count];
#pragma unroll
  for (int K = 0; K < Held; ++K)
    Sum = Sum * V[K] + V[Held - 1 - K];
#pragma unroll 1
  for (int I = 0; I < Steps; ++I) {
    At = Next[At];
    Sum += Values[At];
  }
#pragma unroll
  for (int K = 0; K < Held; ++K)
    Sum = Sum * V[K] + V[(K * 5) % Held];
  Out[Thread] = Sum;
}

int main() {
  constexpr int Count = 1 << 20, Threads = 512;
  std::vector<int> Next(Count);
  std::vector<float> Values(Count);
  for (int I = 0; I < Count; ++I) {
    Next[I] = static_cast<int>((I * 7919LL + 17) % Count);
    Values[I] = (I % 1000) * 1e-3f;
  }
  int *NextD;
  float *ValuesD, *OutD;
  if (cudaMalloc(&NextD, Count * sizeof(int)) != cudaSuccess) {
    std::fprintf(stderr, "no GPU\n");
    return 77;
  }
  cudaMalloc(&ValuesD, Count * sizeof(float));
  cudaMalloc(&OutD, Count * sizeof(float));
  cudaMemcpy(NextD, Next.data(), Count * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(ValuesD, Values.data(), Count * sizeof(float),
             cudaMemcpyHostToDevice);
  cudaEvent_t Begin, End;
  cudaEventCreate(&Begin);
  cudaEventCreate(&End);
  chase<<<Count / Threads, Threads>>>(NextD, ValuesD, OutD, Count);
  cudaEventRecord(Begin);
  for (int I = 0; I < 20; ++I)
    chase<<<Count / Threads, Threads>>>(NextD, ValuesD, OutD, Count);
  cudaEventRecord(End);
  cudaError_t Error = cudaEventSynchronize(End);
  float Time = 0;
  cudaEventElapsedTime(&Time, Begin, End);
  if (Error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(Error));
    return 1;
  }
  std::printf("kernel time: %.4f ms\n", Time / 20);
}
