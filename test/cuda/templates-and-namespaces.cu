// Kernels in namespaces and from templates are demoted one by one; two with
// the same name in different scopes do not share a region.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %region %t.s %t.jsonl
// RUN: %report %t.jsonl _ZN5outer4workILi48EEEvPji "decision == 'demote'"
// RUN: %report %t.jsonl _ZN5outer4workILi56EEEvPji "decision == 'demote'"
// RUN: %report %t.jsonl _ZN5inner4workEPji "decision == 'demote'"
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

namespace outer {
template <int N>
__global__ void __launch_bounds__(256, 6) work(unsigned *Data, int Rounds) {
  mix<N>(Data, Rounds, threadIdx.x);
}
template __global__ void work<48>(unsigned *, int);
template __global__ void work<56>(unsigned *, int);
} // namespace outer

namespace inner {
__global__ void __launch_bounds__(256, 6) work(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
} // namespace inner
