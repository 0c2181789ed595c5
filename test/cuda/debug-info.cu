// With -g the kernel is demoted as without and keeps its lines, as ptxas
// accepts them.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device -g %demote -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass=regdem 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %region %t.s %t.jsonl
// RUN: FileCheck %s --input-file=%t.s
// RUN: %ptxas -lineinfo %t.s -o %t.cubin
// RUN: %device %demote %s -o %t.plain.s
// RUN: grep -c "shared.b" %t.s > %t.with
// RUN: grep -c "shared.b" %t.plain.s > %t.without
// RUN: cmp %t.with %t.without
#include "Inputs/mix.h"

// REMARK: debug-info.cu:[[#@LINE+7]]:{{.*}}remark: 'described' held to 40 registers
// CHECK: .entry described(
// CHECK: .loc
// CHECK: st.shared
// CHECK: .loc
// CHECK: ld.shared
extern "C" __global__ void __launch_bounds__(256, 6)
    described(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
