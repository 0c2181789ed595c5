//===- code_size.cu - how fast loops of any size are fetched --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvcc -std=c++17 -O3 -arch=sm_90 code_size.cu -o code_size
//
// Prints, for loops of independent FFMAs that take so many KB of machine code,
// the cycles of a scheduler for one instruction with one, two and four warps.
// One block runs on every SM, and its warps go along in step. A scheduler
// issues one instruction a cycle; what is above 1 is spent on waiting for code.
//
//===----------------------------------------------------------------------===//

#include "Micro.h"

using namespace micro;

namespace {

constexpr int Schedulers = 4, InstructionBytes = 16;
constexpr int Chunk = 128;            ///< instructions that are written as one
constexpr int MostWarps = 4;          ///< of a scheduler
constexpr int Instructions = 1 << 18; ///< that a warp issues, about

// Eight sums: an FFMA's result is there after four cycles.
#define SUM(N) "fma.rn.f32 %" #N ", %" #N ", %8, %9;\n"
#define SUMS8 SUM(0) SUM(1) SUM(2) SUM(3) SUM(4) SUM(5) SUM(6) SUM(7)
#define SUMS32 SUMS8 SUMS8 SUMS8 SUMS8
#define SUMS128 SUMS32 SUMS32 SUMS32 SUMS32

/// 128 instructions, 2 KB.
__device__ __forceinline__ void sums(float (&X)[8], float A, float B) {
  asm volatile(SUMS128
               : "+f"(X[0]), "+f"(X[1]), "+f"(X[2]), "+f"(X[3]), "+f"(X[4]),
                 "+f"(X[5]), "+f"(X[6]), "+f"(X[7])
               : "f"(A), "f"(B));
}

template <int Chunks>
__global__ void __launch_bounds__(MostWarps * Schedulers * 32, 1)
    loop(Span *Spans, float *Sink, float A, float B, int Rounds) {
  float X[8];
  for (int I = 0; I < 8; ++I)
    X[I] = A * float(I);
  long long Begin = 0;
#pragma unroll 1
  for (int Round = -1; Round < Rounds; ++Round) {
    if (Round == 0) { // The first round fetches.
      __syncthreads();
      Begin = now();
    }
#pragma unroll
    for (int I = 0; I < Chunks; ++I)
      sums(X, A, B);
  }
  note(Spans, Begin);
  float Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += X[I];
  Sink[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

/// Cycles of a scheduler for an instruction: the median of all SMs, the least
/// of a few runs.
template <int Chunks> double cycles(int WarpsOfScheduler) {
  int Blocks = smCount(), Size = WarpsOfScheduler * Schedulers * 32;
  int Rounds = std::max(4, Instructions / (Chunks * Chunk));
  DeviceArray<Span> Spans(Blocks);
  DeviceArray<float> Sink(size_t(Blocks) * Size);
  double Least = 0;
  for (int Try = 0; Try < Tries; ++Try) {
    loop<Chunks>
        <<<Blocks, Size>>>(Spans.data(), Sink.data(), 0.5f, 0.25f, Rounds);
    check(cudaGetLastError(), "launch");
    std::vector<double> Costs;
    for (const Span &S : Spans.copy())
      Costs.push_back(double(S.End - S.Begin) /
                      (double(Rounds) * Chunks * Chunk * WarpsOfScheduler));
    std::nth_element(Costs.begin(), Costs.begin() + Costs.size() / 2,
                     Costs.end());
    double Cost = Costs[Costs.size() / 2];
    if (Try == 0 || Cost < Least)
      Least = Cost;
  }
  return Least;
}

template <int Chunks> void row() {
  std::printf("%6d KB", Chunks * Chunk * InstructionBytes / 1024);
  for (int Warps = 1; Warps <= MostWarps; Warps *= 2)
    std::printf(" %9.2f", cycles<Chunks>(Warps));
  std::printf("\n");
}

} // namespace

int main() {
  printDevice();
  std::printf("%9s %9s %9s %9s\n", "code", "1 warp", "2 warps", "4 warps");
  row<4>();
  row<8>();
  row<12>();
  row<16>();
  row<17>();
  row<18>();
  row<20>();
  row<22>();
  row<24>();
  row<32>();
  row<48>();
  row<60>();
  row<64>();
  row<80>();
  row<96>();
  row<128>();
  return 0;
}
