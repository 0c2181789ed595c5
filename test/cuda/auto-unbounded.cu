// A kernel without launch bounds is capped where that gains with all block
// sizes: nothing says how many threads a launch may have, and nothing is sized
// by it.
// REQUIRES: clang-cuda, nvdisasm
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-disassembler=%nvdisasm -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass=regdem 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %report %t.jsonl unbounded "decision == 'cap'" "max_regs == 32" "block_size == 256" "block_size_from == 'assumed'" "expected_gain > margin" "blocks_per_sm_after > blocks_per_sm_before" "not any(v['smem'] for v in variants)"
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
//

// REMARK: remark: 'unbounded' held to 32 registers{{.*}}: expected gain {{.*}} % over the stock build in the mean of block sizes (margin 8.{{[0-9]}} %), and no loss at any; threads per block are not known
// CHECK-LABEL: .entry unbounded(
// CHECK-NOT: .maxntid
// CHECK: .maxnreg 32
// CHECK-NOT: .shared

#include "Inputs/follow.h"

extern "C" __global__ void unbounded(const int *__restrict__ Next,
                                     const float *__restrict__ Values,
                                     float *__restrict__ Out, int Steps) {
  follow(Next, Values, Out, Steps);
}
