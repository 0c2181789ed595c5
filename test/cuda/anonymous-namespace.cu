// Kernels with internal names, whose symbols clang makes unique per file, are
// demoted like others.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %region %t.s %t.jsonl
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

namespace {
__global__ void __launch_bounds__(256, 6) hidden(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
} // namespace

void launch(unsigned *Data) { hidden<<<1, 256>>>(Data, 3); }
