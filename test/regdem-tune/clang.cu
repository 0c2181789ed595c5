// The whole way with clang, whose assembler names the variants of a kernel with
// a stated cap, in a parallel build of two files, by the environment's flags.
// The profile then gives the same code in every build, parallel or not.
// REQUIRES: clang-cuda
// RUN: rm -f %t.json %t.*.jsonl
// RUN: %regdem-tune --build '%device %regdem $REGDEM_FLAGS %s -DNAME=left -o {dir}/left.s & %device %regdem $REGDEM_FLAGS %s -DNAME=right -o {dir}/right.s & wait; cat {dir}/left.s {dir}/right.s > {dir}/app.s' --run '%fake-app {dir}/app.s left.demote=80 right.demote=120' --metric 'time: ([0-9.]+) ms' --runs 5 -o %t.json | FileCheck %s
// CHECK: left (sm_90)
// CHECK: demote 40 regs {{(resident|belady)}} {{[0-9]+ +}}180 1.111 {{.*}} chosen
// CHECK: right (sm_90)
// CHECK: stock {{.*}} chosen
//
// RUN: %device %regdem -mllvm -regdem-profile=%t.json -mllvm -regdem-report=%t.1.jsonl %s -DNAME=left -o %t.left.s
// RUN: %report %t.1.jsonl left "from_profile is True" "decision == 'demote'"
// RUN: %region %t.left.s %t.1.jsonl
// RUN: %device %regdem -mllvm -regdem-profile=%t.json -mllvm -regdem-report=%t.2.jsonl %s -DNAME=right -o %t.right.s
// RUN: %report %t.2.jsonl right "from_profile is True" "decision == 'stock'"
// RUN: %python %inputs/../Emission/Inputs/parallel.py 6 sh -c '%device %regdem -mllvm -regdem-profile=%t.json -mllvm -regdem-report=%t.3.jsonl %s -DNAME=left -o %t.left.$$.s; cmp %t.left.s %t.left.$$.s'
// RUN: %python %S/Inputs/all_followed.py %t.3.jsonl 6
#include "../cuda/Inputs/mix.h"

extern "C" __global__ void __launch_bounds__(256, 6)
    NAME(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
