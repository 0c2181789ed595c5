// Without launch bounds the block size is unknown: under a stated cap the
// kernel is held to it without slots, and a warning says so.
// -regdem-block-size supplies it; then larger launches are made to fail. A
// kernel so small that registers limit it at no block size needs no bounds.
// REQUIRES: clang-cuda
// RUN: %device %regdem -mllvm -regdem-mode=demote -mllvm -regdem-max-regs=40 %s -o %t.capped.s 2>&1 | FileCheck %s --check-prefix=WARNED
// RUN: FileCheck %s --input-file=%t.capped.s --check-prefix=CAPPED
// RUN: rm -f %t.jsonl
// RUN: %device %regdem -mllvm "-regdem-build=cap=40 demote=belady:36" -mllvm -regdem-block-size=192 -mllvm -regdem-report=%t.jsonl %s -o %t.option.s
// RUN: %report %t.jsonl unbounded "decision == 'demote'" "block_size == 192" "block_size_from == 'option'"
// RUN: %region %t.option.s %t.jsonl
// RUN: FileCheck %s --input-file=%t.option.s
// RUN: %ptxas %t.option.s -o %t.cubin
#include "Inputs/mix.h"

// WARNED: warning: regdem: 'unbounded' is held to 40 registers and spills [[#]] bytes to local memory; demotion was not tried: threads per block are not known: state __launch_bounds__ or -mllvm -regdem-block-size [
// WARNED-NOT: 'small'
// CAPPED-LABEL: .entry unbounded(
// CAPPED-NOT: .maxntid
// CAPPED: .maxnreg 40
// CAPPED-NOT: .shared
// CHECK-LABEL: .entry unbounded(
// CHECK-DAG: .maxntid 192
// CHECK-DAG: .maxnreg 40
// CHECK:     st.shared
extern "C" __global__ void unbounded(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

// RUN: %device %regdem %s -o %t.auto.s -Rpass-missed=regdem 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: remark: 'small' left as it is: registers do not limit it: they leave room for all warps at any block size, by estimate
extern "C" __global__ void small(unsigned *Data) { Data[threadIdx.x] = 1; }
