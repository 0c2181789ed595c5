// What is printed in the end is a program that was assembled to decide:
// candidates start after the passes on IR, and still come out as the whole of
// code generation makes them, with demotion and with a pass on IR left out.
// REQUIRES: clang-cuda
// DEFINE: %{build} = env KEPT=%t.kept KEEPING_PTXAS=%cuda/bin/ptxas %device %regdem -mllvm -regdem-ptxas=%S/Inputs/keeps-programs.py -mllvm -regdem-mode=demote %s -o %t.s
// RUN: rm -rf %t.kept %t.jsonl && mkdir %t.kept
// RUN: %{build} -mllvm -regdem-report=%t.jsonl -mllvm -regdem-max-regs=40
// RUN: %report %t.jsonl chosen "decision == 'demote'"
// RUN: %S/Inputs/was-kept.py %t.kept %t.s
// RUN: rm -rf %t.kept %t.jsonl && mkdir %t.kept
// RUN: %{build} -mllvm -regdem-report=%t.jsonl -mllvm -regdem-max-regs=32 -DROWS
// RUN: %report %t.jsonl chosen "decision == 'cap'" "rewrites == 'skip-loop-reduce'"
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
#include "Inputs/stencil.h"

#ifdef ROWS
extern "C" __global__ void __launch_bounds__(256)
    chosen(const float *__restrict__ In, float *__restrict__ Out, int Pitch,
           int Rows, int Steps) {
  climb(In, Out, Pitch, Rows, Steps);
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
