//===- latencies.cu - the cost model's constants, measured ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvcc -std=c++17 -O3 -arch=sm_90 latencies.cu -o latencies
//
// Prints, for each class of operations, the cycles of one warp from operand to
// result, and the cycles of a full SM for one warp's operation together with
// the operations (threads' results; bytes for memory) of an SM in a cycle.
// Micro.h says how both are measured. Memory is read in words of four bytes
// by consecutive threads, DRAM in words of sixteen.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Micro.h"
#include "Operations.h"
#include <numeric>
#include <random>

using namespace micro;

namespace {

constexpr size_t L1Bytes = 16 << 10, L2Bytes = 8 << 20, DramBytes = 1 << 30;

template <class Op, int N>
__global__ void chain(long long *Cycles, typename Op::T *Sink, typename Op::T A,
                      typename Op::T B) {
  __shared__ volatile typename Op::T Result[32];
  long long Begin, End;
#pragma unroll 1
  for (int Pass = 0; Pass < 2; ++Pass) {
    Begin = now();
    // Begin is never negative: only the dependence on the counter is wanted.
    typename Op::T X = typename Op::T(Begin >> 63) + B;
#pragma unroll
    for (int I = 0; I < N; ++I)
      Op::apply(X, A, B);
    Result[threadIdx.x] = X; // before the counter is read
    End = now();
  }
  Sink[threadIdx.x] = Result[threadIdx.x];
  if (threadIdx.x == 0)
    *Cycles = End - Begin;
}

template <class Op>
__global__ void __launch_bounds__(Threads, MaxBlocks)
    fill(Span *Spans, typename Op::T *Sink, typename Op::T A,
         typename Op::T B) {
  typename Op::T X[8], As[8];
  for (int I = 0; I < 8; ++I)
    X[I] = A + typename Op::T(I + threadIdx.x), As[I] = A;
  __syncthreads();
  long long Begin = now();
#pragma unroll 4
  for (int Round = 0; Round < Rounds; ++Round)
#pragma unroll
    for (int I = 0; I < 8; ++I)
      Op::apply(X[I], As[I], B);
  typename Op::T Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += X[I];
  Sink[blockIdx.x * Threads + threadIdx.x] = Sum;
  note(Spans, Begin);
}

void print(const char *Name, double Latency, double Cost, double Bytes) {
  std::printf("%-22s %9.1f", Name, Latency);
  if (Cost > 0)
    std::printf(" %12.3f %12.1f", Cost, 32 * Bytes / Cost);
  std::printf("\n");
}

template <class Op> void arithmetic(const char *Name) {
  using T = typename Op::T;
  DeviceArray<long long> Cycles(1);
  DeviceArray<T> Sink(size_t(MaxBlocks) * smCount() * Threads);
  const T A = T(3), B = T(5);
  double Latency = perLink([&](bool IsLong) {
    if (IsLong)
      chain<Op, Long><<<1, 32>>>(Cycles.data(), Sink.data(), A, B);
    else
      chain<Op, Short><<<1, 32>>>(Cycles.data(), Sink.data(), A, B);
    return Cycles.copy()[0];
  });
  double Cost =
      cyclesPerOperation(fill<Op>, MaxBlocks, 8.0 * Rounds, Sink.data(), A, B);
  print(Name, Latency, Cost, 1);
}

/// Words that form one ring of pointers through all lines of \p Bytes bytes at
/// \p Base, in random order: no prefetcher can follow it.
std::vector<unsigned long long> ring(size_t Bytes, unsigned long long Base) {
  size_t Lines = Bytes / Line;
  std::vector<size_t> Order(Lines);
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::shuffle(Order.begin(), Order.end(), std::mt19937_64(1));
  std::vector<unsigned long long> Words(Bytes / 8);
  for (size_t I = 0; I < Lines; ++I)
    Words[Order[I] * (Line / 8)] = Base + Order[(I + 1) % Lines] * Line;
  return Words;
}

/// Latency of a chain of pointers through \p Bytes bytes. A chain that is not
/// Warm starts at another random place each time.
template <class Chase, bool Warm> double latency(size_t Bytes) {
  DeviceArray<long long> Cycles(1);
  DeviceArray<unsigned long long> Data(std::max<size_t>(Bytes / 8, 1)), Sink(1);
  auto Base = reinterpret_cast<unsigned long long>(Data.data());
  if (Bytes)
    Data.copyFrom(ring(Bytes, Base));
  std::mt19937_64 Random(2);
  return perLink([&](bool IsLong) {
    size_t First = Warm ? 0 : Random() % std::max<size_t>(Bytes / Line, 1);
    if (IsLong)
      chase<Chase, Long, Warm>
          <<<1, 1>>>(Cycles.data(), Sink.data(), Base + First * Line);
    else
      chase<Chase, Short, Warm>
          <<<1, 1>>>(Cycles.data(), Sink.data(), Base + First * Line);
    return Cycles.copy()[0];
  });
}

template <bool Stores> double localLatency() {
  DeviceArray<long long> Cycles(1);
  DeviceArray<unsigned> Sink(32);
  return perLink([&](bool IsLong) {
    if (IsLong)
      chaseLocal<Long, Stores><<<1, 32>>>(Cycles.data(), Sink.data(), 0);
    else
      chaseLocal<Short, Stores><<<1, 32>>>(Cycles.data(), Sink.data(), 0);
    return Cycles.copy()[0];
  });
}

/// Cycles of an SM for a warp's load from \p Bytes bytes, a power of two.
template <Space From> double readCost(size_t Bytes) {
  constexpr size_t Width = From == Space::Dram ? 16 : 4;
  DeviceArray<unsigned> Data(std::max<size_t>(Bytes / 4, 1));
  DeviceArray<unsigned> Sink(size_t(MaxBlocks) * smCount() * Threads);
  // L1's eight loads of a round lie behind one another.
  const size_t Range = From == Space::L1 ? Bytes / 2 : Bytes;
  return cyclesPerOperation(read<From>, MaxBlocks, 8.0 * Rounds, Sink.data(),
                            static_cast<const unsigned *>(Data.data()),
                            unsigned(Range / Width - 1));
}

/// The same for loads of a T from shared memory, without their latency.
template <class T, bool IsOnePlace> void sharedLoads(const char *Name) {
  DeviceArray<unsigned> Sink(size_t(MaxBlocks) * smCount() * Threads);
  double Cost = cyclesPerOperation(readShared<T, IsOnePlace>, MaxBlocks,
                                   8.0 * Rounds, Sink.data(), 0u);
  std::printf("%-22s %9s %12.3f %12.1f\n", Name, "", Cost,
              32 * sizeof(T) / Cost);
}

} // namespace

int main() {
  printDevice();
  std::printf("%-22s %9s %12s %12s\n", "", "latency", "cycles/warp",
              "per cycle");
  arithmetic<FmaF32>("FP32 FMA");
  arithmetic<FmaF64>("FP64 FMA");
  arithmetic<Mufu>("MUFU (2^x)");
  arithmetic<AddS32>("integer add");
  arithmetic<MadS32>("integer multiply-add");
  arithmetic<Logic>("logic (LOP3)");
  print("shared load", latency<ChaseShared, true>(0),
        readCost<Space::Shared>(0), 4);
  sharedLoads<unsigned, true>("  of one place");
  sharedLoads<uint2, false>("  of 64 bits");
  sharedLoads<uint2, true>("  of 64, one place");
  sharedLoads<uint4, false>("  of 128 bits");
  sharedLoads<uint4, true>("  of 128, one place");
  print("L1 hit", latency<ChaseL1, true>(L1Bytes), readCost<Space::L1>(L1Bytes),
        4);
  print("local load, L1 hit", localLatency<false>(), readCost<Space::Local>(0),
        4);
  print("local store + reload", localLatency<true>(), 0, 0);
  print("L2 hit", latency<ChaseL2, true>(L2Bytes), readCost<Space::L2>(L2Bytes),
        4);
  print("DRAM", latency<ChaseL2, false>(DramBytes),
        readCost<Space::Dram>(DramBytes), 16);
  return 0;
}
