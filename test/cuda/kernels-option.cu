// -regdem-kernels selects by regular expression; others are left as they are.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-kernels=^sel.*d$ -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %region %t.s %t.jsonl
// RUN: %report %t.jsonl selected "decision == 'demote'" "len(records) == 1"
#include "Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    selected(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256, 6)
    selected_not(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
