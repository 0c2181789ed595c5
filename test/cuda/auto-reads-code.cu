// With a disassembler the machine code is what is compared; the scorer of the
// paper is there for comparison. A kernel whose code issues all the time gains
// nothing from more warps, and no cap is tried.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -f %t.jsonl %t.paper.jsonl
// RUN: %device %regdem %s -o %t.s -mllvm -regdem-disassembler=%nvdisasm -mllvm -regdem-report=%t.jsonl -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: %report %t.jsonl wide "from_sass" "scorer == 'model'" "[v['min_blocks'] for v in variants] == [0, 1]" "decision == 'stock'" "expected_gain < margin"
// RUN: %device %regdem %s -o %t.paper.s -mllvm -regdem-disassembler=%nvdisasm -mllvm -regdem-report=%t.paper.jsonl -mllvm -regdem-scorer=paper
// RUN: %report %t.paper.jsonl wide "from_sass" "scorer == 'paper'" "any(v['max_regs'] for v in variants)"
#include "Inputs/mix.h"

// CHECK: remark: 'wide' left as it is: more warps would not help: registers limit it to [[#]] block{{s?}} per SM
extern "C" __global__ void __launch_bounds__(256)
    wide(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
