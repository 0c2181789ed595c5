// The machine code is what is compared. A kernel whose code
// issues all the time gains nothing from more warps, and no cap is tried.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem %s -o %t.s -mllvm -regdem-report=%t.jsonl -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %report %t.jsonl wide "from_sass" "[v['min_blocks'] for v in variants] == [0, 1]" "decision == 'stock'" "expected_gain < margin"
#include "Inputs/mix.h"

// CHECK: remark: 'wide' left as it is: more warps would not help: registers limit it to [[#]] block{{s?}} per SM
extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
