// What is printed in the end is a program that was assembled to decide:
// candidates start behind the passes on IR, and still come out as the whole of
// code generation makes them, with demotion and with a pass on IR left out.
// REQUIRES: clang-cuda
// DEFINE: %{build} = env KEPT=%t.kept KEEPING_PTXAS=%cuda/bin/ptxas %device %regdem -mllvm -regdem-ptxas=%S/Inputs/keeps-programs.py -mllvm -regdem-mode=demote -mllvm -regdem-disassembler=off %s -o %t.s
// RUN: rm -rf %t.kept %t.jsonl && mkdir %t.kept
// RUN: %{build} -mllvm -regdem-report=%t.jsonl -mllvm -regdem-max-regs=40
// RUN: %report %t.jsonl chosen "decision == 'demote'"
// RUN: %S/Inputs/was-kept.py %t.kept %t.s
// RUN: rm -rf %t.kept %t.jsonl && mkdir %t.kept
// RUN: %{build} -mllvm -regdem-report=%t.jsonl -mllvm -regdem-max-regs=32 -DROWS
// RUN: %report %t.jsonl chosen "decision == 'cap'" "without == 'loop-reduce'"
// RUN: %S/Inputs/was-kept.py %t.kept %t.s
// With a callee, whose passes on IR run before the kernel's code is made; and
// where LLVM's options leave no place to part code generation.
// RUN: rm -rf %t.kept %t.jsonl && mkdir %t.kept
// RUN: %{build} -mllvm -regdem-report=%t.jsonl -mllvm -regdem-max-regs=40 -DCALL
// RUN: %report %t.jsonl chosen "decision == 'demote'"
// RUN: %S/Inputs/was-kept.py %t.kept %t.s
// RUN: rm -rf %t.kept && mkdir %t.kept
// RUN: %{build} -mllvm -regdem-max-regs=40 -mllvm -disable-cgp
// RUN: %S/Inputs/was-kept.py %t.kept %t.s
#include "Inputs/mix.h"

#ifdef ROWS
constexpr int Radius = 6;

template <int K>
__device__ __forceinline__ float around(const float *__restrict__ P, int Pitch,
                                        const float *Queue) {
  if constexpr (K > Radius)
    return 0;
  else
    return (1.0f / K) * (Queue[Radius - K] + Queue[Radius + K] + P[-K] + P[K] +
                         P[-K * Pitch] + P[K * Pitch]) +
           around<K + 1>(P, Pitch, Queue);
}

// A pointer for each row that is read, or one for all.
extern "C" __global__ void __launch_bounds__(256)
    chosen(const float *__restrict__ In, float *__restrict__ Out, int Pitch,
           int Rows, int Steps) {
  int Plane = Pitch * Rows;
  int Index = Radius * Plane + blockIdx.x * 256 + threadIdx.x;
  float Queue[2 * Radius + 1];
#pragma unroll
  for (int K = 1; K < 2 * Radius + 1; ++K)
    Queue[K] = In[Index + (K - Radius - 1) * Plane];
#pragma unroll 1
  for (int Step = 0; Step < Steps; ++Step, Index += Plane) {
#pragma unroll
    for (int K = 0; K < 2 * Radius; ++K)
      Queue[K] = Queue[K + 1];
    Queue[2 * Radius] = In[Index + Radius * Plane];
    Out[Index] = Queue[Radius] + around<1>(In + Index, Pitch, Queue);
  }
}
#else
#ifdef CALL
static __device__ __noinline__ int rounds(int X) {
  int Sum = 0;
  for (int I = 0; I < X; I += 3)
    Sum += I * X;
  return Sum;
}
#else
static __device__ int rounds(int X) { return X; }
#endif

extern "C" __global__ void __launch_bounds__(256)
    chosen(unsigned *Data, int Rounds) {
  mix<48>(Data, rounds(Rounds), threadIdx.x);
}
#endif
