// On a GPU the results are those of the stock build, bit for bit.
// REQUIRES: clang-cuda, gpu
// RUN: %clang-cuda %s -o %t.stock -L%cuda/lib64 -lcudart_static -ldl -lrt -lpthread
// RUN: %clang-cuda %demote %s -o %t.demoted -L%cuda/lib64 -lcudart_static -ldl -lrt -lpthread
// RUN: %t.stock > %t.stock.out
// RUN: %t.demoted > %t.demoted.out
// RUN: cmp %t.stock.out %t.demoted.out
#include "Inputs/mix.h"
#include <cstdio>
#include <vector>

__global__ void __launch_bounds__(256, 6) measured(unsigned *Data, int Rounds) {
  unsigned Thread = threadIdx.y * blockDim.x + threadIdx.x;
  mix<48>(Data + blockIdx.x * 48 * 1024, Rounds, Thread);
}

int main() {
  const int Blocks = 300;
  std::vector<unsigned> Host(Blocks * 48 * 1024);
  unsigned State = 12345;
  for (unsigned &X : Host)
    X = State = State * 1664525u + 1013904223u;
  unsigned *Data = nullptr;
  size_t Bytes = Host.size() * sizeof(unsigned);
  cudaMalloc(&Data, Bytes);
  cudaMemcpy(Data, Host.data(), Bytes, cudaMemcpyHostToDevice);
  measured<<<Blocks, dim3(32, 8)>>>(Data, 7);
  cudaMemcpy(Host.data(), Data, Bytes, cudaMemcpyDeviceToHost);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  fwrite(Host.data(), 1, Bytes, stdout);
}
