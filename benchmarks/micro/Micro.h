//===- Micro.h - what the microbenchmarks have in common --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All figures are in cycles of the SM's own counter, so that the clock rate
// does not matter.
//
// Latency: one warp runs a chain of dependent operations, once of Short and
// once of Long links; the difference over the number of further links is free
// of the cost of reading the counter and of filling the pipeline. Each chain
// runs twice and the second pass counts: the first fetches the instructions.
//
// Throughput: every SM is filled with 256-thread blocks. Each notes its SM and
// when it began and ended; an SM's time runs from its first block's begin to
// its last one's end.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_MICRO_MICRO_H
#define BENCHMARKS_MICRO_MICRO_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

namespace micro {

constexpr int Threads = 256;           ///< of a block, for throughput
constexpr int Warps = Threads / 32;    ///< of a block
constexpr int Short = 128, Long = 384; ///< links of a latency chain
constexpr int Tries = 5;               ///< the least of so many counts

inline void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", What, cudaGetErrorString(Error));
  std::exit(2);
}

/// When a block ran, by the counter of its SM.
struct Span {
  unsigned SM;
  long long Begin, End;
};

__device__ inline long long now() {
  long long Cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(Cycles)::"memory");
  return Cycles;
}

__device__ inline unsigned thisSM() {
  unsigned Id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(Id));
  return Id;
}

/// To be called by all threads, after the block's work.
__device__ inline void note(Span *Spans, long long Begin) {
  __syncthreads();
  long long End = now();
  if (threadIdx.x == 0)
    Spans[blockIdx.x] = {thisSM(), Begin, End};
}

/// Device memory that is freed at the end of the scope.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(size_t Count) : Count(Count) {
    check(cudaMalloc(&Data, Count * sizeof(T)), "cudaMalloc");
    check(cudaMemset(Data, 0, Count * sizeof(T)), "cudaMemset");
  }
  ~DeviceArray() { cudaFree(Data); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  T *data() { return Data; }
  void copyFrom(const std::vector<T> &Host) {
    check(cudaMemcpy(Data, Host.data(), Host.size() * sizeof(T),
                     cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  std::vector<T> copy() {
    std::vector<T> Host(Count);
    check(cudaMemcpy(Host.data(), Data, Count * sizeof(T),
                     cudaMemcpyDeviceToHost),
          "kernel");
    return Host;
  }

private:
  size_t Count;
  T *Data = nullptr;
};

/// Cycles per link, from a function that runs the chain of Short (false) or
/// Long links (true) and returns its cycles.
template <class Run> double perLink(Run RunChain) {
  long long Least[2] = {};
  for (int IsLong = 0; IsLong < 2; ++IsLong)
    for (int Try = 0; Try < Tries; ++Try) {
      long long Cycles = RunChain(IsLong != 0);
      if (Try == 0 || Cycles < Least[IsLong])
        Least[IsLong] = Cycles;
    }
  return double(Least[1] - Least[0]) / (Long - Short);
}

inline int smCount() {
  int Count = 0;
  check(cudaDeviceGetAttribute(&Count, cudaDevAttrMultiProcessorCount, 0),
        "cudaDeviceGetAttribute");
  return Count;
}

/// Launches \p Kernel with as many blocks as the GPU holds at once (at most
/// \p MaxBlocks on an SM) and returns the cycles of a full SM for one
/// operation of one warp, of which every warp does \p PerWarp. The median of
/// all SMs; the least of a few runs.
template <class... Parameters, class... Arguments>
double cyclesPerOperation(void (*Kernel)(Span *, Parameters...), int MaxBlocks,
                          double PerWarp, Arguments... Values) {
  int Fit = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Fit, Kernel, Threads, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  int Blocks = std::min(Fit, MaxBlocks) * smCount();
  DeviceArray<Span> Spans(Blocks);
  double Least = 0;
  for (int Try = 0; Try < Tries; ++Try) {
    Kernel<<<Blocks, Threads>>>(Spans.data(), Values...);
    check(cudaGetLastError(), "launch");
    struct Use {
      long long Begin, End;
      int Blocks;
    };
    std::map<unsigned, Use> SMs;
    for (const Span &S : Spans.copy()) {
      Use &U = SMs.emplace(S.SM, Use{S.Begin, S.End, 0}).first->second;
      U.Begin = std::min(U.Begin, S.Begin);
      U.End = std::max(U.End, S.End);
      ++U.Blocks;
    }
    std::vector<double> Costs;
    for (const auto &[SM, U] : SMs)
      Costs.push_back(double(U.End - U.Begin) / (U.Blocks * Warps * PerWarp));
    std::nth_element(Costs.begin(), Costs.begin() + Costs.size() / 2,
                     Costs.end());
    double Cost = Costs[Costs.size() / 2];
    Least = Try ? std::min(Least, Cost) : Cost;
  }
  return Least;
}

/// Prints which device the figures are of.
inline void printDevice() {
  cudaDeviceProp P;
  check(cudaGetDeviceProperties(&P, 0), "cudaGetDeviceProperties");
  std::printf("%s, sm_%d%d, %d SMs, L2 %.0f MiB\n", P.name, P.major, P.minor,
              P.multiProcessorCount, P.l2CacheSize / 1048576.0);
}

} // namespace micro

#endif // BENCHMARKS_MICRO_MICRO_H
