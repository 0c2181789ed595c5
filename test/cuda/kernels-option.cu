// -regdem-kernels selects by regular expression; others are left as they are,
// whatever their annotations say, and a missed remark tells why.
// REQUIRES: clang-cuda
// RUN: rm -f %t.jsonl
// RUN: %device %demote -mllvm -regdem-kernels=^sel.*d$ -mllvm -regdem-report=%t.jsonl -Rpass-missed=regdem %s -o %t.s 2>&1 | FileCheck %s
// RUN: %region %t.s %t.jsonl
// RUN: %report %t.jsonl selected "decision == 'demote'" "len(records) == 1"
// A warning says where it selects none.
// RUN: %device %demote -mllvm -regdem-kernels=^other$ %s -o %t.s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %device %demote -mllvm -regdem-kernels=sel %s -o %t.s 2>&1 | count 0
// NONE: warning: regdem: -mllvm -regdem-kernels=^other$ matches no kernel of this file, which has 3 kernels
#include "Inputs/mix.h"

// CHECK-NOT: 'selected'
// CHECK-DAG: remark: 'selected_not' left as it is: -mllvm -regdem-kernels does not match this name (sm_90)
// CHECK-DAG: remark: 'annotated' left as it is: -mllvm -regdem-kernels does not match this name (sm_90)

extern "C" __global__ void __launch_bounds__(256, 6)
    selected(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256, 6)
    selected_not(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(256)
    __attribute__((annotate("regdem:mode=demote,max-regs=40")))
    annotated(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
