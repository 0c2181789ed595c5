// A minimum of blocks that takes no register from a thread, as that of one
// block does, is no cap: auto may choose one. Where two blocks have to fit,
// they still do.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass=regdem 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %report %t.jsonl one "decision in ('cap', 'demote')" "max_regs == 32" "blocks_per_sm_after > blocks_per_sm_before" "block_size_from == 'maxntid'"
// RUN: %report %t.jsonl two "decision in ('cap', 'demote')" "max_regs == 32" "blocks_per_sm_after > blocks_per_sm_before"
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin

// REMARK: remark: 'one' held to 32 registers{{.*}}: expected gain {{.*}} % over the stock build
// CHECK-LABEL: .entry one(
// CHECK-DAG: .maxnreg 32
// CHECK-DAG: .minnctapersm 1
// CHECK-LABEL: .entry two(
// CHECK-DAG: .maxnreg 32
// CHECK-DAG: .minnctapersm 2

#include "Inputs/follow.h"

extern "C" __global__ void __launch_bounds__(128, 1)
    one(const int *__restrict__ Next, const float *__restrict__ Values,
        float *__restrict__ Out, int Steps) {
  follow(Next, Values, Out, Steps);
}

extern "C" __global__ void __launch_bounds__(128, 2)
    two(const int *__restrict__ Next, const float *__restrict__ Values,
        float *__restrict__ Out, int Steps) {
  follow(Next, Values, Out, Steps);
}
