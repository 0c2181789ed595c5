// Where the launch bounds' blocks make a kernel spill more than slots can take
// and a build with a minimum of one block is expected to be much faster, a
// remark says so, with figures. The bound is kept. Nothing is said where the
// bound costs nothing, where it is RegDem's own, or in a mode that predicts no
// gain.
// REQUIRES: clang-cuda
// DEFINE: %{build} = %device %regdem %s -mllvm -regdem-effort=3 -Rpass-missed=regdem
// RUN: rm -f %t.jsonl
// RUN: %{build} -o %t.s -mllvm -regdem-report=%t.jsonl 2>&1 | FileCheck %s
// RUN: %report %t.jsonl crowded "unbounded['regs'] > 100 and unbounded['blocks_per_sm'] < 8 and unbounded['expected_gain'] >= 12"
// RUN: FileCheck %s --input-file=%t.s --check-prefix=PTX
// RUN: %{build} -o %t.demote.s -mllvm -regdem-mode=demote 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: %{build} -o %t.option.s -mllvm -regdem-min-blocks=8 -DBLOCKS=1 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
#include "Inputs/mix.h"
#ifndef BLOCKS
#define BLOCKS 8
#endif

// CHECK-NOT: 'roomy': its
// CHECK: remark: 'crowded': its launch bounds ask for 8 blocks per SM, which is expected to cost more than it brings
// CHECK-NOT: 'roomy': its
// SILENT-NOT: launch bounds ask for
// PTX-LABEL: .entry crowded(
// PTX: .minnctapersm 8
extern "C" __global__ void __launch_bounds__(256, BLOCKS)
    crowded(unsigned *Data, int Rounds) {
  mix<160>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256, 4)
    roomy(unsigned *Data, int Rounds) {
  mix<24>(Data, Rounds, threadIdx.x);
}
