//===- slot_width.cu - one wide slot or several narrow ones? --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvcc -std=c++17 -O3 -arch=sm_90 slot_width.cu -o slot_width
//
// A demoted value of 64 or 128 bits may lie in shared memory as one wide word
// (thread t's at base + 8 t or base + 16 t) or as several narrow ones (at
// base + 4 t, base + 4 t + 4 T, ... for T threads). A wide access is one
// instruction, but a warp's 256 or 512 bytes take two or four passes either
// way. This prints, for each layout and value:
//   reload      cycles from the address to the value, one warp
//   round trip  cycles for storing a value and reloading it, one warp
//   loads, stores  cycles of an SM for a warp's value, the SM being full
//
//===----------------------------------------------------------------------===//

#include "Micro.h"

using namespace micro;

namespace {

constexpr int Slots = 8;    ///< values of a thread in shared memory
constexpr int Rounds = 128; ///< accesses of each, for throughput
constexpr int MaxBlocks = 4;

/// A value of Words 32-bit words, accessed by Per words at a time.
template <int WordCount, int PerAccess> struct Layout {
  static constexpr int Words = WordCount, Per = PerAccess;

  /// Byte offset of this thread's first part in a slot; the others follow at
  /// distances of Stride bytes.
  static __device__ unsigned own() { return 4 * Per * threadIdx.x; }
  static constexpr unsigned Stride = 4 * Per * Threads;
};

// Volatile: the accesses must neither be merged nor dropped.
template <int Per> __device__ void load(unsigned Address, unsigned *W) {
  if constexpr (Per == 1)
    asm volatile("ld.volatile.shared.u32 %0, [%1];"
                 : "=r"(W[0])
                 : "r"(Address)
                 : "memory");
  else if constexpr (Per == 2)
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(W[0]), "=r"(W[1])
                 : "r"(Address)
                 : "memory");
  else
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(W[0]), "=r"(W[1]), "=r"(W[2]), "=r"(W[3])
                 : "r"(Address)
                 : "memory");
}

template <int Per> __device__ void store(unsigned Address, const unsigned *W) {
  if constexpr (Per == 1)
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(Address), "r"(W[0])
                 : "memory");
  else if constexpr (Per == 2)
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(Address),
                 "r"(W[0]), "r"(W[1])
                 : "memory");
  else
    asm volatile(
        "st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(Address),
        "r"(W[0]), "r"(W[1]), "r"(W[2]), "r"(W[3])
        : "memory");
}

template <class L> __device__ void loadValue(unsigned Own, unsigned *W) {
#pragma unroll
  for (int Part = 0; Part < L::Words / L::Per; ++Part)
    load<L::Per>(Own + Part * L::Stride, W + Part * L::Per);
}

template <class L> __device__ void storeValue(unsigned Own, const unsigned *W) {
#pragma unroll
  for (int Part = 0; Part < L::Words / L::Per; ++Part)
    store<L::Per>(Own + Part * L::Stride, W + Part * L::Per);
}

/// A chain of N reloads, each at an address that depends on all words of the
/// value before (zeros). Stores: of reloads after a store of that value.
template <class L, int N, bool Stores>
__global__ void chain(long long *Cycles, unsigned *Sink) {
  __shared__ __align__(16) unsigned Region[L::Words * Threads];
  for (int I = threadIdx.x; I < L::Words * Threads; I += 32)
    Region[I] = 0;
  __syncwarp();
  unsigned Own = unsigned(__cvta_generic_to_shared(Region)) + L::own();
  unsigned W[L::Words] = {}, Sum = 0;
  long long Begin, End;
#pragma unroll 1
  for (int Pass = 0; Pass < 2; ++Pass) {
    Begin = now();
#pragma unroll
    for (int I = 0; I < N; ++I) {
      if (Stores)
        storeValue<L>(Own, W);
      loadValue<L>(Own + Sum, W);
      Sum = 0;
#pragma unroll
      for (int J = 0; J < L::Words; ++J)
        Sum += W[J];
    }
    // Stored, so that the counter is read after the last link.
    *const_cast<volatile unsigned *>(Region) = Sum;
    End = now();
  }
  Sink[threadIdx.x] = Sum;
  if (threadIdx.x == 0)
    *Cycles = End - Begin;
}

template <class L, bool Stores>
__global__ void __launch_bounds__(Threads, MaxBlocks)
    fill(Span *Spans, unsigned *Sink) {
  __shared__ __align__(16) unsigned Region[Slots * L::Words * Threads];
  for (int I = threadIdx.x; I < Slots * L::Words * Threads; I += Threads)
    Region[I] = I;
  unsigned Own = unsigned(__cvta_generic_to_shared(Region)) + L::own();
  unsigned W[Slots][L::Words] = {};
  unsigned Sum = threadIdx.x;
  __syncthreads();
  long long Begin = now();
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma unroll
    for (int S = 0; S < Slots; ++S) {
      unsigned Slot = Own + 4 * S * L::Words * Threads;
      if (Stores)
        storeValue<L>(Slot, W[S]);
      else
        loadValue<L>(Slot, W[S]);
    }
    if (!Stores)
#pragma unroll
      for (int S = 0; S < Slots; ++S)
#pragma unroll
        for (int J = 0; J < L::Words; ++J)
          Sum ^= W[S][J];
  }
  note(Spans, Begin);
  Sink[blockIdx.x * Threads + threadIdx.x] = Sum;
}

template <class L, bool Stores> double latency(unsigned *Sink) {
  DeviceArray<long long> Cycles(1);
  return perLink([&](bool IsLong) {
    if (IsLong)
      chain<L, Long, Stores><<<1, 32>>>(Cycles.data(), Sink);
    else
      chain<L, Short, Stores><<<1, 32>>>(Cycles.data(), Sink);
    return Cycles.copy()[0];
  });
}

/// One line of the table.
template <class L> void measure(const char *Name, unsigned *Sink) {
  double PerWarp = double(Slots) * Rounds;
  double Reload = latency<L, false>(Sink), Trip = latency<L, true>(Sink);
  double Loads = cyclesPerOperation(fill<L, false>, MaxBlocks, PerWarp, Sink);
  double Stores = cyclesPerOperation(fill<L, true>, MaxBlocks, PerWarp, Sink);
  std::printf("%-12s %7.1f %11.1f %7.2f %7.2f %15.0f\n", Name, Reload, Trip,
              Loads, Stores, 32 * 4 * L::Words / Loads);
}

} // namespace

int main() {
  DeviceArray<unsigned> Sink(size_t(MaxBlocks) * smCount() * Threads);
  printDevice();
  std::printf("%-12s %7s %11s %7s %7s %15s\n", "bits, parts", "reload",
              "round trip", "loads", "stores", "bytes/cycle/SM");
  measure<Layout<1, 1>>("32: 1x4", Sink.data());
  measure<Layout<2, 2>>("64: 1x8", Sink.data());
  measure<Layout<2, 1>>("64: 2x4", Sink.data());
  measure<Layout<4, 4>>("128: 1x16", Sink.data());
  measure<Layout<4, 2>>("128: 2x8", Sink.data());
  measure<Layout<4, 1>>("128: 4x4", Sink.data());
  return 0;
}
