// Where a cap is stated, nothing is free to choose: neither is it lifted nor
// are other caps tried.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem %s -o %t.s -mllvm -regdem-report=%t.jsonl
// RUN: %report %t.jsonl bounded "decision == 'demote'" "max_regs == 40" "min_blocks == 0" "all(v['max_regs'] == 40 and not v['min_blocks'] for v in variants)"
// RUN: FileCheck %s --input-file=%t.s
#include "Inputs/mix.h"

// CHECK-LABEL: .entry bounded(
// CHECK: .minnctapersm 6
// CHECK-NOT: .maxnreg
extern "C" __global__ void __launch_bounds__(256, 6)
    bounded(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
