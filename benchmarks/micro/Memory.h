//===- Memory.h - kernels that read memory, for latencies.cu ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of dependent loads for latencies, independent loads for throughput.
// What the assembler could merge, hoist or drop is kept apart by addresses
// that it cannot compare; check the machine code after a change.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_MICRO_MEMORY_H
#define BENCHMARKS_MICRO_MEMORY_H

#include "Micro.h"
#include "Operations.h"

namespace micro {

constexpr int Rounds = 256;    ///< of a throughput kernel's loop
constexpr int MaxBlocks = 4;   ///< on an SM, for throughput
constexpr int LocalWords = 64; ///< of a thread's local array
constexpr int Line = 128;      ///< bytes between the links of a chain

/// One thread follows N pointers from \p Start, twice; the second time counts.
/// Warm: from the start again, else it goes on to words not read before.
template <class Chase, int N, bool Warm>
__global__ void chase(long long *Cycles, unsigned long long *Sink,
                      unsigned long long Start) {
  __shared__ volatile typename Chase::Pointer Result;
  __shared__ unsigned Ring[64];
  typename Chase::Pointer P;
  if constexpr (sizeof(P) == 4) {
    unsigned Base = unsigned(__cvta_generic_to_shared(Ring));
    for (int I = 0; I < 64; ++I)
      reinterpret_cast<volatile unsigned *>(Ring)[I] =
          Base + 4 * ((I + 7) % 64);
    P = Base;
  } else {
    P = Start;
  }
  const typename Chase::Pointer First = P;
  long long Begin, End;
#pragma unroll 1
  for (int Pass = 0; Pass < 2; ++Pass) {
    if (Warm) // No address has its top bit set, but ptxas cannot know that.
      P = First + (P >> (8 * sizeof(P) - 1));
    Begin = now();
#pragma unroll
    for (int I = 0; I < N; ++I)
      P = Chase::next(P);
    Result = P; // arrived before the counter is read
    End = now();
  }
  *Sink = Result;
  *Cycles = End - Begin;
}

/// The same through local memory, where spilled values are, for a warp whose
/// threads all follow the ring in their own words. Stores: each link stores a
/// word and reads it back. \p Zero is 0.
template <int N, bool Stores>
__global__ void chaseLocal(long long *Cycles, unsigned *Sink, unsigned Zero) {
  __shared__ volatile unsigned Result[32];
  unsigned Words[LocalWords];
  auto First = unsigned(__cvta_generic_to_local(Words));
  for (int I = 0; I < LocalWords; ++I)
    const_cast<volatile unsigned *>(Words)[I] =
        First + 4 * ((I + 7) % LocalWords);
  unsigned P = First;
  long long Begin, End;
#pragma unroll 1
  for (int Pass = 0; Pass < 2; ++Pass) {
    Begin = now();
#pragma unroll
    for (int I = 0; I < N; ++I)
      P = Stores ? storeAndReloadLocal(First, First + Zero, P) : nextLocal(P);
    Result[threadIdx.x] = P;
    End = now();
  }
  Sink[threadIdx.x] = Result[threadIdx.x];
  if (threadIdx.x == 0)
    *Cycles = End - Begin;
}

enum class Space { Shared, Local, L1, L2, Dram };

template <Space From>
__global__ void __launch_bounds__(Threads, MaxBlocks)
    read(Span *Spans, unsigned *Sink, const unsigned *Data, unsigned Mask) {
  __shared__ volatile unsigned Buffer[8 * Threads];
  unsigned Local[LocalWords];
  volatile unsigned *Own = Local;
  for (int I = 0; From == Space::Local && I < LocalWords; ++I)
    Own[I] = I;
  for (int I = 0; From == Space::Shared && I < 8; ++I)
    Buffer[I * Threads + threadIdx.x] = I;
  __syncthreads();
  unsigned Sum = 0, V[8] = {};
  unsigned Stride = gridDim.x * Threads;
  // In words, except for DRAM: there in units of four. Where L1 is to hold
  // them, all blocks read the same few words, from another line each round:
  // the assembler would read words of one address once.
  unsigned At =
      From == Space::L1 ? threadIdx.x : blockIdx.x * Threads + threadIdx.x;
  long long Begin = now();
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round) {
#pragma unroll
    for (int I = 0; I < 8; ++I) {
      if constexpr (From == Space::Shared) {
        V[I] = Buffer[I * Threads + threadIdx.x];
      } else if constexpr (From == Space::Local) {
        V[I] = Own[Round % 8 + 8 * I]; // not one wide load
      } else if constexpr (From == Space::L1) {
        asm volatile("ld.global.u32 %0, [%1];"
                     : "=r"(V[I])
                     : "l"(Data + I * Threads + (At & Mask))
                     : "memory");
      } else if constexpr (From == Space::L2) {
        asm volatile("ld.global.cg.u32 %0, [%1];"
                     : "=r"(V[I])
                     : "l"(Data + (At & Mask))
                     : "memory");
        At += Stride;
      } else {
        uint4 Q;
        asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(Q.x), "=r"(Q.y), "=r"(Q.z), "=r"(Q.w)
                     : "l"(Data + 4 * size_t(At & Mask))
                     : "memory");
        V[I] = Q.x ^ Q.y ^ Q.z ^ Q.w;
        At += Stride;
      }
    }
    if (From == Space::L1)
      At += Line / 4;
#pragma unroll
    for (int I = 0; I < 8; ++I)
      Sum ^= V[I];
  }
  Sink[blockIdx.x * Threads + threadIdx.x] = Sum;
  note(Spans, Begin);
}

/// Loads of a T from shared memory, by each thread from a place of its own or,
/// if IsOnePlace, by all threads of a warp from the same. \p Zero is 0, for the
/// assembler not to know the address.
template <class T, bool IsOnePlace>
__global__ void __launch_bounds__(Threads, MaxBlocks)
    readShared(Span *Spans, unsigned *Sink, unsigned Zero) {
  constexpr int Words = sizeof(T) / 4;
  __shared__ T Buffer[32 * 8];
  for (int I = threadIdx.x; I < 32 * 8 * Words; I += Threads)
    reinterpret_cast<volatile unsigned *>(Buffer)[I] = I;
  __syncthreads();
  auto At = unsigned(__cvta_generic_to_shared(Buffer)) +
            unsigned(sizeof(T)) * (IsOnePlace ? 0 : threadIdx.x % 32);
  unsigned Sum = 0;
  long long Begin = now();
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round) {
    unsigned V[8][4] = {};
    At += Zero;
#pragma unroll
    for (int I = 0; I < 8; ++I) {
      unsigned Address = At + I * 32 * unsigned(sizeof(T));
      if constexpr (Words == 1)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(V[I][0]) : "r"(Address));
      else if constexpr (Words == 2)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                     : "=r"(V[I][0]), "=r"(V[I][1])
                     : "r"(Address));
      else
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(V[I][0]), "=r"(V[I][1]), "=r"(V[I][2]),
                       "=r"(V[I][3])
                     : "r"(Address));
    }
#pragma unroll
    for (int I = 0; I < 8; ++I)
      for (int W = 0; W < Words; ++W)
        Sum ^= V[I][W];
  }
  Sink[blockIdx.x * Threads + threadIdx.x] = Sum;
  note(Spans, Begin);
}

} // namespace micro

#endif // BENCHMARKS_MICRO_MEMORY_H
