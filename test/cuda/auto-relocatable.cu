// Kernels of a program that is linked from parts are tried one by one, too,
// without a word about the others.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -fgpu-rdc -mllvm -regdem-report=%t.jsonl %s -o %t.s 2>&1 | count 0
// RUN: %report %t.jsonl _Z5firstPji "len(variants) > 1"
// RUN: %report %t.jsonl _Z6secondILi44EEvPji "len(variants) > 1"
#include "Inputs/mix.h"

__global__ void __launch_bounds__(256) first(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
template <int N>
__global__ void __launch_bounds__(256) second(unsigned *Data, int Rounds) {
  mix<N>(Data, Rounds, threadIdx.x);
}
void launch(unsigned *Data) { second<44><<<1, 256>>>(Data, 1); }
