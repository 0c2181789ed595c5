//===- fences.cu - how long a warp waits for a fence ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvcc -std=c++17 -O3 -arch=sm_90 fences.cu -o fences
//
// Prints the cycles from one fence of a warp to its next with one, four, 16 and
// 64 warps on each SM, of fences of the block, of the device and of the system,
// with a store of each thread ahead of each fence and without.
//
//===----------------------------------------------------------------------===//

#include "Micro.h"

using namespace micro;

namespace {

constexpr int Rounds = 200, WarpThreads = 32, MostThreads = 512;

enum Scope { Block, Device, System };

template <Scope Of, bool Stores>
__global__ void fence(long long *Cycles, int *Words) {
  int Thread = blockIdx.x * blockDim.x + threadIdx.x;
  long long Begin = now();
  for (int I = 0; I < Rounds; ++I) {
    if (Stores)
      Words[Thread] = I;
    if (Of == Block)
      __threadfence_block();
    else if (Of == Device)
      __threadfence();
    else
      __threadfence_system();
  }
  long long End = now();
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = (End - Begin) / Rounds;
}

template <Scope Of, bool Stores> void print(const char *Name) {
  std::printf("%-24s", Name);
  for (int PerSM : {1, 4, 16, 64}) {
    int Width = std::min(PerSM * WarpThreads, MostThreads);
    int Blocks = smCount() * PerSM * WarpThreads / Width;
    DeviceArray<long long> Cycles(Blocks);
    DeviceArray<int> Words(size_t(Blocks) * Width);
    fence<Of, Stores><<<Blocks, Width>>>(Cycles.data(), Words.data());
    check(cudaGetLastError(), "launch");
    std::vector<long long> Sorted = Cycles.copy();
    std::nth_element(Sorted.begin(), Sorted.begin() + Blocks / 2, Sorted.end());
    std::printf(" %6lld", Sorted[Blocks / 2]);
  }
  std::printf("\n");
}

} // namespace

int main() {
  printDevice();
  std::printf("%-24s %6d %6d %6d %6d\n", "warps of an SM", 1, 4, 16, 64);
  print<Block, false>("block");
  print<Block, true>("block, after a store");
  print<Device, false>("device");
  print<Device, true>("device, after a store");
  print<System, false>("system");
  print<System, true>("system, after a store");
}
