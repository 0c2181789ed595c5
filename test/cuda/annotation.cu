// Annotations in the source state options for one kernel, against those of the
// command line.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-max-regs=64 -mllvm -regdem-report=%t.jsonl %s -o %t.s
// RUN: %report %t.jsonl capped "decision == 'demote'" "max_regs == 40" "block_size_from == 'maxntid'"
// RUN: %report %t.jsonl sized "decision == 'demote'" "max_regs == 48" "block_size == 128" "block_size_from == 'annotation'"
// RUN: %report %t.jsonl common "max_regs == 64" "len(records) == 4"
// RUN: %report %t.jsonl untouched "decision == 'stock'" "'leaves it out' in reason"
// RUN: %region %t.s %t.jsonl
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

// CHECK-LABEL: .entry capped(
// CHECK: .maxnreg 40
extern "C" __global__ void __launch_bounds__(256)
    __attribute__((annotate("regdem:max-regs=40")))
    capped(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

// CHECK-LABEL: .entry sized(
// CHECK-DAG: .maxntid 128
// CHECK-DAG: .maxnreg 48
extern "C" __global__ void
    __attribute__((annotate("regdem: max-regs = 48, block-size=128")))
    sized(unsigned *Data, int Rounds) {
  mix<56>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256)
    common(unsigned *Data, int Rounds) {
  mix<72>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256)
    __attribute__((annotate("regdem:mode=off")))
    untouched(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
