// The host side of a CUDA file is the stock compiler's, and the whole links.
// REQUIRES: clang-cuda
// RUN: %clang-cuda --cuda-host-only -c %s -o %t.stock.o
// RUN: %clang-cuda --cuda-host-only -c %demote %s -o %t.o
// RUN: cmp %t.stock.o %t.o
// RUN: %clang-cuda %demote %s -o %t.exe -L%cuda/lib64 -lcudart_static -ldl -lrt -lpthread
#include "Inputs/mix.h"

__global__ void __launch_bounds__(256, 6) device(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

int main() {
  unsigned *Data = nullptr;
  cudaMalloc(&Data, 48 * 1024 * sizeof(unsigned));
  device<<<1, 256>>>(Data, 3);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
