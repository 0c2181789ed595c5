//===- constant_turns.cu - constant memory that threads index apart -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvcc -std=c++17 -O3 -arch=sm_90 constant_turns.cu -o constant_turns
//
// Prints the cycles of a full SM for one warp's read of a kernel's parameter,
// of which the threads of the warp read 1 to 32 different words, and for the
// same read by selects among words at known places.
//
//===----------------------------------------------------------------------===//

#include "Micro.h"

using namespace micro;

namespace {

constexpr int Most = 32, Rounds = 512, MaxBlocks = 4;

struct Table {
  float Words[Most];
};

/// One of Words words from Low on, by the bits of Which.
template <int Words>
__device__ __forceinline__ float select(const Table &T, int Low,
                                        unsigned Which) {
  if constexpr (Words == 1) {
    return T.Words[Low];
  } else {
    float Lower = select<Words / 2>(T, Low, Which);
    float Upper = select<Words / 2>(T, Low + Words / 2, Which);
    return Which & (Words / 2) ? Upper : Lower;
  }
}

template <int Words, bool Selects>
__global__ void __launch_bounds__(Threads, MaxBlocks)
    gather(Span *Spans, float *Sink, const __grid_constant__ Table T,
           int Step) {
  unsigned At = threadIdx.x;
  float Sum = 0;
  __syncthreads();
  long long Begin = now();
#pragma unroll 4
  for (int Round = 0; Round < Rounds; ++Round) {
    unsigned Which = At % Words;
    float Word;
    if constexpr (Selects)
      Word = select<Words>(T, 0, Which);
    else
      Word = T.Words[Which];
    Sum += Word;
    At += Step;
  }
  note(Spans, Begin);
  Sink[blockIdx.x * Threads + threadIdx.x] = Sum;
}

template <int Words> void measure() {
  DeviceArray<float> Sink(size_t(MaxBlocks) * smCount() * Threads);
  Table T;
  for (int K = 0; K < Most; ++K)
    T.Words[K] = float(K);
  double Indexed = cyclesPerOperation(gather<Words, false>, MaxBlocks, Rounds,
                                      Sink.data(), T, 1);
  double Selected = cyclesPerOperation(gather<Words, true>, MaxBlocks, Rounds,
                                       Sink.data(), T, 1);
  std::printf("%2d words: %7.2f indexed %7.2f selected\n", Words, Indexed,
              Selected);
}

} // namespace

int main() {
  std::printf("cycles of a full SM for one warp's read of constant memory\n");
  measure<1>();
  measure<2>();
  measure<4>();
  measure<8>();
  measure<16>();
  measure<32>();
  return 0;
}
