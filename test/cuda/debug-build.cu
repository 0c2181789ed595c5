// What is compiled for a debugger ptxas does not optimize, and RegDem leaves it
// alone as at -O0, whatever the options say.
// REQUIRES: clang-cuda
// DEFINE: %{device} = %device -g --cuda-noopt-device-debug
// RUN: %{device} %s -o %t.stock.s
// RUN: rm -f %t.jsonl
// RUN: %{device} %regdem -mllvm "-regdem-build=cap=40 demote=belady:36" -mllvm -regdem-report=%t.jsonl %s -o %t.s -Rpass-missed=regdem 2>&1 | FileCheck %s
// RUN: cmp %t.stock.s %t.s
// RUN: %report %t.jsonl debugged "decision == 'stock'" "reason == 'it is compiled for a debugger: leave --cuda-noopt-device-debug out'" "estimated"
// RUN: %{device} %regdem %s -o %t.s
// RUN: cmp %t.stock.s %t.s
#include "Inputs/mix.h"

// CHECK: debug-build.cu:[[#@LINE+2]]:1: remark: 'debugged' left as it is: it is compiled for a debugger: leave --cuda-noopt-device-debug out (sm_90) [-Rpass-missed=regdem]
extern "C" __global__ void __launch_bounds__(256, 6)
    debugged(unsigned *Data, int Rounds) {
  mix<48>(Data, Rounds, threadIdx.x);
}
