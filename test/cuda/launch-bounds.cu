// A kernel with launch bounds is held to the registers that they imply. The
// region is exactly as large as its slots, and ptxas gets no further cap.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass=regdem 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %report %t.jsonl bounded "decision == 'demote'" "block_size == 256" "block_size_from == 'maxntid'" "max_regs == 40" "pressure_after < pressure_before" "stores > 0" "reloads > 0"
// RUN: %region %t.s %t.jsonl
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas %t.s -o %t.cubin
#include "Inputs/mix.h"

// REMARK: remark: 'bounded' held to 40 registers with [[#]] words a thread ([[#]] bytes a block) in shared memory
// CHECK-LABEL: .entry bounded(
// CHECK-NOT: .maxnreg
// CHECK:     .maxntid 256
// CHECK:     .minnctapersm 6
// CHECK-NOT: .maxnreg
// CHECK:     st.shared
// CHECK:     ld.shared
extern "C" __global__ void __launch_bounds__(256, 6)
    bounded(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
